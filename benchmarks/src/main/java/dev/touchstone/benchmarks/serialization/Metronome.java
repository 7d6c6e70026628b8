package dev.touchstone.benchmarks.serialization;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Says when a thread's calls are due: at even intervals from the first, however long the calls take. A call that is late is due at once, and
 * those behind it do not move. Belongs to one thread.
 */
final class Metronome {

    /** How long before a call is due the thread stays awake, since one that sleeps is woken late. */
    private static final long AWAKE_NANOS = 100_000;

    private final LongSupplier nanoClock;
    private final LongConsumer sleep;
    private final long intervalNanos;
    private long next;

    /** With the time of {@link System#nanoTime}. */
    Metronome(long firstNanos, long intervalNanos) {
        this(firstNanos, intervalNanos, System::nanoTime, LockSupport::parkNanos);
    }

    /** @param sleep waits for about so many nanoseconds */
    Metronome(long firstNanos, long intervalNanos, LongSupplier nanoClock, LongConsumer sleep) {
        this.nanoClock = nanoClock;
        this.sleep = sleep;
        this.intervalNanos = intervalNanos;
        next = firstNanos;
    }

    /** Waits for the next call. @return when it was due, which may be long ago */
    long await() {
        long due = next;
        next = due + intervalNanos;
        for (long left = due - nanoClock.getAsLong(); left > 0; left = due - nanoClock.getAsLong()) {
            if (left > AWAKE_NANOS) {
                sleep.accept(left - AWAKE_NANOS);
            } else {
                Thread.onSpinWait();
            }
        }
        return due;
    }
}
