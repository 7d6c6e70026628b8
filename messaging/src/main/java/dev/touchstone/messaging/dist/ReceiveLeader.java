package dev.touchstone.messaging.dist;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Leader and followers: of the threads that wait for messages one, the leader, reads the sockets of a node itself, so that the message it
 * waits for needs no hand-over to another thread. Thread-safe.
 */
public final class ReceiveLeader implements Closeable {
    /*
     * Roles:          the leader polls and selects; followers are parked, each in `followers`; the background thread leads where
     *                 nobody else has for some milliseconds, and gives way to the first who waits.
     * Invariants:     one leader. Who gives up leading, or was asked to lead and has no need to, asks the next follower, or wakes
     *                 the background thread where that sleeps for long; where it naps it looks by itself. Nobody is asked where
     *                 the last leaders were soon followed by one who came by himself: asking costs more than a turn takes.
     * Writing:        where a leader polls, it also writes what others have added; where nobody else does, the background thread
     *                 writes what a receiver has left.
     * Lost wake-ups:  an item is put before its Wait is looked at (the queue's swap is a full fence); a Wait names its thread before
     *                 it looks at its queue again; the leader sets `selecting` before it looks at its queue, and at `leftovers`,
     *                 for the last time.
     * Failure:        what goes wrong with one connection ends that connection; the leader goes on.
     */
    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int OFTEN = 4;
    private static final int YIELDS = 2;
    private static final int MAX_POLLED = 4;

    private final Selector selector;
    private final SpinPolicy spin;
    private final int mostYields;
    private final AtomicReference<@Nullable Thread> leader = new AtomicReference<>();
    private final Queue<Thread> followers = new ConcurrentLinkedQueue<>();
    private final CopyOnWriteArrayList<Connection> connections = new CopyOnWriteArrayList<>();
    private final Thread background;
    private final Runnable everyBeat;
    private final long beatNanos;
    private volatile Connection[] polled = {};
    private volatile boolean selecting;
    private volatile boolean wanted; // by a follower, of the background thread
    private volatile boolean asleep; // the background thread, until somebody wakes it
    private volatile boolean leftovers; // some connection has frames that were left for later
    private volatile boolean closed;
    private long leftAt; // when leading was given up; the leader's, as is the next
    private int soon; // how many turns one after the other began soon after the one before; OFTEN at most
    private final AtomicLong turns = new AtomicLong(); // counts leaders; set by the leader only

    /** What a thread waits for. */
    public abstract static class Wait {
        private volatile @Nullable Thread thread;

        /** Whether the wait is over. Called by the waiting thread only. */
        protected abstract boolean isOver();
    }

    /**
     * @param spinNanos most that the leader polls before it blocks; 0 never to, and not to yield either: who yields to those who compute waits long
     * @param everyBeat called about once in {@code beatNanos} by one thread at a time
     */
    public ReceiveLeader(String name, long spinNanos, long beatNanos, Runnable everyBeat) throws IOException {
        this.selector = Selector.open();
        this.spin = new SpinPolicy(spinNanos);
        this.mostYields = spinNanos == 0 ? 0 : YIELDS;
        this.everyBeat = everyBeat;
        this.beatNanos = beatNanos;
        this.background = new Thread(this::inBackground, name);
        background.setDaemon(true);
    }

    /** Starts the background thread. */
    public void start() {
        background.start();
    }

    /** Has a connection's carrier read from now on. */
    public void add(Connection connection) throws IOException {
        connection.register(selector, this);
        connections.add(connection);
        remember();
        selector.wakeup();
        if (!connection.isOpen()) { // it ended before it could be removed
            remove(connection);
        }
    }

    void remove(Connection connection) {
        connections.remove(connection);
        remember();
        selector.wakeup(); // the key is cancelled by the next selection
    }

    private synchronized void remember() {
        Connection[] now = connections.toArray(new Connection[0]);
        polled = now.length <= MAX_POLLED ? now : new Connection[0];
    }

    /** Has a connection flushed within a few milliseconds. */
    @SuppressWarnings("ReferenceEquality")
    void flushLater(Connection connection) {
        connection.left = true;
        if (!leftovers) {
            leftovers = true;
            if (asleep) {
                LockSupport.unpark(background);
            } else if (leader.get() == background && selecting) {
                selector.wakeup();
            }
        }
    }

    /** Whether a leader that is not the calling thread writes what was added just now. */
    @SuppressWarnings("ReferenceEquality")
    boolean leaderFlushes(Connection connection) {
        Thread polling = leader.get();
        if (polling == null || polling == background || selecting || polling == Thread.currentThread()) {
            return false;
        }
        connection.left = true;
        leftovers = true;
        return leader.get() == polling && !selecting; // then it looks later than this, at least when it stops
    }

    private void flushLeftovers() {
        leftovers = false;
        for (Connection connection : connections) {
            if (connection.left) {
                connection.left = false;
                connection.flush();
            }
        }
    }

    /** Has the selection that is under way, if any, begin anew. */
    void wakeup() {
        selector.wakeup();
    }

    /** Returns once {@code wait} is over, or the time is up; reads the node's sockets meanwhile if nobody else does. */
    public void await(Wait wait, long deadlineNanos) throws InterruptedException {
        Thread self = Thread.currentThread();
        wait.thread = self;
        boolean asked = false;
        try {
            while (!wait.isOver() && !closed && deadlineNanos - System.nanoTime() > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (leader.get() == null && leader.compareAndSet(null, self)) {
                    asked = false;
                    lead(wait, deadlineNanos);
                } else {
                    asked |= follow(wait, deadlineNanos);
                }
            }
        } finally {
            wait.thread = null;
            if (asked && leader.get() == null) {
                askNext();
            }
        }
    }

    /** Tells a waiting thread that its wait may be over; cheap where nobody waits. Call it after the item was put. */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    public void signal(Wait wait) {
        Thread thread = wait.thread;
        if (thread == null || thread == Thread.currentThread()) {
            return;
        }
        if (leader.get() != thread) {
            LockSupport.unpark(thread);
        } else if (selecting) {
            selector.wakeup();
        }
    }

    /** Parks until something happens; true where this thread was asked to lead. */
    @SuppressWarnings("ReferenceEquality")
    private boolean follow(Wait wait, long deadlineNanos) {
        Thread self = Thread.currentThread();
        followers.add(self);
        if (leader.get() == background) {
            wanted = true;
            if (selecting) {
                selector.wakeup();
            }
        }
        if (!wait.isOver() && leader.get() != null && !closed) {
            LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
        }
        return !followers.remove(self);
    }

    private void lead(Wait wait, long deadlineNanos) {
        try {
            turns.lazySet(turns.get() + 1);
            long now = System.nanoTime();
            soon = now - leftAt < SOON_NANOS ? Math.min(soon + 1, OFTEN) : 0;
            long spinUntil = spinUntil(now);
            int yields = 0;
            while (!pollAll(wait)) {
                now = System.nanoTime();
                if (deadlineNanos - now <= 0 || closed || Thread.currentThread().isInterrupted()) {
                    return;
                }
                if (spinUntil - now > 0 && spin.goesOn(now)) {
                    Thread.yield(); // to those who are about to send, where there are more threads than processors
                    continue;
                }
                if (yields++ < mostYields && !followers.isEmpty()) {
                    Thread.yield(); // to those who were just woken: what they send goes together
                    continue;
                }
                yields = 0;
                spin.failed(now);
                select(wait, deadlineNanos - now);
                if (wait.isOver()) {
                    return;
                }
                now = System.nanoTime();
                spinUntil = spinUntil(now);
            }
            spin.paid();
        } finally {
            leave();
        }
    }

    private void leave() {
        leftAt = System.nanoTime();
        boolean ask = soon < OFTEN;
        leader.set(null);
        if (leftovers) {
            flushLeftovers();
        }
        if (ask) {
            askNext();
        } else if (asleep) {
            LockSupport.unpark(background);
        }
    }

    private long spinUntil(long now) {
        return polled.length == 0 ? now : spin.begin(now);
    }

    private boolean pollAll(Wait wait) {
        for (Connection connection : polled) {
            connection.read();
        }
        if (leftovers) {
            flushLeftovers();
        }
        return wait.isOver();
    }

    private void select(Wait wait, long nanos) {
        selecting = true;
        try {
            if (leftovers && wait.thread != null) { // not the background thread, which waits for more
                flushLeftovers();
            }
            if (!wait.isOver()) {
                selector.select(this::ready, Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            }
        } catch (ClosedSelectorException | IOException e) {
            if (!closed) {
                throw new UncheckedIOException("selection failed", new IOException(e));
            }
        } finally {
            selecting = false;
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof Connection connection) {
            connection.ready(key);
        }
    }

    private void askNext() {
        Thread next = followers.poll();
        if (next != null) {
            LockSupport.unpark(next);
        } else if (asleep) {
            LockSupport.unpark(background);
        }
    }

    private void inBackground() {
        long lastTurns = -1;
        long nextBeat = System.nanoTime() + beatNanos;
        while (!closed) {
            long now = System.nanoTime();
            if (nextBeat - now <= 0) {
                everyBeat.run();
                nextBeat = now + beatNanos;
            }
            long seen = turns.get();
            boolean quiet = seen == lastTurns && !leftovers;
            lastTurns = seen;
            if (leftovers) {
                LockSupport.parkNanos(this, NAP_NANOS); // most often whoever left them flushes them meanwhile
                flushLeftovers();
            }
            if (quiet && leader.compareAndSet(null, background)) {
                leadInBackground(nextBeat);
            } else if (quiet) {
                sleep(nextBeat - now);
            } else {
                LockSupport.parkNanos(this, Math.min(NAP_NANOS, nextBeat - now));
            }
        }
    }

    /** The leader blocks: nothing to do before it stops. */
    private void sleep(long nanos) {
        asleep = true;
        if (leader.get() != null && !closed && !leftovers) {
            LockSupport.parkNanos(this, nanos);
        }
        asleep = false;
    }

    private void leadInBackground(long untilNanos) {
        Wait nothing = new Wait() {
            @Override
            protected boolean isOver() {
                return wanted || closed;
            }
        };
        try {
            for (long now = System.nanoTime(); !nothing.isOver() && untilNanos - now > 0; now = System.nanoTime()) {
                boolean flush = leftovers;
                select(nothing, flush ? NAP_NANOS : untilNanos - now);
                if (flush) {
                    flushLeftovers();
                }
            }
        } finally {
            wanted = false;
            turns.lazySet(turns.get() + 1);
            leader.set(null);
            askNext();
        }
    }

    /** Ends all waits and the background thread. The connections are closed by their owner. */
    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        LockSupport.unpark(background);
        for (Thread follower : followers) {
            LockSupport.unpark(follower);
        }
        selector.close();
    }
}
