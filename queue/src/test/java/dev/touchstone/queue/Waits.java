package dev.touchstone.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for conditions in tests. */
final class Waits {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long STEP_NANOS = 200_000;

    private Waits() {}

    /** Returns once {@code condition} holds. */
    static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > MAX_NANOS) {
                throw new AssertionError("did not come: " + what);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    /** Returns once {@code thread} waits with a timeout, as all waiting of the queue does. */
    static void untilWaiting(Thread thread) {
        until("a thread that waits: " + thread, () -> thread.getState() == Thread.State.TIMED_WAITING);
    }
}
