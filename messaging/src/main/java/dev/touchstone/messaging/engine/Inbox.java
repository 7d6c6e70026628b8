package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.dist.MailboxQueue;
import dev.touchstone.messaging.dist.ReceiveLeader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.report.FaultLog;
import dev.touchstone.messaging.report.FlightEvents;
import dev.touchstone.messaging.spi.Receiver;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages and signals that a mailbox has received and nobody has taken, in order. Any thread puts; one thread at a time takes, and other
 * receivers wait their turn.
 */
final class Inbox extends ReceiveLeader.Wait {
    /*
     * Who calls:      put, accept: any thread. take: any thread; who sets `taking` is the consumer, until it clears it, also while it
     *                 waits for a message. hasRoom: the leader, and senders that wait.
     * Invariants:     `passed` and the queue's head are the consumer's. Items in `passed` are older than those in the queue.
     *                 The number of items is what was added less what was taken from the queue, and what was passed over. Below
     *                 place `limit` there is room: it only lags behind. `heldBytes` is the sum over the items that are Large.
     * Ordering:       messages of one sender are taken in their order, but for those that a selective take chose.
     *                 Who finds the inbox full sets `full` and looks again; the consumer looks at `full` after each item, and behind
     *                 a fence when it finds nothing. Whoever takes room away from under `full` clears it first, and then wakes all
     *                 that wait for room, which look again. Room is told of at three quarters, not for each item.
     * Failure:        no memory for an item: it is not added, and nothing else has changed.
     */
    private static final VarHandle TAKING;
    private static final VarHandle HELD;
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SMALL_BYTES = 256;
    private static final long ROOM_MILLIS = 100; // most between two looks for room, only in case

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAKING = lookup.findVarHandle(Inbox.class, "taking", boolean.class);
            HELD = lookup.findVarHandle(Inbox.class, "heldBytes", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ReceiveLeader leader;
    private final MailboxQueue queue = new MailboxQueue();
    private final PassedItems passed = new PassedItems();

    @SuppressWarnings("UnusedVariable") // through TAKING
    private volatile boolean taking;

    private volatile boolean closed;
    private volatile @Nullable Thread receiver; // the thread that took the last message
    private volatile @Nullable Connection owed; // a flush by the receiver

    private volatile @Nullable Object lastExit; // the exit that was taken last

    private @Nullable Receiver frontEnd; // takes the messages and adds what it likes; set before the mailbox is known
    private final MailboxLimits limits;
    private final LocalMailbox owner;
    private final int smallBytes; // up to which an item counts by number only
    private final int
            quickBytes; // up to which a message is added without a look at the limits; -1 where each may be dropped
    private long limit; // place from which on to look whether there is room; plain, any thread sets it
    private volatile long heldBytes;
    private volatile boolean full;
    private volatile boolean warned;
    private final AtomicLong dropped = new AtomicLong();

    /** An item that counts by bytes, or an exit. */
    private record Large(Object item, int bytes, boolean isExit) {}

    Inbox(ReceiveLeader leader, MailboxLimits limits, LocalMailbox owner) {
        this.leader = leader;
        this.limits = limits;
        this.owner = owner;
        this.smallBytes = limits.maxBytes() == Long.MAX_VALUE ? Integer.MAX_VALUE : SMALL_BYTES;
        this.quickBytes = limits.whenFull() == MailboxLimits.WhenFull.DROP_NEWEST ? -1 : smallBytes;
        this.limit = limits.maxMessages();
    }

    /** Has a front end take the messages; called before the mailbox is known to anybody. */
    void receiver(Receiver receiver) {
        frontEnd = receiver;
    }

    /** Returns the front end that takes the messages, or null where this inbox keeps them. */
    @Nullable
    Receiver receiver() {
        return frontEnd;
    }

    /** Delivers a message as {@link #accept} does, unless a front end takes it. */
    boolean deliver(Object item, int bytes) {
        Receiver taker = frontEnd;
        if (taker == null) {
            return accept(item, bytes);
        }
        if (item instanceof Term message) {
            taker.message(null, null, null, TermWriter.encode(message));
        }
        return true;
    }

    /** Delivers a message of this node without waiting for room: the sender has waited before. Returns false where it was dropped. */
    boolean deliverNow(Term message, int bytes) {
        if (frontEnd != null || limits.whenFull() != MailboxLimits.WhenFull.BLOCK) {
            return deliver(message, bytes);
        }
        boolean unused = bytes > smallBytes ? addLarge(new Large(message, bytes, false)) : add(message);
        return true;
    }

    /** Delivers an exit, as a message unless a front end takes it. */
    void exited(Pid from, Term reason, boolean linked) {
        Receiver taker = frontEnd;
        if (taker == null) {
            put(Tuple.of(WellKnownAtoms.EXIT, from, reason), true);
        } else {
            taker.exit(from, reason, linked);
        }
    }

    /** Adds a signal; never waits and never drops it. The connection that brought it, if any, waits where there is no room. */
    void put(Object item) {
        put(item, false);
    }

    private void put(Object item, boolean isExit) {
        int wireBytes = leader.frameBytes();
        int bytes =
                wireBytes == 0 ? 0 : Math.max(wireBytes, owner.node().router().decodedBytes());
        boolean tooMuch = (isExit || bytes > smallBytes) ? addLarge(new Large(item, bytes, isExit)) : add(item);
        if (tooMuch) {
            boolean unused = blockConnection();
        }
    }

    /**
     * Adds a message, or what is to be thrown in its place, as the limits say; waits for room, unless a connection can wait instead.
     *
     * @param bytes of the message
     * @return false where it was dropped
     */
    boolean accept(Object item, int bytes) {
        if (bytes > quickBytes) {
            return acceptSlowly(item, bytes);
        }
        if (add(item)) {
            overflow();
        }
        return true;
    }

    private boolean acceptSlowly(Object item, int bytes) {
        if (limits.whenFull() == MailboxLimits.WhenFull.DROP_NEWEST && isFull()) {
            drop();
            return false;
        }
        boolean tooMuch = bytes > smallBytes ? addLarge(new Large(item, bytes, false)) : add(item);
        if (tooMuch) {
            overflow();
        }
        return true;
    }

    /** Adds an item that counts by number only; returns whether there is too much now. */
    private boolean add(Object item) {
        long place = queue.offer(item);
        leader.signal(this);
        return place >= limit && isFull();
    }

    private boolean addLarge(Large item) {
        boolean atLimit = queue.offer(item) >= limit;
        atLimit |= (long) HELD.getAndAdd(this, (long) item.bytes) + item.bytes > limits.maxBytes();
        leader.signal(this);
        return atLimit && isFull();
    }

    private void drop() {
        long count = dropped.incrementAndGet();
        if (Long.bitCount(count) == 1) { // 1, 2, 4, 8, ...
            FaultLog.warn("mailbox is full, newest messages are dropped: mailbox=" + owner + " dropped=" + count + " "
                    + limits);
            recordFull();
        }
    }

    private void overflow() {
        if (limits.whenFull() == MailboxLimits.WhenFull.CLOSE) {
            closeOwner();
        } else if (limits.whenFull() == MailboxLimits.WhenFull.BLOCK) {
            if (!warned) {
                warned = true;
                FaultLog.warn("mailbox is full, its senders wait: mailbox=" + owner + " " + limits);
                recordFull();
            }
            if (!blockConnection()) {
                awaitRoom();
            }
        }
    }

    private void recordFull() {
        String mailbox = owner.toString();
        FlightEvents.mailboxFull(
                mailbox,
                limits.maxMessages(),
                limits.maxBytes(),
                limits.whenFull().name());
    }

    private void closeOwner() {
        FaultLog.warn("mailbox is full and is closed: mailbox=" + owner + " " + limits);
        recordFull();
        owner.close(WellKnownAtoms.MAILBOX_FULL);
    }

    /** Stops the connection that the calling thread reads, if any, until there is room; returns whether there is one. */
    private boolean blockConnection() {
        full = true;
        boolean blocks = leader.blockReading(this);
        if (blocks && (limits.whenFull() == MailboxLimits.WhenFull.CLOSE || isRoomy())) {
            leader.roomMade(); // the room may have been made before `full` was set
        }
        return blocks;
    }

    /** Waits for room, also if the thread is interrupted, whose interrupt status is kept. */
    private void awaitRoom() {
        boolean interrupted = Thread.interrupted();
        while (!awaitRoomWithin(Long.MAX_VALUE)) {
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for room, unless the calling thread makes it; returns false where the time is up, or the thread is interrupted. */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    private boolean awaitRoomWithin(long nanos) {
        boolean isFree = isAtMost(limits.maxMessages() - 1, limits.maxBytes() - 1) || closed;
        if (isFree || receiver == Thread.currentThread()) {
            return true;
        }
        long deadline = deadline(nanos);
        synchronized (this) {
            for (long left = nanos; left > 0; left = deadline - System.nanoTime()) {
                if (hasRoom()) {
                    return true;
                }
                try {
                    wait(Math.min(ROOM_MILLIS, 1 + TimeUnit.NANOSECONDS.toMillis(left)));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
        }
        return false;
    }

    /** Has the connection that is being read wait where there is no room, since it brought what will end in a signal. */
    void holdBack() {
        if (isFull()) {
            boolean unused = blockConnection();
        }
    }

    /** Has a sender of this node that has put a signal do what the limits say where the inbox is full. Not to be called under a monitor. */
    void awaitRoomForSignals() {
        if (isFull()) {
            if (limits.whenFull() == MailboxLimits.WhenFull.DROP_NEWEST) {
                awaitRoom(); // signals are never dropped
            } else {
                overflow();
            }
        }
    }

    /** Waits until a message of this node may be added; returns false where the time is up, or the thread is interrupted. */
    boolean awaitRoom(long nanos) {
        return limits.whenFull() != MailboxLimits.WhenFull.BLOCK || awaitRoomWithin(nanos);
    }

    /** Returns whether more items wait than should; where the newest are dropped, whether one more would be too many. */
    private boolean isFull() {
        int next = quickBytes < 0 ? 1 : 0;
        return !isAtMost(limits.maxMessages() - next, limits.maxBytes() - next) && !closed;
    }

    /** Returns whether at most so many messages and bytes wait; moves `limit` up to date. */
    private boolean isAtMost(long messages, long bytes) {
        long taken = queue.taken() - passed.count();
        long until = taken + limits.maxMessages();
        limit = until < 0 ? Long.MAX_VALUE : until;
        return queue.added() - taken <= messages && heldBytes <= bytes;
    }

    /** Returns whether there is room; where there is none the consumer tells when some was made. */
    @Override
    protected boolean hasRoom() {
        if (limits.whenFull() == MailboxLimits.WhenFull.CLOSE && isFull()) {
            closeOwner(); // signals alone have filled it
        }
        if (isRoomy()) {
            return true;
        }
        full = true;
        return isRoomy();
    }

    private boolean isRoomy() {
        return closed
                || isAtMost(limits.maxMessages() - limits.maxMessages() / 4, limits.maxBytes() - limits.maxBytes() / 4);
    }

    private void tellOfRoom() {
        if (isRoomy()) {
            full = false;
            synchronized (this) {
                notifyAll();
            }
            leader.roomMade();
        }
    }

    /** Returns whether a message that was taken just now is an exit signal. */
    @SuppressWarnings("ReferenceEquality") // that very one: anybody can send an equal message
    boolean isExit(Term message) {
        return message == lastExit;
    }

    /** Returns how many items wait; to other threads than the receiver's possibly a few more. */
    long waiting() {
        return queue.added() - queue.taken() + passed.count();
    }

    /** Returns how many messages were dropped. */
    long dropped() {
        return dropped.get();
    }

    /** Returns whether the calling thread, which has just taken a message, finds another: what it sends may go with what it sends next. */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    boolean hasMore() {
        return receiver == Thread.currentThread() && !isEmpty();
    }

    /** Returns whether nothing waits behind the message that was taken last; exact for the receiver only. */
    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Returns a time in nanoseconds, at most those that a long holds. */
    static long nanos(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    /** Has a connection flushed before the receiver waits. */
    void owe(Connection connection) {
        Connection before = owed;
        if (before != connection) {
            if (before != null) {
                before.flush();
            }
            owed = connection;
        }
    }

    /** Flushes the connection that is owed a flush, if any. */
    void flush() {
        Connection connection = owed;
        if (connection != null) {
            owed = null;
            connection.flush();
        }
    }

    /** Ends all waiting; what is there can still be taken. */
    void close() {
        closed = true;
        leader.signal(this);
        if (full) {
            tellOfRoom();
        }
    }

    /** Takes the oldest message; returns null where none comes in time. */
    @Nullable
    Term take(long nanos) throws InterruptedException {
        return term(takeItem(nanos));
    }

    /** Takes the oldest item; returns null where none comes in time. */
    @Nullable
    Object takeItem(long nanos) throws InterruptedException {
        if (TAKING.compareAndSet(this, false, true)) { // most often a message is there, and no clock is read
            Object item;
            try {
                item = poll();
                end();
            } catch (Throwable e) {
                taking = false; // without a call: the stack may have overflowed
                throw e;
            }
            if (item != null || nanos <= 0) {
                return item;
            }
        }
        return await(nanos);
    }

    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    private @Nullable Object poll() {
        Thread self = Thread.currentThread();
        if (receiver != self) {
            receiver = self;
        }
        Object item = passed.isEmpty() ? next() : taken(passed.poll());
        if (item == null) {
            flush();
        }
        return item;
    }

    /** Takes the oldest item of the queue. */
    private @Nullable Object next() {
        Object item = queue.poll();
        if (item == null) {
            VarHandle.fullFence(); // what was taken is seen by those who set `full` later than this looks at it
        }
        return taken(item);
    }

    /** Unwraps an item that was taken for good, and tells of the room. */
    private @Nullable Object taken(@Nullable Object item) {
        Object found = item;
        if (item instanceof Large large) {
            long unused = (long) HELD.getAndAdd(this, (long) -large.bytes());
            found = large.item();
            lastExit = large.isExit ? found : lastExit;
        }
        if (full) {
            tellOfRoom();
        }
        return found;
    }

    /** Returns the place behind all messages that selective takes have passed over until now. */
    PassedItems.Seen seen() {
        return passed.seen();
    }

    private @Nullable Object await(long nanos) throws InterruptedException {
        long deadline = deadline(nanos);
        if (!begin(deadline)) {
            return null;
        }
        try {
            Object item = poll();
            while (item == null && !isTimeUp(nanos, deadline)) {
                leader.await(this, deadline);
                item = next();
            }
            end();
            return item;
        } catch (Throwable e) {
            taking = false; // without a call: the stack may have overflowed
            throw e;
        }
    }

    /**
     * Takes the oldest message that is wanted; returns null where none comes in time. The others stay.
     *
     * @param seen the messages that need not be looked at, moved behind those that were looked at now; null: looks at all
     */
    @Nullable
    Term take(Predicate<? super Term> wanted, PassedItems.@Nullable Seen seen, long nanos) throws InterruptedException {
        long deadline = deadline(nanos);
        if (!begin(deadline)) {
            return null;
        }
        Object item;
        try {
            item = taken(passed.take(wanted, seen));
            boolean isNew = item == null;
            while (item == null) {
                item = takeQueued(wanted);
                if (item == null) {
                    flush();
                    if (isTimeUp(nanos, deadline)) {
                        break;
                    }
                    leader.await(this, deadline);
                }
            }
            if (isNew && seen != null) {
                passed.saw(seen);
            }
            end();
        } catch (Throwable e) {
            taking = false; // without a call: the stack may have overflowed
            throw e;
        }
        return term(item);
    }

    private @Nullable Object takeQueued(Predicate<? super Term> wanted) {
        for (Object item = queue.poll(); item != null; item = queue.poll()) {
            boolean isWanted = false;
            try {
                isWanted = isWanted(item, wanted);
            } finally {
                if (!isWanted) { // stays, also where the predicate throws
                    passed.add(item);
                }
            }
            if (isWanted) {
                return taken(item);
            }
        }
        return null;
    }

    static boolean isWanted(Object item, Predicate<? super Term> wanted) {
        Object message = item instanceof Large large ? large.item() : item;
        return message instanceof Term term && wanted.test(term);
    }

    private static @Nullable Term term(@Nullable Object item) {
        if (item instanceof RuntimeException problem) {
            throw problem;
        }
        return (Term) item;
    }

    private boolean isTimeUp(long nanos, long deadline) {
        return closed || owner.node().isClosed() || nanos <= 0 || deadline - System.nanoTime() <= 0;
    }

    private static long deadline(long nanos) {
        return nanos <= 0 ? 0 : System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 2);
    }

    /** Waits to be the consumer; returns false where the time was up before. */
    private boolean begin(long deadline) throws InterruptedException {
        while (!TAKING.compareAndSet(this, false, true)) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (deadline == 0 || deadline - System.nanoTime() <= 0) {
                return false;
            }
            LockSupport.parkNanos(this, TURN_NANOS); // several threads at one mailbox are rare: not worth waking
        }
        return true;
    }

    private void end() {
        TAKING.setRelease(this, false);
    }

    @Override
    protected boolean isOver() {
        return closed || !queue.isEmpty();
    }
}
