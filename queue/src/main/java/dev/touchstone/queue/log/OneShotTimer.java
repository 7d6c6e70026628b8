package dev.touchstone.queue.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs an action once, a while after it was asked for; nothing is scheduled while nobody asks. Thread-safe. */
public final class OneShotTimer {
    /*
     * Who calls:      arm() any thread, after it has changed the state that the action looks at; fire() a timer thread; close() the thread
     *                 that closes the log.
     * Invariants:     one firing at a time, so a log whose action hangs occupies one timer thread. The state leaves ARMED only when
     *                 the firing begins, and REARMED only when the firing ends, which schedules the next one.
     * Ordering:       no arming is lost. An arm() that reads ARMED reads it before the firing writes FIRING, and the action looks only
     *                 afterwards: it sees the change. An arm() that reads REARMED knows that another firing will be scheduled when the
     *                 present one ends. In all other states arm() decides under the lock: IDLE schedules, FIRING becomes REARMED.
     *                 So after each arm() an action begins that sees the change, within the delay, or within the running action and
     *                 the delay.
     * Cost:           an arm() that has nothing to do is one volatile read.
     * Failure:        what the action throws, or an arming that cannot be scheduled, goes to onFailure.
     */
    private enum State {
        IDLE,
        ARMED,
        FIRING,
        REARMED
    }

    private final Scheduler scheduler;
    private final Runnable action;
    private final Consumer<Throwable> onFailure;
    private volatile State state = State.IDLE; // written under this

    @GuardedBy("this")
    private @Nullable Future<?> scheduled;

    @GuardedBy("this")
    private long rearmNanos;

    @GuardedBy("this")
    private boolean isClosed;

    /** Something that runs a task later. */
    interface Scheduler {
        /** Runs {@code task} once after {@code nanos} nanoseconds, unless the returned future is cancelled before. */
        Future<?> schedule(Runnable task, long nanos);
    }

    OneShotTimer(Scheduler scheduler, Runnable action, Consumer<Throwable> onFailure) {
        this.scheduler = scheduler;
        this.action = action;
        this.onFailure = onFailure;
    }

    /** Has the action run within {@code nanos} nanoseconds, unless an earlier call that has not fired yet has seen to that; never throws. */
    public void arm(long nanos) {
        State now = state;
        if (now == State.IDLE || now == State.FIRING) {
            schedule(nanos);
        }
    }

    private void schedule(long nanos) {
        try {
            synchronized (this) {
                if (isClosed) {
                    return;
                }
                if (state == State.IDLE) {
                    scheduled = scheduler.schedule(this::fire, nanos);
                    state = State.ARMED;
                } else if (state == State.FIRING) {
                    rearmNanos = nanos;
                    state = State.REARMED;
                }
            }
        } catch (RuntimeException | Error e) {
            onFailure.accept(e);
        }
    }

    private void fire() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            state = State.FIRING;
        }
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            onFailure.accept(e);
        } finally {
            ended();
        }
    }

    private void ended() {
        boolean isRearmed;
        long nanos;
        synchronized (this) {
            isRearmed = state == State.REARMED;
            nanos = rearmNanos;
            state = State.IDLE;
            notifyAll();
        }
        if (isRearmed) {
            schedule(nanos);
        }
    }

    /** Waits for an action that runs; none runs afterwards. */
    void close() {
        boolean interrupted = false;
        synchronized (this) {
            isClosed = true;
            if (scheduled != null) {
                scheduled.cancel(false);
                scheduled = null;
            }
            while (state == State.FIRING || state == State.REARMED) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
