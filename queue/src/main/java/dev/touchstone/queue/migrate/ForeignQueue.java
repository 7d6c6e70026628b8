package dev.touchstone.queue.migrate;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The payloads of another queue in its order, read once from front to back. Belongs to one thread; its files are never changed. */
sealed interface ForeignQueue extends Closeable permits PopoutQueue, TapeQueue {

    /** What it is; never {@link Format#AUTO}. */
    Format format();

    /**
     * Returns the next payload, or null at the end. Takes memory for one payload, and never more than the options allow.
     *
     * @throws CorruptSourceException if damage is found and is not to be skipped
     */
    byte @Nullable [] next() throws IOException;

    /** How many records or batches were found in two files and are read from one. */
    long duplicates();
}
