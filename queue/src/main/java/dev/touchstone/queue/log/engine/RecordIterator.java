package dev.touchstone.queue.log.engine;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An iterator over records of a log. Not thread-safe. */
public interface RecordIterator extends Closeable {

    /** Returns the next payload, or null at the end. */
    byte @Nullable [] next() throws IOException;

    /** Returns the sequence of the record that was read last. */
    long sequence();

    /** Releases the file that is open; a later step opens it again. */
    @Override
    void close() throws IOException;
}
