package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.LogClock;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.Signal;
import dev.touchstone.queue.log.segment.LogReader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;

/** A log from the point of view of its cursors. Thread-safe. */
public interface ConsumedLog {

    LogClock clock();

    /** Returns the bounds on leases. */
    LogOptions.Leases leases();

    LogReader newReader();

    SegmentStore segments();

    /** Returns the signal that is raised when there may be more to hand out. */
    Signal arrivals();

    /** Returns whether the log was closed or has failed. */
    boolean isEnded();

    /** Throws what ended the log, if anything has. */
    void checkFailure() throws IOException;

    void checkOpen() throws LogClosedException;

    /** Asks the user what to do about damage; runs user code, so no lock may be held. */
    LogOptions.OnDamage onDamage(CorruptLogException damage);

    /** Ends the log. */
    void fail(Throwable cause);

    /** Returns the last sequence that is committed. */
    long committed();

    /** Returns the last sequence that can be handed out. */
    long visible();

    /** Returns whether a record is committed, having its batch written where it is visible already. */
    boolean isCommitted(long sequence) throws IOException;

    /** Lets {@code reader} start behind everything appended by now; returns the next sequence. */
    long startAtEnd(LogReader reader) throws IOException;

    /** Frees the room that a moved floor leaves. */
    void floorMoved();

    /**
     * Returns whether a segment that all cursors have consumed may be taken back.
     *
     * @param isOldest whether all before it are taken back too
     */
    boolean mayTakeBack(boolean isOldest);

    /** Takes back, in the background, the segments that all cursors have consumed. */
    void reclaim();
}
