package dev.touchstone.queue;

import java.nio.file.Path;

/**
 * A place in a queue's files where the bytes are not what was written. Immutable.
 *
 * @param file the damaged file, or the queue's folder where a whole file is missing
 * @param offset bytes from the start of the file to the place
 * @param what kind of data that belongs there, such as {@code record}
 * @param expected description of what belongs there, for people
 * @param got description of what was found, for people
 */
public record Damage(Path file, long offset, String what, String expected, String got) {

    /** A choice of what to do about damage. */
    public enum Decision {
        /**
         * Go on with the next whole element, quietly. At open: go on with what can be read. A file's damaged header is derived from the
         * files beside it; where that fails, the file is set aside under another name.
         */
        SKIP,
        /** Throw {@link CorruptQueueException} once; the next call goes on behind the place. At open: refuse to open. */
        THROW,
        /** Throw whenever the place is come to, so that nothing behind it is consumed before somebody has looked. */
        STOP
    }

    /**
     * A policy for damage. Must be thread-safe: it is called by the thread that reads the place, under no lock of the queue, and by the
     * thread that opens the queue.
     */
    @FunctionalInterface
    public interface Handler {
        /**
         * Decides what is to be done about a place. Called each time a cursor or iterator reads it, so several times for one place. An
         * exception is thrown to the consumer, and nothing is passed. At open the decision is not followed for damage that costs nothing,
         * because what the place said is known from elsewhere.
         *
         * @param damage the place, never null
         * @return the decision, never null
         */
        Decision decide(Damage damage);
    }
}
