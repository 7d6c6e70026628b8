package dev.touchstone.queue.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Runs the tasks of one log in order and one at a time, on threads that it shares with other logs. Thread-safe. */
final class SerialExecutor implements Executor {
    /*
     * Who calls:      execute() any thread; runNext() a thread of the pool; start() and close() those that open and close the log, once.
     * Invariants:     nothing runs before start(), when the log that the tasks work on is whole. isQueued exactly while runNext() is in the
     *                 pool's queue or runs, so no two tasks run at once. After close() no task runs.
     * Ordering:       one task for each turn in the pool: the tasks of other logs run in between.
     * Failure:        what a task throws goes to onFailure, and the next task runs. Where the pool cannot start its first thread, tasks
     *                 wait for the next execute() or for close(); the log's appenders do urgent work themselves.
     */
    private final Executor pool;
    private final Consumer<Throwable> onFailure;

    @GuardedBy("this")
    private final Queue<Runnable> tasks = new ArrayDeque<>(2);

    @GuardedBy("this")
    private boolean isStarted;

    @GuardedBy("this")
    private boolean isQueued;

    @GuardedBy("this")
    private boolean isRunning;

    @GuardedBy("this")
    private boolean isClosed;

    SerialExecutor(Executor pool, Consumer<Throwable> onFailure) {
        this.pool = pool;
        this.onFailure = onFailure;
    }

    /** Lets tasks run, those first that wait for it. */
    synchronized void start() {
        isStarted = true;
        queue();
    }

    /** Runs {@code task} after all tasks before it; ignores it once closed. */
    @Override
    public synchronized void execute(Runnable task) {
        if (!isClosed) {
            tasks.add(task);
            queue();
        }
    }

    private synchronized void queue() {
        if (isStarted && !isQueued && !tasks.isEmpty()) {
            try {
                pool.execute(this::runNext);
                isQueued = true;
            } catch (OutOfMemoryError noThread) {
                // no memory or no thread: see Failure above
            }
        }
    }

    private void runNext() {
        Runnable task;
        synchronized (this) {
            task = tasks.poll();
            isRunning = task != null;
        }
        try {
            if (task != null) {
                task.run();
            }
        } catch (Throwable e) { // also a checked exception that the compiler does not see
            onFailure.accept(e);
        } finally {
            synchronized (this) {
                isRunning = false;
                isQueued = false;
                queue();
                notifyAll();
            }
        }
    }

    /** Waits for the task that runs, accepts no more, and returns those that have not begun: they are the caller's to run. None if not started. */
    List<Runnable> close() {
        boolean interrupted = false;
        List<Runnable> left;
        synchronized (this) {
            isClosed = true;
            left = isStarted ? new ArrayList<>(tasks) : List.of();
            tasks.clear();
            while (isRunning) {
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
        return left;
    }
}
