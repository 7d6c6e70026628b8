package dev.touchstone.index.server.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.index.server.api.Route;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The executor of one pool of routes, with a bounded queue that clients share. Thread-safe.
 *
 * <p>Clients take turns, however many requests each of them has: of those that wait, the one whose last task began the longest ago is next. A client that
 * is not known counts as one whose task has just begun, so that clients with ever new names keep no others waiting. The last places are kept for clients
 * that have no request in the pool.
 *
 * <p>Who calls: event loops enter, execute and withdraw; the pool's threads run. Invariants: a place is taken by {@link #enter} and given back exactly
 * once, when the task has run, was withdrawn or was rejected; so at most {@code threads + queue} requests are in the pool, beside the further parts of
 * answers that have begun. A share is in {@code ready} if and only if a task of it waits, and its place there does not change meanwhile. For each task that
 * waits, the executor has or will have a call of {@link #runNext}, and perhaps more of them. Ordering: tasks of one client begin in the order of
 * their execution. Failure: a task that throws ends its thread, which is replaced, and gives its place back; so does a task for which there is no
 * memory. Where no further thread can be started, those that run do all the work.
 */
final class WorkerPool {
    /** Number of places of which one is kept for clients that have no request in the pool. */
    private static final int PLACES_PER_KEPT = 8;

    /** Number of clients beyond which those without a task are forgotten. */
    static final int MAX_REMEMBERED = 1 << 10;

    private final HttpOptions.Workers options;
    private final ThreadPoolExecutor threads;
    private final int kept; // places for clients without another request
    private final Runnable next = this::runNext; // the only task of the threads

    @GuardedBy("this")
    private final Map<Object, Share> shares = new HashMap<>(); // by client

    @GuardedBy("this")
    private final Queue<Share> ready = new PriorityQueue<>(
            Comparator.<Share>comparingLong(share -> share.begun).thenComparingLong(share -> share.number));

    @GuardedBy("this")
    private int free; // places

    @GuardedBy("this")
    private long begun; // number of tasks

    @GuardedBy("this")
    private long number; // of the last share that became ready

    WorkerPool(Route.Pool pool, HttpOptions.Workers options) {
        this(options, new DefaultThreadFactory("price-" + pool.label(), true));
    }

    /** Creates a pool with threads of a factory. */
    WorkerPool(HttpOptions.Workers options, ThreadFactory factory) {
        this.options = options;
        free = options.threads() + options.queue();
        kept = free / PLACES_PER_KEPT;
        threads = new ThreadPoolExecutor(
                options.threads(), options.threads(), 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), factory);
    }

    /** The tasks of a client in the pool. Guarded by the pool. */
    private static final class Share {
        final Deque<Ticket> waiting = new ArrayDeque<>(1);
        int tasks; // that wait, run, or will be executed
        long begun; // number of the last task that began among those of all clients
        long number; // orders shares of which no task has begun

        Share(long begun) {
            this.begun = begun;
        }
    }

    /** A request, or a further part of its answer, in the pool. For one event loop, but for what the pool guards. */
    final class Ticket {
        private final Share share;
        private final int places;
        private Runnable task = () -> {}; // does not change once the ticket waits
        private boolean isExecuted;
        private boolean isOver; // whether the task has begun, or never will; guarded by the pool

        private Ticket(Share share, int places) {
            this.share = share;
            this.places = places;
        }

        /** Executes a task, once; returns false, and gives the place back, if the pool has stopped, or has no thread and no memory for one. */
        boolean execute(Runnable what) {
            task = what;
            try {
                add(this);
                isExecuted = isCalled();
            } catch (OutOfMemoryError e) {
                return !remove(this); // else another call has begun the task
            }
            return isExecuted || !remove(this);
        }

        /** Gives the place back and returns true, unless the task has begun or was withdrawn; else the task never begins. */
        boolean withdraw() {
            return remove(this);
        }
    }

    /**
     * Takes a place for a request; returns null if there is none for its client. The caller must execute the ticket or withdraw it.
     *
     * @param client what equals that of the other requests of a client
     */
    synchronized @Nullable Ticket enter(Object client) {
        Share known = shares.get(client);
        if (free <= (known != null && known.tasks > 0 ? kept : 0)) {
            return null;
        }
        return ticket(client, 1);
    }

    /**
     * Executes a task that continues an answer whose head was sent, and which can no longer be refused; returns null if the pool has stopped, or has no
     * thread. Each connection has one such task at most.
     */
    @Nullable
    Ticket executeFurther(Object client, Runnable task) {
        Ticket ticket = ticket(client, 0);
        return ticket.execute(task) ? ticket : null;
    }

    private synchronized Ticket ticket(Object client, int places) {
        Share share = shares.get(client);
        if (share == null) {
            if (shares.size() >= MAX_REMEMBERED) {
                shares.values().removeIf(each -> each.tasks == 0);
            }
            share = new Share(begun - 1);
            shares.put(client, share);
        }
        Ticket ticket = new Ticket(share, places);
        share.tasks++;
        free -= places;
        return ticket;
    }

    private synchronized void add(Ticket ticket) {
        ticket.share.waiting.add(ticket);
        if (ticket.share.waiting.size() == 1) {
            makeReady(ticket.share);
        }
    }

    /** Has a thread call {@link #runNext}; returns false if there is none. */
    private boolean isCalled() {
        try {
            threads.execute(next);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        } catch (OutOfMemoryError e) { // for one more thread, whose calls the others take
            return threads.getPoolSize() > 0 && threads.getQueue().offer(next);
        }
    }

    @GuardedBy("this")
    private void makeReady(Share share) {
        share.number = ++number;
        ready.add(share);
    }

    /** Takes a ticket out of the pool; returns false if its task has begun or was removed. */
    private synchronized boolean remove(Ticket ticket) {
        if (ticket.isOver) {
            return false;
        }
        ticket.isOver = true;
        if (ticket.share.waiting.remove(ticket) && ticket.share.waiting.isEmpty()) {
            ready.remove(ticket.share);
        }
        if (ticket.isExecuted) {
            threads.remove(next); // or else a thread has it, and finds another ticket or none
        }
        leave(ticket);
        return true;
    }

    private synchronized void leave(Ticket ticket) {
        free += ticket.places;
        ticket.share.tasks--;
    }

    private void runNext() {
        Ticket ticket = begin();
        if (ticket == null) {
            return;
        }
        try {
            ticket.task.run();
        } finally {
            leave(ticket);
        }
    }

    /** Returns the ticket whose turn it is; null if its task was withdrawn meanwhile, and no other waits. */
    private synchronized @Nullable Ticket begin() {
        Share share = ready.poll();
        if (share == null) {
            return null;
        }
        Ticket ticket = share.waiting.remove();
        ticket.isOver = true;
        share.begun = ++begun;
        if (!share.waiting.isEmpty()) {
            makeReady(share); // in the memory of the entry that was taken
        }
        return ticket;
    }

    /** Returns the number of clients that have a task in the pool. */
    synchronized int clients() {
        return (int) shares.values().stream().filter(each -> each.tasks > 0).count();
    }

    /** Returns the number of clients that are remembered. */
    synchronized int remembered() {
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
