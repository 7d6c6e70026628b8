package dev.touchstone.harness.paced;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.InfraControl;

/**
 * What the loop of a benchmark calls where JMH's generated code would only look whether the time is up: {@link LoopTransformer} puts these calls
 * there. Thread-safe.
 */
public final class Pacing {
    /*
     * Static, since generated code has nothing of ours to call through; a fork runs one benchmark, so there is one pace.
     * Ordering: an iteration is published before JMH starts its threads, and read again after they have ended.
     */
    private static final ThreadLocal<@Nullable Caller> CALLER = new ThreadLocal<>();
    private static volatile int ratePerSecond;
    private static volatile @Nullable PacedIteration iteration;

    private Pacing() {}

    static void rate(int perSecond) {
        ratePerSecond = perSecond;
    }

    /** The threads that start from here on belong to this new iteration. */
    static PacedIteration next(int threads) {
        PacedIteration next = new PacedIteration(ratePerSecond, threads);
        iteration = next;
        return next;
    }

    /** Stands in the place of the loop's first look at the clock: waits for the thread's first call. @return the time */
    public static long begin() {
        PacedIteration current = iteration;
        if (current == null) {
            throw new IllegalStateException("a benchmark's loop started outside of an iteration");
        }
        Caller caller = current.join();
        CALLER.set(caller);
        while (!caller.due()) {
            caller.pause();
        }
        return System.nanoTime();
    }

    /** Stands in the place of the loop's look at {@code control.isDone}: a call has ended, and the next is waited for. */
    public static boolean isDone(InfraControl control) {
        Caller caller = CALLER.get();
        if (caller == null) {
            throw new IllegalStateException("a benchmark's loop went on that had not begun");
        }
        caller.ended();
        while (!control.isDone) {
            if (caller.due()) {
                return false;
            }
            caller.pause();
        }
        caller.stop();
        return true;
    }
}
