package dev.touchstone.harness.paced;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.InfraControl;

/**
 * The pace of the calls in a fork: the methods that {@link PacedLoops} has JMH's generated loops call in the place of their looks at the clock and
 * at the flags that end them. Thread-safe.
 */
public final class Pacing {
    /*
     * Static, since generated code has nothing of ours to call through; a fork runs one benchmark, so there is one pace.
     * Ordering: an iteration is published before JMH starts its threads, and read again after they have ended.
     */
    private static final ThreadLocal<@Nullable Caller> CALLER = new ThreadLocal<>();
    private static volatile @Nullable PacedIteration iteration;

    private Pacing() {}

    /** Begins an iteration, to which all threads belong that start from here on. */
    static PacedIteration next(int ratePerSecond, int threads) {
        PacedIteration next = new PacedIteration(ratePerSecond, threads);
        iteration = next;
        return next;
    }

    /**
     * Waits for the thread's first call.
     *
     * @param benchmark name of the method that the thread calls
     * @return the time, as {@link System#nanoTime}
     */
    public static long begin(String benchmark) {
        PacedIteration current = iteration;
        if (current == null) {
            throw new IllegalStateException("a benchmark's loop started outside of an iteration");
        }
        Caller caller = current.join(benchmark);
        CALLER.set(caller);
        while (!caller.due()) {
            caller.pause();
        }
        return System.nanoTime();
    }

    /** Records the end of a call, then waits for the next; returns whether the iteration ended meanwhile. */
    public static boolean isDone(InfraControl control) {
        Caller caller = caller();
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

    /** Waits for the next call of a single shot's batch; returns whether JMH gave the iteration up meanwhile. */
    public static boolean volatileSpoiler(InfraControl control) {
        Caller caller = caller();
        while (!control.volatileSpoiler) {
            if (caller.due()) {
                return false;
            }
            caller.pause();
        }
        return true;
    }

    /** Records the end of a call of a single shot's batch. */
    public static void ended() {
        caller().ended();
    }

    private static Caller caller() {
        Caller caller = CALLER.get();
        if (caller == null) {
            throw new IllegalStateException("a benchmark's loop went on that had not begun");
        }
        return caller;
    }
}
