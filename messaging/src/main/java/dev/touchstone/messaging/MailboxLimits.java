package dev.touchstone.messaging;

import java.util.Objects;

/**
 * The bounds of what may wait in a mailbox, and what happens beyond. Everything that waits counts by number: messages, and signals such
 * as {@code 'EXIT'} and {@code 'DOWN'}. Messages of more than 256 bytes also count by bytes: those of the frame that brought them from
 * another node, or of a binary that a mailbox of the same node has sent. Messages with more than 16 elements of tuples, lists and maps,
 * inner ones included, count with at least 48 bytes for each, which is about what they take in memory.
 *
 * <p>A bound may be exceeded by one message for each connection and each sending thread. Signals of the same node are never held back.
 *
 * @param maxMessages from 1
 * @param maxBytes from 1; a message that is larger is still taken where the mailbox is not full
 * @param whenFull what becomes of messages to a full mailbox
 */
public record MailboxLimits(long maxMessages, long maxBytes, WhenFull whenFull) {
    private static final long HEAP_BYTES = Runtime.getRuntime().maxMemory();

    /** 1,000,000 messages and 256 MiB, in a heap of less than 2 GiB as much less; {@link WhenFull#BLOCK}. */
    public static final MailboxLimits DEFAULT = new MailboxLimits(
            Math.min(1_000_000, HEAP_BYTES >> 11), Math.min(256 << 20, HEAP_BYTES >> 3), WhenFull.BLOCK);

    /** No bounds. */
    public static final MailboxLimits UNBOUNDED = new MailboxLimits(Long.MAX_VALUE, Long.MAX_VALUE, WhenFull.BLOCK);

    /** The fate of messages that a mailbox has no room for. */
    public enum WhenFull {
        /**
         * Lets senders wait. A connection that brings a message to the full mailbox is not read until some were received, so that what comes
         * behind over that connection waits too; other connections go on. {@link Mailbox#send} of the same node waits, {@link
         * Mailbox#trySend} returns false. A thread that receives from the mailbox itself does not wait.
         */
        BLOCK,
        /** Drops the newest: the message that arrives last is dropped; the log tells, and {@link NodeStats#dropped} counts. Signals are not dropped. */
        DROP_NEWEST,
        /** Closes the mailbox; its links and monitors are told the reason {@code mailbox_full}. */
        CLOSE
    }

    /**
     * Makes bounds.
     *
     * @throws IllegalArgumentException if a bound is below 1
     */
    public MailboxLimits {
        Objects.requireNonNull(whenFull);
        if (maxMessages < 1 || maxBytes < 1) {
            throw new IllegalArgumentException("mailbox limits too low: expected at least 1 got maxMessages="
                    + maxMessages + " maxBytes=" + maxBytes);
        }
    }
}
