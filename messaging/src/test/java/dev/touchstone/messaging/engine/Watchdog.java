package dev.touchstone.messaging.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for threads of a test; where they hang it says what they were at, and dumps all stacks. */
public final class Watchdog {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Watchdog() {}

    /**
     * Returns when all work is done.
     *
     * @param state what to say of the test where something hangs, its seed first of all
     */
    public static void await(Collection<? extends Future<?>> work, Duration most, Supplier<String> state)
            throws InterruptedException {
        long deadline = System.nanoTime() + most.toNanos();
        boolean hangs = false;
        for (Future<?> each : work) {
            hangs |= !ended(each, deadline);
        }
        Throwable failed = work.stream()
                .map(Watchdog::failure)
                .filter(x -> x != null)
                .findFirst()
                .orElse(null);
        if (hangs) {
            throw new AssertionError("hangs: " + state.get() + "\n" + stacks(), failed);
        }
        if (failed != null) {
            throw new AssertionError("failed: " + state.get(), failed);
        }
    }

    /**
     * Returns once a condition holds.
     *
     * @param what the condition, for the message where it does not come to hold
     * @param condition looked at every millisecond
     */
    public static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > MAX_NANOS) {
                throw new AssertionError("did not come: " + what + "\n" + stacks());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static boolean ended(Future<?> work, long deadline) throws InterruptedException {
        try {
            work.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static @Nullable Throwable failure(Future<?> work) {
        try {
            if (work.isDone()) {
                work.get();
            }
            return null;
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return e;
        }
    }

    private static String stacks() {
        StringBuilder all = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            all.append(each.getKey())
                    .append(' ')
                    .append(each.getKey().getState())
                    .append('\n');
            for (StackTraceElement frame : each.getValue()) {
                all.append("    at ").append(frame).append('\n');
            }
        }
        return all.toString();
    }
}
