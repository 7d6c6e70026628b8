package dev.touchstone.index.server.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.index.server.api.Route;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The executor of one pool of routes, with a bounded queue that clients share. Thread-safe.
 *
 * <p>Each client that waits has its turn, however many requests others have (start-time fair queueing, Goyal et al., 1996), and the last places are kept for
 * clients that have no request in the pool.
 *
 * <p>Who calls: event loops enter, execute and withdraw; the pool's threads run. Invariants: a place is taken by {@link #enter} and given back exactly
 * once, when the task has run, was withdrawn or was rejected; so at most {@code threads + queue} requests are in the pool, beside the further parts of
 * answers that have begun. Only clients with a task in the pool are remembered. Ordering: tasks of one client begin in the order of {@link #execute} and
 * {@link #executeFurther}; those of several clients alternate. Failure: a task that throws ends its thread, which is replaced, and gives its place back.
 */
final class WorkerPool {
    /** Number of places of which one is kept for clients that have no request in the pool. */
    private static final int PLACES_PER_KEPT = 8;

    private static final int INITIAL = 16; // capacity of the queue, which grows

    private final HttpOptions.Workers options;
    private final ThreadPoolExecutor threads;
    private final int kept; // places for clients without another request

    @GuardedBy("this")
    private final Map<Object, Share> shares = new HashMap<>(); // by client; only clients with a task

    @GuardedBy("this")
    private int free; // places

    @GuardedBy("this")
    private long turn; // highest one of a task that has begun

    @GuardedBy("this")
    private long number; // of the last task

    WorkerPool(Route.Pool pool, HttpOptions.Workers options) {
        this.options = options;
        free = options.threads() + options.queue();
        kept = free / PLACES_PER_KEPT;
        threads = new ThreadPoolExecutor(
                options.threads(),
                options.threads(),
                0,
                TimeUnit.NANOSECONDS,
                new PriorityBlockingQueue<>(INITIAL, comparing(Ticket.class::cast)),
                new DefaultThreadFactory("price-" + pool.label(), true));
    }

    private static Comparator<Runnable> comparing(Function<Runnable, Ticket> ticket) {
        return Comparator.<Runnable>comparingLong(task -> ticket.apply(task).turn)
                .thenComparingLong(task -> ticket.apply(task).number);
    }

    /** The tasks of a client in the pool. */
    private static final class Share {
        int tasks;
        long turn; // of the last task

        Share(long turn) {
            this.turn = turn;
        }
    }

    /** A request, or a further part of its answer, in the pool. */
    final class Ticket implements Runnable {
        private final Object client;
        private final Runnable task;
        private final int taken; // places
        private final long turn;
        private final long number;

        private Ticket(Object client, Runnable task, int taken, long turn, long number) {
            this.client = client;
            this.task = task;
            this.taken = taken;
            this.turn = turn;
            this.number = number;
        }

        @Override
        public void run() {
            begun(turn);
            try {
                task.run();
            } finally {
                leave(client, taken);
            }
        }

        /** Takes the task out of the queue; returns false if it has begun or ended, and else it never begins. */
        boolean withdraw() {
            boolean isWaiting = threads.remove(this);
            if (isWaiting) {
                leave(client, taken);
            }
            return isWaiting;
        }
    }

    /**
     * Takes a place for a request; returns false if there is none for its client. The caller must call {@link #execute} next.
     *
     * @param client what equals that of the other requests of a client
     */
    synchronized boolean enter(Object client) {
        if (free <= (shares.containsKey(client) ? kept : 0)) {
            return false;
        }
        free--;
        share(client).tasks++;
        return true;
    }

    @GuardedBy("this")
    private Share share(Object client) {
        return shares.computeIfAbsent(client, some -> new Share(turn - 1));
    }

    private synchronized void leave(Object client, int taken) {
        free += taken;
        if (--share(client).tasks == 0) {
            shares.remove(client);
        }
    }

    private synchronized void begun(long next) {
        turn = Math.max(turn, next);
    }

    private synchronized Ticket ticket(Object client, Runnable task, int taken) {
        Share share = share(client);
        share.turn = Math.max(share.turn + 1, turn);
        share.tasks += 1 - taken; // a place counts from its beginning
        return new Ticket(client, task, taken, share.turn, ++number);
    }

    /** Executes the task of a request that has entered; returns null, and gives the place back, if the pool has stopped. */
    @Nullable
    Ticket execute(Object client, Runnable task) {
        return execute(ticket(client, task, 1));
    }

    /**
     * Executes a task that continues an answer whose head was sent, and which can no longer be refused; returns null if the pool has stopped. Each
     * connection has one such task at most.
     */
    @Nullable
    Ticket executeFurther(Object client, Runnable task) {
        return execute(ticket(client, task, 0));
    }

    private @Nullable Ticket execute(Ticket ticket) {
        try {
            threads.execute(ticket);
            return ticket;
        } catch (RejectedExecutionException e) {
            leave(ticket.client, ticket.taken);
            return null;
        }
    }

    /** Returns the number of clients that have a task in the pool. */
    synchronized int clients() {
        return shares.size();
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
