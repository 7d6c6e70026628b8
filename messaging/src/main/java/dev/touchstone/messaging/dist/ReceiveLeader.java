package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.report.FaultLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leader and followers: of the threads that wait for messages one, the leader, reads the sockets of a node itself, so that the message it
 * waits for needs no hand-over to another thread. Thread-safe.
 */
public final class ReceiveLeader implements Closeable {
    /*
     * Who calls:      await: any thread. The leader polls and selects; followers are parked, each in `followers`; virtual threads never
     *                 lead, and are parked in `virtual`. The background thread leads where nobody else has for some milliseconds, or
     *                 at once where a virtual thread waits, and gives way to the first platform thread that waits.
     * Invariants:     one leader. Leading is a lease: it lasts until the leader's own wait is over. Connections are read in turns
     *                 (ReadTurns), each bounded in bytes and time.
     *                 A thread that gives up leading, or was asked in vain, asks the next follower, or wakes the background thread if
     *                 that sleeps for long or a virtual thread waits; from a nap it wakes by itself. Nobody is asked while the last
     *                 leaders were soon followed by threads that came by themselves: asking costs more than a turn.
     * Writing:        a leader that polls also writes frames of others; where none polls, the background thread writes those left behind.
     * Ordering:       an item is put before its Wait is looked at (the queue's swap is a full fence); a Wait names its thread before
     *                 it looks at its queue again; the leader sets `selecting` before it looks at its queue, at `leftovers` and at
     *                 `turns` for the last time. Fields of the leader alone are handed on through `leader`.
     * Failure:        a failure of one connection ends it alone. Where selecting itself fails the owner is told, once, and closes the
     *                 node. A leader whose stack overflowed may leave in silence: the background thread notices, and takes the lead.
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
    private final Followers followers = new Followers();
    private final CopyOnWriteArrayList<Connection> connections = new CopyOnWriteArrayList<>();
    private final Thread background;
    private final Runnable everyBeat;
    private final long beatNanos;
    private final Consumer<Throwable> onBroken;
    private final Set<Thread> virtual = ConcurrentHashMap.newKeySet();
    private final Object revoking = new Object();
    private volatile Connection[] polled = {};
    private volatile boolean selecting;
    private volatile boolean wanted; // by a follower, of the background thread
    private volatile boolean asleep; // the background thread, until somebody wakes it
    private volatile boolean leftovers; // some connection has frames that were left for later
    private volatile boolean promised; // some of them by a thread that relies on the leader
    private volatile boolean closed;
    private volatile boolean called; // the background thread, to lead for a virtual thread
    private final Wait nothing = new Wait() { // of the background thread: until a platform thread wants to lead
                @Override
                protected boolean isOver() {
                    return wanted || closed;
                }
            };
    private final ReadTurns turns = new ReadTurns(); // the leader's
    private long nextBeat; // the background thread's, as are the next three
    private long lastLeases = -1;
    private @Nullable Thread suspect; // a leader that may be gone
    private long suspectLease;
    private long leftAt; // when leading was given up; the leader's, as is the next
    private int soon; // how many leases one after the other began soon after the one before; OFTEN at most
    private final AtomicLong leases = new AtomicLong(); // counts leaders; set by the leader only

    /** Something that a thread waits for. */
    public abstract static class Wait {
        private volatile @Nullable Thread thread;

        /** Returns whether the wait is over. Called by the waiting thread only. */
        protected abstract boolean isOver();

        /**
         * Returns whether a full mailbox has room again; where it has not, {@link ReceiveLeader#roomMade} is called once it has. Called by
         * the leader.
         *
         * @return whether connections that wait for room may be read again
         */
        protected boolean hasRoom() {
            return true;
        }
    }

    /**
     * Opens the selector; {@link #start} starts the background thread.
     *
     * @param spinNanos longest polling before a leader blocks; 0 to neither poll nor yield, which takes long beside busy threads
     * @param everyBeat called about once in {@code beatNanos} by one thread at a time
     * @param onBroken told once, by any thread, where the sockets can no longer be waited for
     */
    public ReceiveLeader(String name, long spinNanos, long beatNanos, Runnable everyBeat, Consumer<Throwable> onBroken)
            throws IOException {
        this.selector = Selector.open();
        this.spin = new SpinPolicy(spinNanos);
        this.mostYields = spinNanos == 0 ? 0 : YIELDS;
        this.everyBeat = everyBeat;
        this.beatNanos = beatNanos;
        this.onBroken = onBroken;
        this.background = new Thread(this::inBackground, name);
        background.setDaemon(true);
    }

    /** Starts the background thread. */
    public void start() {
        background.start();
    }

    /** Has a connection's carrier read from now on. */
    public void add(Connection connection) throws IOException {
        synchronized (connections) {
            connection.register(selector, this);
        }
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
        turns.roomMade(); // it may be a blocked one
        selector.wakeup(); // the key is cancelled by the next selection
    }

    private synchronized void remember() {
        polled = connections.size() > MAX_POLLED ? new Connection[0] : connections.toArray(new Connection[0]);
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

    /** Returns whether a leader writes what was added just now: another one that polls, or the calling thread after its present turns. */
    @SuppressWarnings("ReferenceEquality")
    boolean leaderFlushes(Connection connection) {
        Thread polling = leader.get();
        boolean isSelf = polling == Thread.currentThread();
        if (polling == null || (selecting && !isSelf)) {
            return false;
        }
        connection.left = true;
        promised = true;
        leftovers = true;
        return isSelf || (leader.get() == polling && !selecting); // then it looks later, at least when it stops
    }

    private void flushLeftovers() {
        leftovers = false;
        promised = false;
        for (Connection connection : connections) {
            if (connection.left) {
                connection.left = false;
                try {
                    connection.flush();
                } catch (Throwable e) {
                    connection.fail(e);
                }
            }
        }
    }

    void wakeup() {
        selector.wakeup(); // what is being selected is selected anew
    }

    /**
     * Returns once {@code wait} is over, or the time is up; reads the node's sockets meanwhile if nobody else does.
     *
     * @param wait the calling thread's
     * @param deadlineNanos as of {@link System#nanoTime}
     * @throws InterruptedException if the thread was interrupted before or meanwhile
     */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    public void await(Wait wait, long deadlineNanos) throws InterruptedException {
        Thread self = Thread.currentThread();
        boolean mayLead = !SpinPolicy.isVirtual(self);
        if (leader.get() == self) {
            revoke(self);
        }
        wait.thread = self;
        boolean asked = false;
        try {
            while (!wait.isOver() && !closed && deadlineNanos - System.nanoTime() > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (!mayLead) {
                    park(wait, deadlineNanos);
                } else if (leader.get() == null && leader.compareAndSet(null, self)) {
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

    /** Takes the lead from a thread that left without giving it up. */
    private void revoke(Thread gone) {
        synchronized (revoking) {
            if (leader.compareAndSet(gone, null)) {
                selecting = false;
                FaultLog.warn("leader had left without a word, as after a stack overflow: thread=" + gone.getName());
            }
        }
    }

    /**
     * Takes the lead from a thread that has it, with the same lease, at two beats, and whose stack has nothing of this class at either: at
     * one alone it may have left just then. One that comes back to wait has to pass {@link #revoke}.
     */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    private void revokeIfGone() {
        long lease = leases.get();
        Thread now = leader.get();
        boolean isSuspect = false;
        if (now != null && now != background) {
            synchronized (revoking) {
                isSuspect = !leads(now) && lease == leases.get();
                if (isSuspect && now == suspect && lease == suspectLease) {
                    revoke(now);
                }
            }
        }
        suspect = isSuspect ? now : null;
        suspectLease = lease;
        if (isSuspect && leader.get() == null) {
            askNext();
        }
    }

    private static boolean leads(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(ReceiveLeader.class.getName()));
    }

    /** Makes a thread the leader that does not lead, as one whose stack overflowed; returns false where another leads. For tests. */
    boolean handLeadTo(Thread gone) {
        return leader.compareAndSet(null, gone);
    }

    /** Parks a virtual thread: the background thread reads for it. */
    private void park(Wait wait, long deadlineNanos) {
        Thread self = Thread.currentThread();
        virtual.add(self);
        try {
            if (leader.get() == null) {
                call();
            }
            if (!wait.isOver() && !closed) {
                LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
            }
        } finally {
            virtual.remove(self);
        }
    }

    private void call() {
        called = true;
        LockSupport.unpark(background);
    }

    /**
     * Stops the connection that the calling thread reads just now until a mailbox has room.
     *
     * @param mailbox one that is full
     * @return false where the calling thread does not read one
     */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    public boolean blockReading(Wait mailbox) {
        return leader.get() == Thread.currentThread() && turns.blockReading(mailbox);
    }

    /**
     * Returns how long the frame is that the calling thread handles just now.
     *
     * @return bytes; 0 where it handles none
     */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    public int frameBytes() {
        return leader.get() == Thread.currentThread() ? turns.frameBytes() : 0;
    }

    /** Asks for another look at the connections that a full mailbox blocks. Called by any thread, after the room was made. */
    public void roomMade() {
        turns.roomMade();
        if (!turns.hasBlocked()) {
            return; // a leader that is about to block one looks before it selects
        }
        if (selecting) {
            selector.wakeup();
        } else if (leader.get() == null) {
            LockSupport.unpark(background);
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
        if (mostYields > 0) {
            followers.yieldAmongMany(() -> !wait.isOver() && leader.get() != null);
        }
        if (!wait.isOver() && leader.get() != null && !closed) {
            LockSupport.parkNanos(this, deadlineNanos - System.nanoTime());
        }
        return !followers.remove(self);
    }

    private void lead(Wait wait, long deadlineNanos) {
        try {
            leases.lazySet(leases.get() + 1);
            long now = System.nanoTime();
            soon = now - leftAt < SOON_NANOS ? Math.min(soon + 1, OFTEN) : 0;
            turns.begin(wait, deadlineNanos);
            long spinUntil = spinUntil(now);
            int yields = 0;
            while (!pollAll(wait)) {
                now = System.nanoTime();
                if (deadlineNanos - now <= 0 || closed || Thread.currentThread().isInterrupted()) {
                    return;
                }
                if (!turns.isPending()) {
                    if (spinUntil - now > 0 && spin.goesOn(now)) {
                        Thread.yield(); // to threads about to send, where processors are fewer than threads
                        continue;
                    }
                    if (yields++ < mostYields && !followers.isEmpty()) {
                        Thread.yield(); // to threads that were just woken: their messages go together
                        continue;
                    }
                    yields = 0;
                    spin.failed(now);
                }
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

    /** Gives a turn to each connection that is queued, and to each that is polled; returns whether the wait is over. */
    private boolean pollAll(Wait wait) {
        if (turns.isPending()) {
            int unused = turns.readQueued();
        }
        int unused = turns.readAll(polled);
        if (leftovers) {
            flushLeftovers();
        }
        return wait.isOver();
    }

    private void select(Wait wait, long nanos) {
        selecting = true;
        try {
            // the background thread waits for more of what is not promised
            if (leftovers && (promised || wait.thread != null)) {
                flushLeftovers();
            }
            if (wait.isOver()) {
                return;
            }
            int unused = turns.isPending()
                    ? selector.selectNow(this::ready)
                    : selector.select(this::ready, Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        } catch (ClosedSelectorException | IOException e) {
            broken(e);
        } finally {
            selecting = false;
        }
    }

    private void broken(Exception cause) {
        boolean first;
        synchronized (this) {
            first = !closed;
            closed = true;
        }
        if (first) {
            FaultLog.report("sockets can no longer be waited for, the node is closed: ", background, cause);
            wakeAll();
            onBroken.accept(cause);
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof Connection connection && connection.ready(key)) {
            turns.readSelected(connection);
        }
    }

    private void askNext() {
        Thread next = followers.poll();
        if (next != null) {
            LockSupport.unpark(next);
        } else if (!virtual.isEmpty()) {
            call();
        } else if (asleep) {
            LockSupport.unpark(background);
        }
    }

    private void inBackground() {
        nextBeat = System.nanoTime() + beatNanos;
        Throwable fault = null;
        while (!closed) {
            try {
                if (fault != null) {
                    leader.compareAndSet(background, null); // it does not lead here, whatever was interrupted
                    LockSupport.parkNanos(this, NAP_NANOS);
                    FaultLog.report("the node's thread goes on: ", background, fault);
                    fault = null;
                }
                workInBackground();
            } catch (Throwable e) {
                fault = e; // told in the next round, for here even a constant text may take the memory that is missing
            }
        }
    }

    private void workInBackground() {
        long now = System.nanoTime();
        if (nextBeat - now <= 0) {
            nextBeat = now + beatNanos;
            beat();
        }
        long seen = leases.get();
        boolean quiet = seen == lastLeases && !leftovers;
        lastLeases = seen;
        if (leftovers) {
            LockSupport.parkNanos(this, NAP_NANOS); // mostly the thread that left the frames flushes them meanwhile
            flushLeftovers();
        }
        boolean leads = called || quiet;
        called = false;
        if (leads && leader.compareAndSet(null, background)) {
            leadInBackground(nextBeat);
        } else if (quiet) {
            sleep(nextBeat - now);
        } else {
            LockSupport.parkNanos(this, Math.min(NAP_NANOS, nextBeat - now));
        }
    }

    private void beat() {
        try {
            everyBeat.run();
        } finally {
            revokeIfGone();
            if (turns.hasBlocked()) {
                roomMade(); // a precaution: a thread that makes room calls this itself
            }
        }
    }

    /** Parks the background thread while another thread leads. */
    private void sleep(long nanos) {
        asleep = true;
        if (leader.get() != null && !closed && !leftovers) {
            LockSupport.parkNanos(this, nanos);
        }
        asleep = false;
    }

    /** Blocks in the selector; polls before where virtual threads wait, which cannot lead. */
    private void leadInBackground(long untilNanos) {
        try {
            turns.begin(nothing, untilNanos);
            long now = System.nanoTime();
            long spinUntil = virtual.isEmpty() ? now : spinUntil(now);
            for (; !nothing.isOver() && untilNanos - now > 0; now = System.nanoTime()) {
                int bytes = turns.isPending() ? turns.readQueued() : 0;
                if (spinUntil - now > 0 && spin.goesOn(now)) {
                    bytes += turns.readAll(polled);
                    if (leftovers) {
                        flushLeftovers();
                    }
                    if (bytes > 0) {
                        spin.paid();
                        spinUntil = spinUntil(System.nanoTime());
                    } else {
                        Thread.yield();
                    }
                } else {
                    boolean flush = leftovers;
                    select(nothing, flush ? NAP_NANOS : untilNanos - now);
                    if (flush) {
                        flushLeftovers();
                    }
                    spinUntil = virtual.isEmpty() ? now : spinUntil(System.nanoTime());
                }
            }
        } finally {
            wanted = false;
            leases.lazySet(leases.get() + 1);
            leader.set(null);
            if (promised) {
                flushLeftovers();
            }
            askNext();
        }
    }

    /** Ends all waits and the background thread. The connections are closed by their owner. */
    @Override
    public void close() throws IOException {
        closed = true;
        wakeAll();
        synchronized (connections) { // see Dialer: not while one is registered
            selector.close();
        }
    }

    private void wakeAll() {
        LockSupport.unpark(background);
        followers.all().forEach(LockSupport::unpark);
        virtual.forEach(LockSupport::unpark);
    }
}
