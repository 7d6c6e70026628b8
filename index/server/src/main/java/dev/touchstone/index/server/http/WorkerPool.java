package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.Route;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The executor of one pool of routes, with a bounded queue. Thread-safe.
 *
 * <p>Who calls: event loops enter, execute and withdraw; the pool's threads run. Invariants: a place is taken by {@link #enter} and given back exactly
 * once, when the task has run, was withdrawn or was rejected; so at most {@code threads + queue} requests are in the pool, beside the further parts of
 * answers that have begun. Ordering: tasks begin in the order of {@link #execute} and {@link #executeFurther}. Failure: a task that throws ends its thread, which is replaced, and gives its place back.
 */
final class WorkerPool {
    private final HttpOptions.Workers options;
    private final Semaphore places;
    private final ThreadPoolExecutor threads;

    WorkerPool(Route.Pool pool, HttpOptions.Workers options) {
        this.options = options;
        places = new Semaphore(options.threads() + options.queue());
        threads = new ThreadPoolExecutor(
                options.threads(),
                options.threads(),
                0,
                TimeUnit.NANOSECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory("price-" + pool.label(), true));
    }

    /** A request, or a further part of its answer, in the pool. */
    final class Ticket implements Runnable {
        private final Runnable task;
        private final int taken; // places

        private Ticket(Runnable task, int taken) {
            this.task = task;
            this.taken = taken;
        }

        @Override
        public void run() {
            try {
                task.run();
            } finally {
                places.release(taken);
            }
        }

        /** Takes the task out of the queue; returns false if it has begun or ended, and else it never begins. */
        boolean withdraw() {
            boolean isWaiting = threads.remove(this);
            if (isWaiting) {
                places.release(taken);
            }
            return isWaiting;
        }
    }

    /** Takes a place for a request; returns false if there is none. The caller must call {@link #execute} next. */
    boolean enter() {
        return places.tryAcquire();
    }

    /** Executes the task of a request that has entered; returns null, and gives the place back, if the pool has stopped. */
    @Nullable
    Ticket execute(Runnable task) {
        return execute(new Ticket(task, 1));
    }

    /**
     * Executes a task that continues an answer whose head was sent, and which can no longer be refused; returns null if the pool has stopped. Each
     * connection has one such task at most.
     */
    @Nullable
    Ticket executeFurther(Runnable task) {
        return execute(new Ticket(task, 0));
    }

    private @Nullable Ticket execute(Ticket ticket) {
        try {
            threads.execute(ticket);
            return ticket;
        } catch (RejectedExecutionException e) {
            places.release(ticket.taken);
            return null;
        }
    }

    /** Returns about the number of tasks that wait. */
    int waiting() {
        return threads.getQueue().size();
    }

    /** Returns about the number of tasks that run. */
    int running() {
        return threads.getActiveCount();
    }

    /** Returns the maximum number of requests that wait. */
    int queue() {
        return options.queue();
    }

    /** Returns the maximum time in nanoseconds from the last byte of a request to its answer or the first part, and for each further part. */
    long deadlineNanos() {
        return options.deadline().toNanos();
    }

    /** Stops the threads. Tasks that have not begun never begin. */
    void stop() {
        threads.shutdownNow();
    }
}
