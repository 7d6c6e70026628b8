package dev.touchstone.queue.log.commit;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waiting for what another thread is about to do. */
final class Pause {
    private static final int SPINS_BEFORE_YIELD = 50;
    private static final int YIELDS_BEFORE_PARK = 500;
    private static final int PARKS_PER_DOUBLING = 8;
    private static final int MAX_DOUBLINGS = 6;
    private static final long MIN_PARK_NANOS = 16_000; // 1 ms when doubled six times

    /** {@code Thread.isVirtual}, which JDK 21 brought; null before. */
    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

    private Pause() {}

    /**
     * Waits a little, longer the more often it was called before. Blocks in the end, interrupted or not. A virtual thread never yields: it
     * may run again ahead of those that another thread has made ready, and so keep the one for which it waits from running.
     */
    static void after(int spins) {
        if (spins < SPINS_BEFORE_YIELD) {
            Thread.onSpinWait();
        } else if (spins < YIELDS_BEFORE_PARK && !isCurrentVirtual()) {
            Thread.yield();
        } else {
            int doublings = Math.max(0, Math.min(MAX_DOUBLINGS, (spins - YIELDS_BEFORE_PARK) / PARKS_PER_DOUBLING));
            long nanos = MIN_PARK_NANOS << doublings;
            boolean interrupted = Thread.interrupted(); // or parkNanos would return at once
            long start = System.nanoTime();
            for (long left = nanos; left > 0; ) { // an interrupt, also this thread's own below, lets it return once
                LockSupport.parkNanos(left);
                left = nanos - (System.nanoTime() - start);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException older) {
            return null;
        }
    }

    private static boolean isCurrentVirtual() {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("isVirtual throws nothing", e);
        }
    }
}
