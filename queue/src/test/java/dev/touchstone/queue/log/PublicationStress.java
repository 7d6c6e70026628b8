package dev.touchstone.queue.log;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.touchstone.queue.log.consume.AckedRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Stress of what consumers share without a lock. Run by {@code PublicationStressTest} and {@code scripts/queue-stress}. */
public final class PublicationStress {

    private PublicationStress() {}

    /** A signal that is raised after the change wakes who waits for the change, or finds that nobody has to be woken. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "woken, or never slept")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "slept until the deadline")
    @State
    public static class SignalWakeUp {
        private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(20);

        private final Signal signal = new Signal();
        private volatile boolean changed;

        @Actor
        public void changer() {
            changed = true;
            signal.raise();
        }

        @Actor
        public void waiter(I_Result result) {
            long start = System.nanoTime();
            try {
                signal.await(() -> changed, start + MAX_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            result.r1 = System.nanoTime() - start < MAX_NANOS ? 1 : 0;
        }
    }

    /** Who is certain without the lock that a sequence is not consumed is right, if it was not consumed before it asked. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "0, 2", "1, 1", "1, 2"},
            expect = ACCEPTABLE,
            desc = "right, or not certain")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "consumed before, and certain that it is not")
    @State
    public static class CertainlyConsumed {
        private static final int UNCERTAIN = 2;

        private final AckedRanges consumed = new AckedRanges();
        private volatile boolean third;

        /** Begins with nothing consumed. */
        public CertainlyConsumed() {
            consumed.moveFloor(1, 0);
        }

        @Actor
        public void consumer() {
            consumed.add(3, 3 + 1);
            third = true;
            consumed.add(1, 1 + 1);
            consumed.moveFloor(2, 40);
            consumed.add(2, 2 + 1);
            consumed.moveFloor(4, 120);
        }

        @Actor
        public void reader(II_Result result) {
            result.r1 = third ? 1 : 0;
            if (!consumed.isCertain(3)) {
                result.r2 = UNCERTAIN;
            } else {
                result.r2 = consumed.floor() > 3 ? 1 : 0;
            }
        }
    }

    /** An arming that finds the timer about to fire is seen by that firing, or schedules another. */
    @JCStressTest
    @Outcome(
            id = {"1, 1", "1, 2", "0, 2"},
            expect = ACCEPTABLE,
            desc = "seen, or scheduled again")
    @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "lost")
    @State
    public static class TimerArming {
        private final List<Runnable> scheduled = new ArrayList<>(); // guarded by the timer's lock
        private final OneShotTimer timer;
        private final Runnable due;
        private volatile boolean changed;
        private int seen;

        /** Begins with a timer that is due. */
        public TimerArming() {
            timer = new OneShotTimer(
                    (task, nanos) -> {
                        scheduled.add(task);
                        return CompletableFuture.completedFuture(null);
                    },
                    () -> seen = changed ? 1 : 0,
                    failure -> {
                        throw new IllegalStateException(failure);
                    });
            timer.arm(1);
            due = scheduled.get(0);
        }

        @Actor
        public void appender() {
            changed = true;
            timer.arm(1);
        }

        @Actor
        public void timerThread() {
            due.run();
        }

        @Arbiter
        public void count(II_Result result) {
            result.r1 = seen;
            result.r2 = scheduled.size();
        }
    }
}
