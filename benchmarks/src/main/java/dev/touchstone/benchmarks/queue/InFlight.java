package dev.touchstone.benchmarks.queue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The records of a writer that are under way, up to a limit. A writer that has reached the limit sleeps until half of them have ended,
 * so that it is woken once for many.
 */
final class InFlight {
    /*
     * Who calls:      one thread begins and awaits, or another one once that has stopped; any thread ends.
     * Invariants:     ended grows by one, so whoever brings it to what is awaited sees so, unless the sleeper saw it first.
     * Ordering:       awaited is set before ended is read; ended is raised before awaited is read.
     * Failure:        the first is kept, and thrown to the writer when it next waits.
     */

    /** A lost wake-up would cost this much and not hang. */
    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long NOTHING = -1;

    private final int most;
    private final AtomicLong ended = new AtomicLong();
    private volatile long awaited = NOTHING;
    private volatile @Nullable Thread sleeper;
    private volatile @Nullable Throwable failure;
    private long begun;

    InFlight(int most) {
        this.most = most;
    }

    /** Begins a record; blocks at the limit. */
    void begin() throws IOException {
        if (begun - ended.get() >= most) {
            await(begun - most / 2);
        }
        begun++;
    }

    /** Ends a record that was begun; called once for each. */
    void end(@Nullable Throwable problem) {
        if (problem != null && failure == null) {
            failure = problem;
        }
        if (ended.incrementAndGet() == awaited) {
            LockSupport.unpark(sleeper);
        }
    }

    /** Returns when every record has ended. */
    void awaitAll() throws IOException {
        await(begun);
    }

    private void await(long count) throws IOException {
        sleeper = Thread.currentThread();
        awaited = count;
        while (ended.get() < count) {
            LockSupport.parkNanos(this, LONGEST_SLEEP_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("interrupted while records were under way");
            }
        }
        awaited = NOTHING;
        Throwable problem = failure;
        if (problem != null) {
            throw new IOException("a record could not be stored", problem);
        }
    }
}
