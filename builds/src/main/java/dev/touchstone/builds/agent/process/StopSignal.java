package dev.touchstone.builds.agent.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells a run to stop, and why; the first cause wins. Thread-safe. */
public final class StopSignal {
    /*
     * Who calls:  the executor that has the run `startTimer`, `wakeWith`, `decide`; any thread `stop`, and looks whether the run is stopped.
     * States:     open -> stopped (a cause), or open -> decided (the run has its outcome). Neither is left.
     * Invariants: stop returns true only if the run will end with that cause; decide returns true only if no stop ever will.
     * Deadline:   is looked at whenever somebody asks; it needs no timer, since everything that waits asks again and again.
     * Ordering:   the waker runs without the lock; one that is set behind a stop runs at once, so that no stop by another thread is missed.
     */
    @GuardedBy("this")
    private @Nullable Stop stop;

    @GuardedBy("this")
    private boolean decided;

    @GuardedBy("this")
    private boolean bounded; // the next two count

    @GuardedBy("this")
    private long deadlineNanos;

    @GuardedBy("this")
    private String deadlineReason = "";

    @GuardedBy("this")
    private @Nullable Runnable waker;

    /** The causes for which a run stops. */
    public enum Cause {
        CANCELLED,
        TIMED_OUT,
        NO_SPACE,
        AGENT_CLOSED
    }

    /** A cause, and who or what says so. */
    public record Stop(Cause cause, String reason) {}

    /** Stops the run; true if it ends, or will end, for this cause. */
    public boolean stop(Cause cause, String reason) {
        Runnable wake;
        synchronized (this) {
            if (decided) {
                return false;
            }
            if (stop != null) {
                return stop.cause() == cause;
            }
            stop = new Stop(cause, reason);
            wake = waker;
        }
        if (wake != null) {
            wake.run();
        }
        return true;
    }

    /** Starts the timer: the run stops with {@link Cause#TIMED_OUT} when {@code timeout} has passed from now on. */
    public synchronized void startTimer(Duration timeout) {
        deadlineNanos = System.nanoTime() + saturatedNanos(timeout);
        deadlineReason = "timeout=" + timeout;
        bounded = true;
    }

    /** Returns the nanoseconds until the timer stops the run; {@link Long#MAX_VALUE} without a timer, 0 or less when it has passed. */
    public synchronized long remainingNanos() {
        return bounded ? deadlineNanos - System.nanoTime() : Long.MAX_VALUE;
    }

    /** Runs {@code wake} when the run is stopped by another thread, or at once if it is stopped already; null for nothing. */
    public void wakeWith(@Nullable Runnable wake) {
        boolean now;
        synchronized (this) {
            waker = wake;
            now = stop != null;
        }
        if (now && wake != null) {
            wake.run();
        }
    }

    /** Settles the outcome: true if nothing has stopped the run by now, and then nothing will. */
    public synchronized boolean decide() {
        look();
        if (stop != null) {
            return false;
        }
        decided = true;
        return true;
    }

    /** Returns what has stopped the run; empty if nothing has. */
    public synchronized Optional<Stop> stopped() {
        look();
        return Optional.ofNullable(stop);
    }

    public boolean isStopped() {
        return stopped().isPresent();
    }

    /** Throws if the run is stopped. */
    public void check() throws StoppedException {
        Optional<Stop> found = stopped();
        if (found.isPresent()) {
            throw new StoppedException(found.get());
        }
    }

    @GuardedBy("this")
    private void look() {
        if (bounded && !decided && stop == null && deadlineNanos - System.nanoTime() <= 0) {
            stop = new Stop(Cause.TIMED_OUT, deadlineReason);
        }
    }

    /** Returns a time in nanoseconds, and for longer ones one that is far enough away to be never, and near enough that sums do not wrap. */
    private static long saturatedNanos(Duration timeout) {
        long most = Long.MAX_VALUE / 4;
        return timeout.compareTo(Duration.ofNanos(most)) >= 0 ? most : timeout.toNanos();
    }
}
