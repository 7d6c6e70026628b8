package dev.touchstone.queue.log.consume;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A position of consumption in a log of records. Thread-safe. */
public interface RecordCursor {

    /** Returns the cursor's name, empty for the log's own. */
    String name();

    /** Returns the number of records appended and not consumed. */
    long size();

    /** Returns the number of records consumed since the log was opened. */
    long removed();

    /** Returns the number of records lost to damage since the log was opened. */
    long skipped();

    /** Returns the number of records that are on lease. */
    int leased();

    /** Removes and returns the payload of the next record; null for none. */
    byte @Nullable [] poll() throws IOException;

    /** Returns the payload of the next record, which stays; null for none. */
    byte @Nullable [] peek() throws IOException;

    /** Hands out the next record and counts that on disk; null where there is none, or as many are out as may be. */
    @Nullable
    RecordLease lease() throws IOException;

    /** Takes the next record for as long as it is decoded, without counting it: it counts as removed until it is given back. */
    @Nullable
    RecordLease reserve() throws IOException;

    /** Consumes a record wherever it stands; returns false where it is consumed already. */
    boolean remove(long sequence) throws IOException;

    /** Consumes all that was appended before the call, also what is in flight. */
    void clear() throws IOException;

    /**
     * Waits until there may be something to hand out; returns false where {@code deadlineNanos} is past.
     *
     * @param toLease whether it is to be leased, so that a lease must be free too
     */
    boolean awaitRecord(long deadlineNanos, boolean toLease) throws IOException, InterruptedException;
}
