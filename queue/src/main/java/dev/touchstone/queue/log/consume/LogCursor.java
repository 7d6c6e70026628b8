package dev.touchstone.queue.log.consume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.LogClock;
import dev.touchstone.queue.log.consume.ChangeGuard.Step;
import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import dev.touchstone.queue.log.consume.InFlight.Delivery;
import dev.touchstone.queue.log.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A position of consumption in a log: the records that are consumed, those in flight, and the one that comes next. Thread-safe. */
public final class LogCursor extends GuardedCursor implements RecordCursor, Closeable {
    /*
     * Who calls:      any number of consumers. User code (codec, damage handler) runs in the caller, never under the lock.
     * Lock:           this cursor's monitor for all its state; inside it the journal's and the store's monitors. A monitor, because the JVM
     *                 releases it even for a thread whose stack is used up.
     * Invariants:     floor <= head <= committed + 1. Below the floor all is consumed; between floor and head a sequence is consumed
     *                 or in flight; from head on nothing was handed out, but iterators may have consumed some.
     * Failure:        the journal is written before the state changes, so an entry that could not be written leaves the record where
     *                 it is, and a lease out. Anything thrown in the middle of a change, as for want of stack or memory, ends the log
     *                 (ChangeGuard).
     */
    private static final int REMOVALS_PER_PLACE = 1024;

    private final LogClock clock;
    private final ConsumptionJournal journal;
    private final JournaledCursor journaled;
    private final String name;
    private final AckedRanges done = new AckedRanges();

    @SuppressWarnings("GuardedBy") // run takes the lock
    private final Step<byte[]> poll = this::pollNext;

    @SuppressWarnings("GuardedBy")
    private final Step<LogLease> lease = () -> leaseNext(true, 0, 0);

    @SuppressWarnings("GuardedBy")
    private final Step<LogLease> reserve = () -> leaseNext(false, 0, 0);

    @GuardedBy("this")
    private final ReadPosition head;

    @GuardedBy("this")
    private final InFlight inFlight;

    @GuardedBy("this")
    private long floorSegment; // first sequence of the segment that the floor was in when it was last looked at

    @GuardedBy("this")
    private int unplaced;

    private final AtomicLong dueChanges = new AtomicLong();

    /**
     * Creates a cursor that goes on where its state says.
     *
     * @param end the sequence that the log's next record will have
     * @param endOffset bytes of all records before it
     */
    LogCursor(ConsumedLog log, ConsumptionJournal journal, JournaledCursor journaled, long end, long endOffset)
            throws IOException {
        super(log, journaled.state().name());
        this.clock = log.clock();
        this.inFlight = new InFlight(clock);
        this.journal = journal;
        this.journaled = journaled;
        ConsumerState state = journaled.state();
        this.name = state.name();
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

    JournaledCursor journaled() {
        return journaled;
    }

    @Override
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

    @Override
    public long size() {
        return done.left(log::visible);
    }

    @Override
    public long removed() {
        return done.sinceOpen();
    }

    @Override
    public long skipped() {
        return done.skipped();
    }

    @Override
    public synchronized int leased() {
        Delivery unused = firstReady(); // ends those that are out too long
        return inFlight.leased();
    }

    @Override
    public byte @Nullable [] poll() throws IOException {
        return run(poll);
    }

    @Override
    @SuppressWarnings("GuardedBy")
    public byte @Nullable [] peek() throws IOException {
        return run(this::peekNext);
    }

    @Override
    public @Nullable LogLease lease() throws IOException {
        return run(lease);
    }

    @Override
    public @Nullable LogLease reserve() throws IOException {
        return run(reserve);
    }

    /** Hands out the next record as {@link #lease()} does, to an owner. */
    @SuppressWarnings("GuardedBy")
    public @Nullable LogLease lease(long owner) throws IOException {
        return run(() -> leaseNext(true, 0, owner));
    }

    /** Takes the next record as {@link #reserve()} does, for an owner; it is handed out again when {@code time} is over. */
    @SuppressWarnings("GuardedBy")
    public @Nullable LogLease reserve(Duration time, long owner) throws IOException {
        return run(() -> leaseNext(false, InFlight.nanos(time), owner));
    }

    /** Ends all leases of an owner. */
    @SuppressWarnings("GuardedBy")
    public void endLeases(long owner) throws IOException {
        boolean unused = raising(() -> locked(() -> {
            changes.begin();
            inFlight.endLeases(owner);
            dueChanges.incrementAndGet();
            return true;
        }));
    }

    /** Returns the oldest record that is ready to be handed out again, or null; leases that are out too long end. */
    @GuardedBy("this")
    private @Nullable Delivery firstReady() {
        if (!changes.isWhole()) {
            return null; // the next step ends the log
        }
        changes.begin();
        Delivery first = inFlight.firstReady();
        for (int ended = inFlight.takeEndedReservations(); ended > 0; ended--) {
            done.unreserve(true);
        }
        changes.end();
        return first;
    }

    @GuardedBy("this")
    private byte @Nullable [] pollNext() throws IOException {
        Delivery back = firstReady();
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

    @GuardedBy("this")
    private byte @Nullable [] peekNext() throws IOException {
        Delivery back = firstReady();
        return back == null ? readHead() : readAgain(back);
    }

    @GuardedBy("this")
    private @Nullable LogLease leaseNext(boolean counts, long reservedNanos, long owner) throws IOException {
        Delivery back = firstReady();
        if (counts && inFlight.leased() >= log.leases().most()) {
            return null;
        }
        byte[] payload = back == null ? readHead() : readAgain(back);
        if (payload == null) {
            return null;
        }
        Delivery next = back == null ? head.delivery() : back;
        changes.begin();
        next.owner(owner);
        if (counts) {
            journal.attempted(journaled, next.sequence(), new Attempt(next.times() + 1, 0));
        }
        if (back == null) {
            head.advance();
        }
        if (counts) {
            inFlight.lease(next, clock.nanos() + log.leases().timeout().toNanos());
        } else if (reservedNanos > 0) {
            inFlight.reserve(next, clock.nanos() + reservedNanos);
            done.reserve();
        } else {
            inFlight.reserve(next);
            done.reserve();
        }
        changes.end();
        return new LogLease(this, payload, next);
    }

    @GuardedBy("this")
    private byte[] readAgain(Delivery back) throws IOException {
        try {
            return head.readAgain(back);
        } catch (CorruptLogException damage) {
            throw new DamagedRecord(damage, back.sequence());
        }
    }

    /** Returns the next record's payload; records before it whose time has not come are passed. */
    @GuardedBy("this")
    private byte @Nullable [] readHead() throws IOException {
        for (; ; ) {
            byte[] found = readNext();
            if (found == null) {
                return null;
            }
            long waitMillis = head.notBeforeMillis(found) - clock.millis();
            if (waitMillis <= 0) {
                return head.element(found);
            }
            Delivery waiting = head.delivery();
            changes.begin();
            head.advance();
            inFlight.await(waiting, clock.nanos() + InFlight.nanos(Duration.ofMillis(waitMillis)));
            changes.end();
        }
    }

    /** Returns the next record's payload, whether or not its time has come; null where there is none. */
    @GuardedBy("this")
    private byte @Nullable [] readNext() throws IOException {
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
        return found;
    }

    /** Consumes the record that {@link #readHead} or {@link #readNext} gave; where the journal cannot be written, it stays. */
    @GuardedBy("this")
    private void consumeHead() throws IOException {
        long sequence = head.sequence();
        Segment segment = head.segment();
        changes.begin();
        boolean inTurn = inFlight.isEmpty() && done.isGapless();
        if (inTurn) {
            journal.consumedInTurn(journaled, sequence);
        } else {
            journal.consumed(journaled, sequence, sequence + 1);
        }
        boolean segmentDone = head.isLastOfSegment() || segment.firstSequence() != floorSegment;
        head.advance();
        if (inTurn) {
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

    /** Consumes a record that is not the head; where the journal cannot be written, it stays. */
    @GuardedBy("this")
    private void consume(long sequence, @Nullable Segment segment) throws IOException {
        changes.begin();
        journal.consumed(journaled, sequence, sequence + 1);
        done.add(sequence, inFlight.isReserved(sequence));
        inFlight.remove(sequence);
        head.forget(sequence);
        settle();
        if (hasFloorLeftSegment() || (segment != null && done.covers(segment))) {
            log.reclaim();
        }
    }

    @GuardedBy("this")
    private boolean hasFloorLeftSegment() {
        long segment = log.segments().firstOf(done.floor());
        boolean left = segment != floorSegment;
        floorSegment = segment;
        return left;
    }

    /** Moves the floor over what is consumed, as far as the head has come. */
    @GuardedBy("this")
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

    @GuardedBy("this")
    private void moveFloor(long next, long offset) {
        changes.begin();
        done.moveFloor(next, offset);
        log.floorMoved();
    }

    @Override
    @SuppressWarnings("GuardedBy")
    void pass(long sequence) throws IOException {
        Object unused = whileOpen(
                () -> { // the handler may have taken long
                    changes.begin();
                    if (inFlight.contains(sequence)) {
                        journal.consumed(journaled, sequence, sequence + 1);
                        inFlight.remove(sequence);
                        done.skip(sequence, sequence + 1);
                    } else if (head.sequence() == sequence) {
                        long end = head.skipDamage();
                        writeConsumed(sequence, end);
                        done.skip(sequence, end);
                    }
                    settle();
                    log.reclaim();
                    return null;
                });
    }

    /** Consumes what was handed out; returns false where another lease or nobody has it. */
    @SuppressWarnings("GuardedBy")
    public boolean acknowledge(long sequence, long token) throws IOException {
        return raising(() -> whileOpen(() -> {
            Delivery delivery = inFlight.valid(sequence, token);
            if (delivery == null) {
                return false;
            }
            consume(sequence, delivery.segment());
            return true;
        }));
    }

    /** Lets what was handed out be handed out again, counted or not; returns false where the lease has ended. */
    @SuppressWarnings("GuardedBy")
    public boolean giveBack(long sequence, long token, Duration delay, boolean counts) throws IOException {
        return raising(() -> locked(() -> {
            Delivery delivery = inFlight.valid(sequence, token);
            if (delivery == null) {
                return false;
            }
            changes.begin();
            if (counts && !dropped && !log.isEnded()) {
                long notBefore = delay.isZero() ? 0 : clock.millis() + delay.toMillis();
                journal.attempted(journaled, sequence, new Attempt(delivery.times(), notBefore));
            }
            done.unreserve(delivery.isReserved());
            inFlight.giveBack(delivery, clock.nanos() + InFlight.nanos(delay), counts);
            dueChanges.incrementAndGet();
            return true;
        }));
    }

    /** Lets a lease end later, or earlier, than it would; returns false where it has ended. */
    @SuppressWarnings("GuardedBy")
    public boolean extend(long sequence, long token, Duration time) throws IOException {
        return raising(() -> whileOpen(() -> {
            Delivery unused = firstReady(); // ends those that are out too long
            changes.begin();
            boolean extended = inFlight.extend(sequence, token, clock.nanos() + InFlight.nanos(time));
            dueChanges.incrementAndGet();
            return extended;
        }));
    }

    @Override
    @SuppressWarnings("GuardedBy")
    public boolean remove(long sequence) throws IOException {
        return raising(() -> whileOpen(() -> {
            if (sequence < 1 || sequence > log.visible() || done.contains(sequence) || inFlight.isReserved(sequence)) {
                return false;
            }
            consume(sequence, null);
            return true;
        }));
    }

    /** Returns whether a record is consumed, or is being consumed by a poll that decodes it. */
    public boolean isConsumed(long sequence) {
        if (done.isCertain(sequence)) {
            return sequence < done.floor();
        }
        synchronized (this) {
            return done.contains(sequence) || inFlight.isReserved(sequence);
        }
    }

    /** Returns whether all sequences from {@code first} to before {@code end} are consumed. */
    boolean covers(long first, long end) {
        if (end <= done.floor()) {
            return true;
        }
        synchronized (this) {
            return changes.isWhole() && done.covers(first, end); // else a file might be released too early
        }
    }

    /** Adds what is consumed above the floor to a state. */
    void copyAbove(ConsumerState target) {
        SequenceRanges above = new SequenceRanges();
        synchronized (this) {
            done.copyTo(above);
        }
        above.forEach(target::consume);
    }

    @Override
    @SuppressWarnings("GuardedBy")
    public void clear() throws IOException {
        boolean unused = raising(() -> whileOpen(() -> {
            head.startAtEnd();
            changes.begin();
            writeConsumed(0, head.sequence());
            inFlight.clear();
            done.unreserveAll();
            moveFloor(head.sequence(), head.offset());
            log.reclaim();
            return true;
        }));
    }

    /** Writes what the head has passed already, so that a failure ends the log. */
    @GuardedBy("this")
    private void writeConsumed(long first, long end) throws IOException {
        try {
            journal.consumed(journaled, first, end);
        } catch (IOException e) {
            log.fail(e);
            throw e;
        }
    }

    /** Consumes the oldest record, whether or not its time has come; returns false where it is on lease, or there is none. */
    @SuppressWarnings("GuardedBy")
    public boolean dropOldest() throws IOException {
        return Boolean.TRUE.equals(run(this::dropNext));
    }

    @GuardedBy("this")
    private boolean dropNext() throws IOException {
        Delivery unused = firstReady(); // ends leases that are out too long
        Delivery first = inFlight.first();
        if (first == null || first.sequence() != done.floor()) {
            boolean isThere = readNext() != null;
            if (isThere) {
                consumeHead();
            }
            return isThere;
        }
        boolean isFree = !inFlight.isOut(first);
        if (isFree) {
            consume(first.sequence(), first.segment());
        }
        return isFree;
    }

    @Override
    public boolean awaitRecord(long deadlineNanos, boolean toLease) throws IOException, InterruptedException {
        long now = System.nanoTime();
        if (deadlineNanos - now <= 0) {
            return false;
        }
        long before = dueChanges.get();
        long most;
        synchronized (this) {
            checkOpen();
            log.checkFailure();
            // a lease that is given from now on may end, too
            most = Math.min(
                    inFlight.nanosToNext(deadlineNanos - now) - clock.lagNanos(),
                    InFlight.nanos(log.leases().timeout()));
        }
        log.arrivals().await(() -> before != dueChanges.get() || mayHaveNext(toLease), now + most);
        return true;
    }

    private synchronized boolean mayHaveNext(boolean toLease) {
        boolean isReturned = firstReady() != null;
        boolean isFree = !toLease || inFlight.leased() < log.leases().most();
        return dropped
                || !changes.isWhole()
                || log.isEnded()
                || (isFree && (isReturned || done.left(log::visible) > inFlight.count() - done.reserved()));
    }

    /** Returns the number of records in flight, and of ranges consumed above the floor. */
    public synchronized int gaps() {
        return inFlight.count() + done.gaps();
    }

    /** Returns the cursor's whole state. */
    public synchronized CursorImage image() {
        Delivery unused = firstReady();
        return CursorImage.of(done, head, inFlight);
    }

    /** Takes over the state of another replica's cursor, before anybody uses this one. The log holds all records from this one's floor on. */
    public synchronized void restore(CursorImage image) throws IOException {
        journal.consumed(journaled, 0, image.floor());
        for (CursorImage.Range range : image.consumed()) {
            journal.consumed(journaled, range.first(), range.end());
        }
        image.restore(done, head, inFlight);
        log.floorMoved();
    }

    /** Tells the journal where the floor's record stands. */
    synchronized void rememberPlace() {
        if (!dropped) {
            place();
        }
    }

    @GuardedBy("this")
    private void place() {
        unplaced = 0;
        Delivery first = inFlight.first();
        journal.placed(journaled, first != null && first.sequence() == done.floor() ? first.place() : head.place());
    }

    /** Ends this cursor: every use of it throws from now on. */
    void drop() throws IOException {
        dropped = true;
        close();
        log.arrivals().raise();
    }

    @Override
    public synchronized void close() throws IOException {
        inFlight.clear();
        head.close();
    }
}
