package dev.touchstone.queue.migrate;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The records of another library's queue, read once in their order. Belongs to one thread; its files are never changed. */
sealed interface ForeignQueue extends Closeable permits PopoutQueue, TapeQueue {

    /** Returns the layout of the files; never {@link Format#AUTO}. */
    Format format();

    /** Returns the layout of the payload in each record; never {@link PayloadLayout#AUTO}. */
    PayloadLayout payloadLayout();

    /**
     * Returns the next record, or null at the end.
     *
     * @throws CorruptSourceException if damage is found and is not to be skipped
     */
    @Nullable
    SourceRecord next() throws IOException;

    /** Returns the number of records or batches that stand in two files and are read from one. */
    long duplicates();
}
