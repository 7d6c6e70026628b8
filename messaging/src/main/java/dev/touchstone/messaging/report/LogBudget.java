package dev.touchstone.messaging.report;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;

/** A bound for the lines of one kind in the log, so that no peer can fill it. Thread-safe. */
final class LogBudget {
    /*
     * Who calls:      any thread that is about to log.
     * Invariants:     at most `perMinute` lines are admitted in each minute that begins with an admitted line.
     */
    /** Returned instead of a count where a line is not admitted. */
    static final long REFUSED = -1;

    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final int perMinute;

    @GuardedBy("this")
    private long windowStart;

    @GuardedBy("this")
    private int used;

    @GuardedBy("this")
    private long suppressed;

    LogBudget(int perMinute) {
        this.perMinute = perMinute;
        renew();
    }

    /** Begins anew, as if nothing had been logged yet. */
    final synchronized void renew() {
        used = perMinute;
        windowStart = System.nanoTime() - WINDOW_NANOS;
        suppressed = 0;
    }

    /** Returns how many lines were refused since the last one that was admitted, or {@link #REFUSED}. */
    synchronized long admit(long nanoTime) {
        if (nanoTime - windowStart >= WINDOW_NANOS) {
            windowStart = nanoTime;
            used = 0;
        }
        if (used >= perMinute) {
            suppressed++;
            return REFUSED;
        }
        used++;
        long before = suppressed;
        suppressed = 0;
        return before;
    }
}
