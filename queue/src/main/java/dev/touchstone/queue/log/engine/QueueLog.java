package dev.touchstone.queue.log.engine;

import dev.touchstone.queue.log.LogCounts;
import dev.touchstone.queue.log.commit.AppendCompletion;
import dev.touchstone.queue.log.consume.RecordCursor;
import dev.touchstone.queue.log.recover.RecoveryOutcome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A FIFO of byte records under a queue: many appenders, and cursors that consume. Thread-safe. */
public interface QueueLog extends Closeable {

    /** A receiver of records that are not copied for it; the payload is valid during the call only. */
    interface Visitor {
        /** Takes a record; returns whether to go on. */
        boolean visit(long sequence, ByteBuffer payload);
    }

    /**
     * Appends a record; on return it is where the log promises it to be.
     *
     * @param waitNanos how long to wait for room where a limit is reached; not where the oldest make room
     * @return the record's sequence, 0 where there is no room
     */
    long append(long waitNanos, byte[] payload) throws IOException, InterruptedException;

    /** Appends a record as {@link #append(long, byte[])} does that no cursor hands out before {@code delay} is over. */
    long append(long waitNanos, byte[] payload, Duration delay) throws IOException, InterruptedException;

    /**
     * Appends records as {@link #append(long, byte[])} does, with one commit for all where they fit into a batch; returns false where none of
     * them is in the log.
     */
    boolean appendAll(long waitNanos, List<byte[]> payloads) throws IOException, InterruptedException;

    /** Appends a record and returns as soon as it has its place; {@code completion} is told when it is committed. */
    boolean appendAsync(long waitNanos, byte[] payload, AppendCompletion completion)
            throws IOException, InterruptedException;

    /** Returns the cursor that every log has. */
    RecordCursor own();

    /** Returns the cursor of this name, made where absent: it begins with what the log's own has not consumed, or with all there is. */
    RecordCursor cursor(String name) throws IOException;

    /** Returns the named cursor, or null if there is none of this name; makes none, and answers also when the log is closed. */
    @Nullable
    RecordCursor findCursor(String name);

    /** Ends a cursor and forgets it; what it alone has not consumed is no longer kept. Returns false where there is none. */
    boolean dropCursor(String name) throws IOException;

    /** Returns the names of the cursors but the log's own. */
    Set<String> cursorNames();

    /**
     * Iterates over the records that are in the log now and that its own cursor has not consumed; where only named cursors consume, over those
     * from the first on that the slowest has not consumed.
     */
    RecordIterator iterator() throws IOException;

    /** Iterates over the records from a sequence on that are in the log now, consumed or not. */
    RecordIterator iterator(long sequence) throws IOException;

    /**
     * Returns the payload of a record; null where it is not there (any more).
     *
     * @param unconsumed whether a record that the log's own cursor has consumed counts as not there
     */
    byte @Nullable [] read(long sequence, boolean unconsumed) throws IOException;

    /** Gives records to {@code visitor} as {@link #iterator(long)} does, without copying; returns how many. */
    long visit(long sequence, Visitor visitor) throws IOException;

    /** Returns the number of records appended and not consumed: by the log's own cursor, or by the slowest where only named ones consume. */
    long size();

    /** Returns the number of records for which there is room. */
    long remainingRecords();

    /** Returns once all that was appended and removed before the call is on the device. */
    void flush() throws IOException;

    /** Returns what the recovery found when the log was opened. */
    RecoveryOutcome outcome();

    /** Returns counters of the log. */
    LogCounts counts();
}
