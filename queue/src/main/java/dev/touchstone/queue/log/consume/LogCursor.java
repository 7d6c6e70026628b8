package dev.touchstone.queue.log.consume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import dev.touchstone.queue.log.consume.InFlight.Delivery;
import dev.touchstone.queue.log.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A position of consumption in a log: the records that are consumed, those in flight, and the one that comes next. Thread-safe. */
public final class LogCursor implements Closeable {
    /*
     * Who calls:      any number of consumers. User code (codec, damage handler) runs in the caller, never under the lock.
     * Lock:           one for all state of this cursor; inside it the journal's and the store's monitors.
     * Invariants:     floor <= head <= committed + 1. Below the floor all is consumed; between floor and head a sequence is consumed
     *                 or in flight; from head on nothing was handed out, but iterators may have consumed some.
     * Failure:        the journal is written before the state changes, so an entry that could not be written leaves the record where
     *                 it is; out of turn such a failure ends the log, because a consumer has done its work already.
     */
    private static final int REMOVALS_PER_PLACE = 1024;

    private final ConsumedLog log;
    private final ConsumptionJournal journal;
    private final long id;
    private final String name;
    private final LogOptions.Leases bounds;
    private final AckedRanges done = new AckedRanges();
    private final ReentrantLock lock = new ReentrantLock();

    @SuppressWarnings("GuardedBy") // run takes the lock
    private final Step<byte[]> poll = this::pollNext;

    @SuppressWarnings("GuardedBy")
    private final Step<byte[]> peek = this::peekNext;

    @SuppressWarnings("GuardedBy")
    private final Step<LogLease> lease = () -> leaseNext(true);

    @SuppressWarnings("GuardedBy")
    private final Step<LogLease> reserve = () -> leaseNext(false);

    @GuardedBy("lock")
    private final ReadPosition head;

    @GuardedBy("lock")
    private final InFlight inFlight = new InFlight();

    @GuardedBy("lock")
    private long floorSegment; // first sequence of the segment that the floor was in when it was last looked at

    @GuardedBy("lock")
    private int unplaced;

    private final AtomicLong dueChanges = new AtomicLong();
    private volatile boolean dropped;

    /** A part of a call that runs under the lock. */
    private interface Step<R> {
        @Nullable
        R take() throws IOException;
    }

    /**
     * Creates a cursor that goes on where its state says.
     *
     * @param end the sequence that the log's next record will have
     * @param endOffset bytes of all records before it
     */
    LogCursor(
            ConsumedLog log,
            ConsumptionJournal journal,
            ConsumerState state,
            LogOptions.Leases bounds,
            long end,
            long endOffset)
            throws IOException {
        this.log = log;
        this.journal = journal;
        this.id = state.id();
        this.name = state.name();
        this.bounds = bounds;
        this.head = new ReadPosition(log, done, state.attempts());
        long first = Math.min(end, Math.max(state.floor(), log.segments().oldestSequence(end)));
        done.begin(first, state.above());
        if (first == end) {
            head.startAtEnd(end);
            done.moveFloor(end, endOffset);
        } else {
            done.moveFloor(first, head.start(first, state.place()));
        }
        settle();
    }

    long id() {
        return id;
    }

    /** Returns the cursor's name, empty for the log's own. */
    public String name() {
        return name;
    }

    /** Returns the sequence below which everything is consumed. */
    public long floor() {
        return done.floor();
    }

    /** Returns the bytes of all records below the floor. */
    public long floorOffset() {
        return done.floorOffset();
    }

    /** Returns the number of records appended and not consumed. */
    public long size() {
        return done.left(log::visible);
    }

    /** Returns the number of records consumed since the log was opened. */
    public long removed() {
        return done.sinceOpen();
    }

    /** Returns the number of records lost to damage since the log was opened. */
    public long skipped() {
        return done.skipped();
    }

    /** Returns the number of records that are on lease. */
    public int leased() {
        lock.lock();
        try {
            Delivery unused = inFlight.firstReady(); // ends those that are out too long
            return inFlight.leased();
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns the payload of the next record; null for none. */
    public byte @Nullable [] poll() throws IOException {
        return run(poll);
    }

    /** Returns the payload of the next record, which stays; null for none. */
    public byte @Nullable [] peek() throws IOException {
        return run(peek);
    }

    /** Hands out the next record and counts that on disk; null where there is none, or as many are out as may be. */
    public @Nullable LogLease lease() throws IOException {
        return run(lease);
    }

    /** Takes the next record for as long as it is decoded, without counting it: it counts as removed until it is given back. */
    public @Nullable LogLease reserve() throws IOException {
        return run(reserve);
    }

    private <R> @Nullable R run(Step<R> step) throws IOException {
        for (; ; ) {
            DamagedRecord damaged;
            lock.lock();
            try {
                checkOpen();
                return step.take();
            } catch (DamagedRecord e) {
                damaged = e;
            } finally {
                lock.unlock();
            }
            LogOptions.OnDamage decision = log.onDamage(damaged.damage());
            if (decision != LogOptions.OnDamage.STOP) {
                pass(damaged.sequence());
            }
            if (decision != LogOptions.OnDamage.SKIP) {
                throw damaged.damage();
            }
        }
    }

    @GuardedBy("lock")
    private byte @Nullable [] pollNext() throws IOException {
        Delivery back = inFlight.firstReady();
        if (back != null) {
            byte[] payload = readAgain(back);
            consume(back.sequence(), back.segment());
            return payload;
        }
        byte[] payload = readHead();
        if (payload != null) {
            consumeHead();
        }
        return payload;
    }

    @GuardedBy("lock")
    private byte @Nullable [] peekNext() throws IOException {
        Delivery back = inFlight.firstReady();
        return back == null ? readHead() : readAgain(back);
    }

    @GuardedBy("lock")
    private @Nullable LogLease leaseNext(boolean counts) throws IOException {
        Delivery back = inFlight.firstReady();
        if (counts && inFlight.leased() >= bounds.most()) {
            return null;
        }
        byte[] payload = back == null ? readHead() : readAgain(back);
        if (payload == null) {
            return null;
        }
        Delivery next = back == null ? head.delivery() : back;
        if (counts) {
            journal.attempted(id, next.sequence(), new Attempt(next.times() + 1, 0));
        }
        if (back == null) {
            head.advance();
        }
        if (counts) {
            inFlight.lease(next, System.nanoTime() + bounds.timeout().toNanos());
        } else {
            inFlight.reserve(next);
            done.reserve();
        }
        return new LogLease(this, payload, next);
    }

    @GuardedBy("lock")
    private byte[] readAgain(Delivery back) throws IOException {
        try {
            return head.readAgain(back);
        } catch (CorruptLogException damage) {
            throw new DamagedRecord(damage, back.sequence());
        }
    }

    /** Returns the next record's payload; records before it whose time has not come are passed. */
    @GuardedBy("lock")
    private byte @Nullable [] readHead() throws IOException {
        for (; ; ) {
            long before = head.sequence();
            byte[] found;
            try {
                found = head.read();
            } catch (CorruptLogException damage) {
                throw new DamagedRecord(damage, head.sequence());
            }
            if (head.sequence() != before) {
                settle();
            }
            if (found == null) {
                return null;
            }
            long waitMillis = head.notBeforeMillis(found) - System.currentTimeMillis();
            if (waitMillis <= 0) {
                return head.element(found);
            }
            Delivery waiting = head.delivery();
            head.advance();
            inFlight.await(waiting, System.nanoTime() + InFlight.nanos(Duration.ofMillis(waitMillis)));
        }
    }

    /** Consumes the record that {@link #readHead} gave; where the journal cannot be written, it stays. */
    @GuardedBy("lock")
    private void consumeHead() throws IOException {
        long sequence = head.sequence();
        Segment segment = head.segment();
        journal.consumed(id, sequence, sequence + 1);
        boolean segmentDone = head.isLastOfSegment() || segment.firstSequence() != floorSegment;
        head.advance();
        if (inFlight.isEmpty() && done.isGapless()) {
            done.advance(sequence + 1, head.offset());
            log.floorMoved();
            floorSegment = segment.firstSequence();
        } else {
            done.add(sequence, sequence + 1);
            settle();
            segmentDone |= done.covers(segment);
        }
        if (segmentDone) {
            log.reclaim();
        }
        if (segmentDone || ++unplaced >= REMOVALS_PER_PLACE) {
            place();
        }
    }

    /** Consumes a record that is not the head; a failure ends the log, so that the next open hands the record out again. */
    @GuardedBy("lock")
    private void consume(long sequence, @Nullable Segment segment) throws IOException {
        writeConsumed(sequence, sequence + 1);
        done.add(sequence, inFlight.isReserved(sequence));
        inFlight.remove(sequence);
        head.forget(sequence);
        settle();
        if (hasFloorLeftSegment() || (segment != null && done.covers(segment))) {
            log.reclaim();
        }
    }

    @GuardedBy("lock")
    private boolean hasFloorLeftSegment() {
        long segment = log.segments().firstOf(done.floor());
        boolean left = segment != floorSegment;
        floorSegment = segment;
        return left;
    }

    /** Moves the floor over what is consumed, as far as the head has come. */
    @GuardedBy("lock")
    private void settle() {
        try {
            head.passConsumed();
        } catch (IOException notNow) {
            // the head goes on when it is read
        }
        long next = Math.min(done.settled(), head.sequence());
        if (next > done.floor()) {
            Delivery first = inFlight.first();
            moveFloor(next, first == null || first.sequence() != next ? head.offset() : first.offset());
        }
    }

    @GuardedBy("lock")
    private void moveFloor(long next, long offset) {
        done.moveFloor(next, offset);
        log.floorMoved();
    }

    /** Consumes a damaged record, and those behind it that cannot be read, unless that was done meanwhile. */
    private void pass(long sequence) throws IOException {
        lock.lock();
        try {
            if (inFlight.contains(sequence)) {
                journal.consumed(id, sequence, sequence + 1);
                inFlight.remove(sequence);
                done.skip(sequence, sequence + 1);
            } else if (head.sequence() == sequence) {
                long end = head.skipDamage();
                journal.consumed(id, sequence, end);
                done.skip(sequence, end);
            }
            settle();
            log.reclaim();
        } finally {
            lock.unlock();
        }
    }

    /** Consumes what was handed out; returns false where another lease or nobody has it. */
    boolean acknowledge(long sequence, long token) throws IOException {
        lock.lock();
        try {
            checkOpen();
            Delivery delivery = inFlight.valid(sequence, token);
            if (delivery == null) {
                return false;
            }
            consume(sequence, delivery.segment());
            return true;
        } finally {
            lock.unlock();
            log.arrivals().raise(); // a lease may be free
        }
    }

    /** Lets what was handed out be handed out again, counted or not; returns false where the lease has ended. */
    boolean giveBack(long sequence, long token, Duration delay, boolean counts) throws IOException {
        lock.lock();
        try {
            Delivery delivery = inFlight.valid(sequence, token);
            if (delivery == null || !inFlight.isOut(delivery)) {
                return false;
            }
            if (counts && !dropped && !log.isEnded()) {
                long notBefore = delay.isZero() ? 0 : System.currentTimeMillis() + delay.toMillis();
                journal.attempted(id, sequence, new Attempt(delivery.times(), notBefore));
            }
            done.unreserve(delivery.isReserved());
            inFlight.giveBack(delivery, System.nanoTime() + InFlight.nanos(delay), counts);
            dueChanges.incrementAndGet();
            return true;
        } finally {
            lock.unlock();
            log.arrivals().raise();
        }
    }

    /** Lets a lease end later, or earlier, than it would; returns false where it has ended. */
    boolean extend(long sequence, long token, Duration time) throws IOException {
        lock.lock();
        try {
            checkOpen();
            Delivery unused = inFlight.firstReady(); // ends those that are out too long
            boolean extended = inFlight.extend(sequence, token, System.nanoTime() + InFlight.nanos(time));
            dueChanges.incrementAndGet();
            return extended;
        } finally {
            lock.unlock();
            log.arrivals().raise();
        }
    }

    /** Consumes a record wherever it stands; returns false where it is consumed already. */
    public boolean remove(long sequence) throws IOException {
        lock.lock();
        try {
            checkOpen();
            if (sequence < 1 || sequence > log.visible() || done.contains(sequence) || inFlight.isReserved(sequence)) {
                return false;
            }
            consume(sequence, null);
            return true;
        } finally {
            lock.unlock();
            log.arrivals().raise(); // a lease may be free
        }
    }

    /** Returns whether a record is consumed, or is being consumed by a poll that decodes it. */
    public boolean isConsumed(long sequence) {
        if (done.isCertain(sequence)) {
            return sequence < done.floor();
        }
        lock.lock();
        try {
            return done.contains(sequence) || inFlight.isReserved(sequence);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether all sequences from {@code first} to before {@code end} are consumed. */
    boolean covers(long first, long end) {
        if (end <= done.floor()) {
            return true;
        }
        lock.lock();
        try {
            return done.covers(first, end);
        } finally {
            lock.unlock();
        }
    }

    /** Adds what is consumed above the floor to a state. */
    void copyAbove(ConsumerState target) {
        SequenceRanges above = new SequenceRanges();
        lock.lock();
        try {
            done.copyTo(above);
        } finally {
            lock.unlock();
        }
        above.forEach(target::consume);
    }

    /** Consumes all that was appended before the call, also what is in flight. */
    public void clear() throws IOException {
        lock.lock();
        try {
            checkOpen();
            head.startAtEnd();
            writeConsumed(0, head.sequence());
            inFlight.clear();
            done.unreserveAll();
            moveFloor(head.sequence(), head.offset());
            log.reclaim();
        } finally {
            lock.unlock();
            log.arrivals().raise();
        }
    }

    @GuardedBy("lock")
    private void writeConsumed(long first, long end) throws IOException {
        try {
            journal.consumed(id, first, end);
        } catch (IOException e) {
            log.fail(e);
            throw e;
        }
    }

    /** Consumes the oldest record; returns false where it is on lease, or there is none. */
    public boolean dropOldest() throws IOException {
        lock.lock();
        try {
            Delivery unused = inFlight.firstReady(); // ends leases that are out too long
            Delivery first = inFlight.first();
            if (first != null && first.sequence() == done.floor()) {
                boolean isFree = !inFlight.isOut(first);
                if (isFree) {
                    consume(first.sequence(), first.segment());
                }
                return isFree;
            }
        } finally {
            lock.unlock();
        }
        return poll() != null;
    }

    /**
     * Waits until there may be something to hand out; returns false where {@code deadlineNanos} is past.
     *
     * @param toLease whether it is to be leased, so that a lease must be free too
     */
    public boolean awaitRecord(long deadlineNanos, boolean toLease) throws IOException, InterruptedException {
        long now = System.nanoTime();
        if (deadlineNanos - now <= 0) {
            return false;
        }
        long most;
        long changes;
        lock.lock();
        try {
            checkOpen();
            log.checkFailure();
            changes = dueChanges.get();
            // a lease that is given from now on may end, too
            most = Math.min(inFlight.nanosToNext(deadlineNanos - now), InFlight.nanos(bounds.timeout()));
        } finally {
            lock.unlock();
        }
        log.arrivals().await(() -> changes != dueChanges.get() || mayHaveNext(toLease), now + most);
        return true;
    }

    private boolean mayHaveNext(boolean toLease) {
        if (log.isEnded() || !lock.tryLock()) {
            return true; // another thread is at it: look again
        }
        try {
            boolean isReturned = inFlight.firstReady() != null;
            boolean isFree = !toLease || inFlight.leased() < bounds.most();
            return dropped || (isFree && (isReturned || done.left(log::visible) > inFlight.count() - done.reserved()));
        } finally {
            lock.unlock();
        }
    }

    /** Tells the journal where the floor's record stands. */
    void rememberPlace() {
        lock.lock();
        try {
            if (!dropped) {
                place();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void place() {
        unplaced = 0;
        Delivery first = inFlight.first();
        journal.placed(id, first != null && first.sequence() == done.floor() ? first.place() : head.place());
    }

    /** Ends this cursor: every use of it throws from now on. */
    void drop() throws IOException {
        lock.lock();
        try {
            dropped = true;
            close();
            log.arrivals().raise();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            inFlight.clear();
            head.close();
        } finally {
            lock.unlock();
        }
    }

    private void checkOpen() throws LogClosedException {
        if (dropped) {
            throw new LogClosedException("cursor was dropped");
        }
        log.checkOpen();
    }
}
