package dev.touchstone.queue;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * An element that a queue gave up: it was handed out as often as the queue allows, and neither acknowledged nor decoded. Immutable but
 * for the payload, whose array is not copied; equal if all values are, the payload's bytes included.
 *
 * @param sequence number of the element in its queue, from 1
 * @param cursor name of the cursor that gave the element up, never null; empty for the queue's own
 * @param reason cause for which the element was given up, never null
 * @param detail description of the last failure, for people, never null; a queue makes it of at most 1,000 chars
 * @param deliveries number of times that the element was handed out
 * @param payload the encoded element, never null
 */
@SuppressWarnings("ArrayRecordComponent") // handed over, and compared by its bytes below
public record DeadLetter(long sequence, String cursor, Reason reason, String detail, int deliveries, byte[] payload) {

    /** A cause for which an element is given up. */
    public enum Reason {
        /** The element was handed out as often as the queue allows, and not acknowledged. */
        DELIVERIES(0),
        /** The codec threw for its bytes each time. */
        UNDECODABLE(1);

        private final byte code;

        Reason(int code) {
            this.code = (byte) code;
        }

        private static Reason ofCode(byte code) {
            for (Reason reason : values()) {
                if (reason.code == code) {
                    return reason;
                }
            }
            throw new IllegalArgumentException("not a dead letter: reason=" + code + " expected 0 or 1");
        }
    }

    /** A receiver of the elements that a queue gives up. Must be thread-safe: it is called by the threads that consume, under no lock. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Stores a dead letter. When this method returns the element is removed from its queue. When it throws, the exception is thrown to
         * the consumer, and the element stays and is handed out again after the longest {@linkplain
         * DiskQueueBuilder#redeliveryDelay redelivery delay}. The same letter may come twice: after a crash before the element was
         * removed, or when this method takes longer than the lease time.
         *
         * @param letter the element that was given up, never null
         */
        void accept(DeadLetter letter);
    }

    /**
     * Creates a dead letter.
     *
     * @throws NullPointerException if {@code cursor}, {@code reason}, {@code detail} or {@code payload} is null
     */
    public DeadLetter {
        Objects.requireNonNull(cursor, "cursor");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(payload, "payload");
    }

    /**
     * Returns the codec for a queue of dead letters. Its {@code decode} throws {@link IllegalArgumentException} for bytes that are not a
     * dead letter.
     *
     * @return the codec, always the same
     */
    public static Codec<DeadLetter> codec() {
        return DeadLetterCodec.INSTANCE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeadLetter letter
                && sequence == letter.sequence
                && cursor.equals(letter.cursor)
                && reason == letter.reason
                && detail.equals(letter.detail)
                && deliveries == letter.deliveries
                && Arrays.equals(payload, letter.payload);
    }

    @Override
    public int hashCode() {
        return Objects.hash(sequence, cursor, reason, detail, deliveries, Arrays.hashCode(payload));
    }

    @Override
    public String toString() {
        return "DeadLetter[sequence=" + sequence + ", cursor=" + cursor + ", reason=" + reason + ", detail=" + detail
                + ", deliveries=" + deliveries + ", bytes=" + payload.length + "]";
    }

    /** Version 1: version, reason: 1 byte each; deliveries: 4; sequence: 8; cursor, detail: 4 bytes of length and UTF-8; payload. */
    private enum DeadLetterCodec implements Codec<DeadLetter> {
        INSTANCE;

        private static final byte VERSION = 1;
        private static final int FIXED_BYTES = 22;

        @Override
        public byte[] encode(DeadLetter letter) {
            byte[] cursor = letter.cursor.getBytes(StandardCharsets.UTF_8);
            byte[] detail = letter.detail.getBytes(StandardCharsets.UTF_8);
            ByteBuffer target =
                    ByteBuffer.allocate(FIXED_BYTES + cursor.length + detail.length + letter.payload.length);
            target.put(VERSION)
                    .put(letter.reason.code)
                    .putInt(letter.deliveries)
                    .putLong(letter.sequence);
            target.putInt(cursor.length).put(cursor).putInt(detail.length).put(detail);
            return target.put(letter.payload).array();
        }

        @Override
        public DeadLetter decode(byte[] payload) {
            try {
                ByteBuffer source = ByteBuffer.wrap(payload);
                byte version = source.get();
                if (version != VERSION) {
                    throw new IllegalArgumentException("not a dead letter: version=" + version + " expected version=1");
                }
                Reason reason = Reason.ofCode(source.get());
                int deliveries = source.getInt();
                long sequence = source.getLong();
                String cursor = text(source);
                String detail = text(source);
                byte[] element = new byte[source.remaining()];
                source.get(element);
                return new DeadLetter(sequence, cursor, reason, detail, deliveries, element);
            } catch (BufferUnderflowException e) {
                throw new IllegalArgumentException("dead letter ends too early: bytes=" + payload.length, e);
            }
        }

        private static String text(ByteBuffer source) {
            int length = source.getInt();
            if (length < 0 || length > source.remaining()) {
                throw new IllegalArgumentException(
                        "dead letter ends too early: length=" + length + " left=" + source.remaining());
            }
            byte[] text = new byte[length];
            source.get(text);
            return new String(text, StandardCharsets.UTF_8);
        }
    }
}
