package dev.touchstone.benchmarks.queue.peer;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue of byte records on disk, used as its own authors recommend: what every measured subject has in common.
 *
 * <p>A ceiling does the least that a queue must do to its files and is no queue: it refuses the methods that its workload does not
 * call with {@link UnsupportedOperationException}.
 */
public interface QueueUnderTest extends Closeable {

    /** Result of {@link #remaining} of a subject that keeps no records. */
    long UNKNOWN = -1;

    /** Appends a copy of {@code record} and returns once it has the durability that the subject promises. Any number of threads. */
    void write(byte[] record) throws IOException;

    /** Removes and returns the head, or returns null where the queue is empty. One thread at a time, beside any number of writers. */
    byte @Nullable [] read() throws IOException;

    /** Hands {@code sink} every record from the head on, each in an array of its own, without removing any. No other call meanwhile. */
    void scan(Consumer<byte[]> sink) throws IOException;

    /** Drops every record and gives its disk space back in the way that the subject has for it. No other call meanwhile. */
    void clear() throws IOException;

    /**
     * Counts the records that {@link #read} has yet to return, from the records themselves and not from a counter; it may remove
     * them. No other call meanwhile.
     *
     * @return {@link #UNKNOWN} of a ceiling that keeps no records
     */
    default long remaining() throws IOException {
        long[] count = {0};
        scan(record -> count[0]++);
        return count[0];
    }

    /** Returns how often the subject has waited for the device since it was opened; below 0 if it does not tell. */
    long forces();
}
