package dev.touchstone.messaging;

import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.dist.MailboxQueue;
import dev.touchstone.messaging.dist.ReceiveLeader;
import dev.touchstone.messaging.term.Term;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a mailbox has received and nobody has taken, in order. Any thread puts, one at a time takes and the others wait their turn. */
final class Inbox extends ReceiveLeader.Wait {
    /*
     * Roles:          who sets `taking` is the consumer, until it clears it, also while it waits for a message.
     * Invariants:     `passed` and the queue's head are the consumer's. Items in `passed` are older than those in the queue.
     * Order:          messages of one sender are taken in their order, but for those that a selective take chose.
     */
    private static final VarHandle TAKING;
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    static {
        try {
            TAKING = MethodHandles.lookup().findVarHandle(Inbox.class, "taking", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ReceiveLeader leader;
    private final MailboxQueue queue = new MailboxQueue();
    private final ArrayDeque<Object> passed = new ArrayDeque<>();

    @SuppressWarnings("UnusedVariable") // through TAKING
    private volatile boolean taking;

    private volatile boolean closed;
    private volatile @Nullable Thread receiver; // who took the last message
    private volatile @Nullable Connection owed; // a flush by the receiver

    Inbox(ReceiveLeader leader) {
        this.leader = leader;
    }

    /** Adds a message, or what is to be thrown in its place. */
    void put(Object item) {
        queue.offer(item);
        leader.signal(this);
    }

    /** Whether the calling thread, which has just taken a message, finds another, so that what it sends may go with what it sends next. */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    boolean hasMore() {
        return receiver == Thread.currentThread() && !isEmpty();
    }

    /** Whether nothing waits behind the message that was taken last; exact for the receiver only. */
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

    /** Does what is owed. */
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
    }

    /** The oldest message; null where none comes in time. */
    @Nullable
    Term take(long nanos) throws InterruptedException {
        if (TAKING.compareAndSet(this, false, true)) { // most often a message is there, and no clock is read
            Object item;
            try {
                item = poll();
            } finally {
                end();
            }
            if (item != null || nanos <= 0) {
                return term(item);
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
        Object item = passed.isEmpty() ? queue.poll() : passed.poll();
        if (item == null) {
            flush();
        }
        return item;
    }

    private @Nullable Term await(long nanos) throws InterruptedException {
        long deadline = deadline(nanos);
        if (!begin(deadline)) {
            return null;
        }
        try {
            Object item = poll();
            while (item == null && !isTimeUp(nanos, deadline)) {
                leader.await(this, deadline);
                item = queue.poll();
            }
            return term(item);
        } finally {
            end();
        }
    }

    /**
     * The oldest message that is wanted; null where none comes in time. The others stay.
     *
     * @param onlyNew whether messages that an earlier selective take has passed over need not be looked at
     */
    @Nullable
    Term take(Predicate<? super Term> wanted, boolean onlyNew, long nanos) throws InterruptedException {
        long deadline = deadline(nanos);
        if (!begin(deadline)) {
            return null;
        }
        try {
            Object item = onlyNew ? null : takePassed(wanted);
            while (item == null) {
                item = takeQueued(wanted);
                if (item == null) {
                    flush();
                    if (isTimeUp(nanos, deadline)) {
                        return null;
                    }
                    leader.await(this, deadline);
                }
            }
            return term(item);
        } finally {
            end();
        }
    }

    /** Removes the oldest message that is unwanted, if one is here and no other thread is receiving. */
    void discard(Predicate<? super Term> unwanted) {
        boolean interrupted = Thread.interrupted();
        try {
            Term unused = take(unwanted, false, 0);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Object takePassed(Predicate<? super Term> wanted) {
        for (Iterator<Object> items = passed.iterator(); items.hasNext(); ) {
            Object item = items.next();
            if (item instanceof Term term && wanted.test(term)) {
                items.remove();
                return item;
            }
        }
        return null;
    }

    private @Nullable Object takeQueued(Predicate<? super Term> wanted) {
        for (Object item = queue.poll(); item != null; item = queue.poll()) {
            if (item instanceof Term term && wanted.test(term)) {
                return item;
            }
            passed.add(item);
        }
        return null;
    }

    private static @Nullable Term term(@Nullable Object item) {
        if (item instanceof RuntimeException problem) {
            throw problem;
        }
        return (Term) item;
    }

    private boolean isTimeUp(long nanos, long deadline) {
        return closed || nanos <= 0 || deadline - System.nanoTime() <= 0;
    }

    private static long deadline(long nanos) {
        return nanos <= 0 ? 0 : System.nanoTime() + Math.min(nanos, Long.MAX_VALUE / 2);
    }

    /** Waits to be the consumer; false where the time was up before. */
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
