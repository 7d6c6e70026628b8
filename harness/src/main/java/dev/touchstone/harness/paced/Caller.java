package dev.touchstone.harness.paced;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * The calls of one thread in one iteration: due at even intervals from the first, however long they take. A call's time counts from when it was
 * due, so that one that waits behind a slow call has that wait in its time, as a user would. Belongs to one thread, until {@link #stop}.
 */
final class Caller {
    /** Longer calls count as this long. */
    static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);
    /** Significant decimal digits of what is kept. */
    static final int DIGITS = 3;

    /** The time before a call is due in which the thread no longer sleeps, since a sleeping thread is woken late. */
    private static final long AWAKE_NANOS = 100_000;
    /** The longest sleep: the end of the iteration is seen between two. */
    private static final long NAP_NANOS = 10_000_000;
    /** Calls that were never made are entered in at most so many groups. */
    private static final long OMITTED_GROUPS = 1_000;

    private final LongSupplier clock;
    private final LongConsumer sleep;
    private final double intervalNanos;
    private final long firstNanos;
    private final Histogram nanos = new Histogram(LONGEST_NANOS, DIGITS);
    private long made;
    private long omitted;
    private long dueNanos;

    /**
     * Creates a caller whose first call is due at {@code firstNanos} of the clock.
     *
     * @param sleep waits for about the given number of nanoseconds
     */
    Caller(long firstNanos, double intervalNanos, LongSupplier clock, LongConsumer sleep) {
        this.clock = clock;
        this.sleep = sleep;
        this.intervalNanos = intervalNanos;
        this.firstNanos = firstNanos;
        this.dueNanos = firstNanos;
    }

    /** Returns whether the next call is due. */
    boolean due() {
        return clock.getAsLong() - dueNanos >= 0;
    }

    /** Waits for a part of the time until the next call. */
    void pause() {
        long left = dueNanos - clock.getAsLong();
        if (left > AWAKE_NANOS) {
            sleep.accept(Math.min(left - AWAKE_NANOS, NAP_NANOS));
        } else {
            Thread.onSpinWait();
        }
    }

    /** The call that was due has ended. */
    void ended() {
        record(clock.getAsLong() - dueNanos, 1);
        made++;
        dueNanos = due(made);
    }

    /**
     * The iteration is over. Calls that were due and not made are entered with the time they had waited: they would have taken longer, and to
     * leave them out would be to leave out the slowest.
     */
    void stop() {
        long now = clock.getAsLong();
        long waited = now - dueNanos;
        if (waited < 0) {
            return;
        }
        omitted = 1 + (long) (waited / intervalNanos);
        long step = Math.max(1, omitted / OMITTED_GROUPS);
        for (long call = 0; call < omitted; call += step) {
            record(now - due(made + call), Math.min(step, omitted - call));
        }
    }

    /** Returns what was recorded so far. */
    ResponseTimes times() {
        return new ResponseTimes(made, omitted, nanos);
    }

    /** Returns when a call is due, counted from the first call: adding rounded intervals would accumulate their error. */
    private long due(long call) {
        return firstNanos + (long) (call * intervalNanos);
    }

    private void record(long took, long count) {
        nanos.recordValueWithCount(Math.max(0, Math.min(took, LONGEST_NANOS)), count);
    }
}
