package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.LogClock;
import java.util.concurrent.TimeUnit;

/**
 * The time of a replicated queue: that of the entry that was applied last, in nanoseconds of the epoch. It never goes back. Thread-safe;
 * one thread sets it.
 *
 * <p>A leader begins with its own clock, or with the time of the last entry if that is later, and goes on by its monotonic clock: so a clock
 * that is set while it leads has no effect.
 */
final class ReplicaClock implements LogClock {
    private volatile long now;
    private volatile long setAt = System.nanoTime();
    private volatile long ahead; // what a leader's monotonic clock has to be added

    /** Sets the time to that of an entry, unless it is later already. */
    void set(long stamp) {
        now = Math.max(now, stamp);
        setAt = System.nanoTime();
    }

    /** Begins to give the time as a leader. */
    void lead() {
        long wall = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        ahead = Math.max(now, wall) - System.nanoTime();
    }

    /** Returns the time that a leader writes into an entry. */
    long stamp() {
        if (ahead == 0) {
            lead();
        }
        return Math.max(now, ahead + System.nanoTime());
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public long millis() {
        return TimeUnit.NANOSECONDS.toMillis(now);
    }

    @Override
    public long lagNanos() {
        return System.nanoTime() - setAt;
    }
}
