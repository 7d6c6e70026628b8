package dev.touchstone.builds.master.rpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps what a service's thread has to do, in the order in which it was said. Any thread may add to it; one takes from it. */
public final class Inbox implements Executor {
    /*
     * Who calls:  any thread `execute` and `close`; one thread `turn`, which runs the tasks; tasks `afterTurn`.
     * Invariants: `execute` never waits: whoever adds tasks for a guest bounds them (`GuestStream`).
     * Ordering:   tasks are done in the order in which they came; those for after the turn behind what the thread does itself between two turns.
     * Failure:    what a task throws ends the thread, and with it the master.
     */
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final List<Runnable> afterTurn = new ArrayList<>(); // the thread's
    private final int most;
    private volatile boolean isClosed;

    /** Creates an inbox of which at most so many tasks are done in one turn. */
    public Inbox(int most) {
        this.most = most;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Has a task done before the next turn, when what this turn has brought is dealt with. For tasks of a turn only. */
    void afterTurn(Runnable task) {
        afterTurn.add(task);
    }

    /** Waits for a task, for some time, and does what is there, up to a bound; false once the inbox is closed. */
    public boolean turn(Duration patience) throws InterruptedException {
        afterTurn.forEach(Runnable::run);
        afterTurn.clear();
        @Nullable Runnable task = tasks.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        for (int done = 0; task != null; done++) {
            task.run();
            task = done < most ? tasks.poll() : null;
        }
        return !isClosed;
    }

    /** Makes the present turn, or the next one, the last. */
    public void close() {
        isClosed = true;
        execute(() -> {}); // wakes the thread
    }
}
