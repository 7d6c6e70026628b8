package dev.touchstone.queue;

import java.nio.file.Path;

/**
 * A place in a queue's files where the bytes are not what was written.
 *
 * @param file the damaged file
 * @param offset where in it, in bytes
 * @param what should stand there
 * @param expected its value if it were whole
 * @param got what was found
 */
public record Damage(Path file, long offset, String what, String expected, String got) {

    /** What to do about it. */
    public enum Decision {
        /** Go on with the next whole element, quietly. A file whose header is damaged is set aside under another name. */
        SKIP,
        /** Throw {@link CorruptQueueException} once; the next call goes on behind the place. At open: refuse to open. */
        THROW,
        /** Throw whenever the place is come to, so that nothing behind it is consumed before somebody has looked. */
        STOP
    }

    /** Decides what is to be done about damage; called by the thread that came to it, at open by the one that opens, under no lock. */
    @FunctionalInterface
    public interface Handler {
        /** Returns the decision; may be called more than once for a place. */
        Decision decide(Damage damage);
    }
}
