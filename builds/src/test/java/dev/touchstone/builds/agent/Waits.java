package dev.touchstone.builds.agent;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waiting for conditions in tests. */
public final class Waits {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long STEP_NANOS = 2_000_000;

    private Waits() {}

    /** Something that may hold. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    /** Returns once {@code condition} holds. */
    public static void until(String what, Condition condition) {
        long start = System.nanoTime();
        while (!holds(condition)) {
            if (System.nanoTime() - start > MAX_NANOS) {
                throw new AssertionError("did not come: " + what);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
