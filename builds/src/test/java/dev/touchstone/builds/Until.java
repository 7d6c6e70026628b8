package dev.touchstone.builds;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread or process brings about. */
public final class Until {
    private Until() {}

    /** Returns once it is true, and fails after three minutes, for a busy machine may need two. */
    public static void isTrue(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
        while (!condition.call()) {
            if (deadline - System.nanoTime() < 0) {
                throw new AssertionError("has not come about: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
