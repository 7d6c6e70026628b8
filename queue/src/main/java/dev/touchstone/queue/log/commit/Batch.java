package dev.touchstone.queue.log.commit;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Records that many appenders copy into one buffer at once and one thread writes to the log; used again and again. Thread-safe. */
final class Batch {
    /*
     * Life:           prepared -> open -> sealed -> (all copies done) written -> free ...
     * Who calls:      any thread claims and copies; the one thread whose claim did not fit, or whose seal() succeeded, is the
     *                 sealer of this use; the committer's owner writes and frees; the sealer of the batch before prepares, makes it
     *                 current, and only then opens it, so that a claim is granted on the current batch only.
     * Invariants:     a claim is granted only while the batch is open, and the batch is not freed before every granted claim is
     *                 copied; so whoever holds a granted claim sees the fields of its own use. The memory belongs to one use, and
     *                 is handed on by release().
     *                 The claim word counts claims in its upper 24 bits; its lower 40 bits are bytes, begun at CAP - limit, so that
     *                 "does not fit" is "bytes > CAP" whatever the limit of this use is: a thread that comes late, with a claim made
     *                 on an earlier use, needs no field of that use to see that it was refused.
     * Ordering:       prepare()'s plain writes -> claims.set -> a granted claim; copies -> copied.add -> the owner's read of copied.
     * Failure:        a copy that throws is not counted, so that a batch with a hole is never written; LogWriter ends the log, which the
     *                 owner sees while it waits for the copies.
     */
    private static final int COUNT_SHIFT = 40;
    private static final long ONE_RECORD = 1L << COUNT_SHIFT;
    private static final long BYTES_MASK = ONE_RECORD - 1;
    private static final long CAP = 1L << 38;
    private static final long SEAL = 1L << 39;
    static final int WAITERS = 1024;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final int maxRecords;
    private final AtomicLong claims = new AtomicLong(SEAL);
    private final AtomicLong copied = new AtomicLong();
    private final AtomicReferenceArray<@Nullable Thread> waiters;

    // Of the present use; written by prepare().
    private ByteBuffer buffer = NONE;
    private ByteBuffer view = NONE;
    private boolean mapped;
    private @Nullable Segment segment;
    private long position;
    private long offset;
    private long base;
    private volatile long firstSequence;

    // Written by the sealer, published by sealed.
    private int recordBytes;
    private int sealedBytes;
    private int sealedRecords;
    private volatile boolean sealed;
    private volatile boolean free = true;

    /** A look at what may have ended the log. */
    interface FailureCheck {

        /** Throws what ended the log, if anything has. */
        void throwIfFailed() throws IOException;
    }

    /**
     * Creates a batch that has no use yet.
     *
     * @param maxRecords that a use may take, at most 2^20
     * @param awaited whether appenders wait to be woken
     */
    Batch(int maxRecords, boolean awaited) {
        this.maxRecords = maxRecords;
        this.waiters = new AtomicReferenceArray<>(awaited ? WAITERS : 0);
    }

    /**
     * Prepares a use, which {@link #admit} begins.
     *
     * @param bytesBefore of all records before this batch
     * @param limit bytes of records that this use may take
     * @param memory with room for them, and for the consumption that may follow
     * @param fromFile whether the memory is a slot of the log's {@link BatchFile}
     */
    void prepare(
            Segment target, long at, long sequence, long bytesBefore, int limit, ByteBuffer memory, boolean fromFile) {
        free = false;
        buffer = memory;
        view = memory.duplicate();
        mapped = fromFile;
        segment = target;
        position = at;
        offset = bytesBefore;
        firstSequence = sequence;
        base = CAP - limit;
        copied.setPlain(0);
    }

    /** Prepares a use that is over already, with no records and no segment. */
    void prepareEnded(long sequence, long bytesBefore) {
        firstSequence = sequence;
        offset = bytesBefore;
    }

    /** Bytes of records that a batch may take which begins at {@code position} of the segment. */
    static long room(Segment segment, long position) {
        return segment.bytes() - position - ConsumptionRecords.MAX_BYTES;
    }

    /** Opens the prepared use to claims, having granted {@link #firstClaim} to the caller if {@code reserved} is not 0. */
    void admit(int reserved) {
        claims.set(reserved == 0 ? base : base + ONE_RECORD + reserved);
    }

    /** Returns the claim that {@link #admit} may reserve. */
    long firstClaim() {
        return base;
    }

    /** Claims room; the answer goes to {@link #granted}, {@link #crossed}, and with it to {@link #put}. */
    long claim(int recordBytes) {
        return claims.getAndAdd(ONE_RECORD + recordBytes);
    }

    /** Returns whether the claim got its room. */
    boolean granted(long claim, int recordBytes) {
        return index(claim) < maxRecords && (claim & BYTES_MASK) + recordBytes <= CAP;
    }

    /** Returns true for the one claim that found the batch open and did not fit: its thread is the sealer. */
    boolean crossed(long claim) {
        return isOpen(claim);
    }

    boolean isOpen() {
        return isOpen(claims.get());
    }

    private boolean isOpen(long claim) {
        return index(claim) <= maxRecords && (claim & BYTES_MASK) <= CAP;
    }

    /** Returns the records claimed in this use; meaningless once sealed. */
    int count() {
        return index(claims.get());
    }

    /** Returns the sequence after the last claimed record, or -1 if the batch is not open. */
    long claimedSequence() {
        long first = firstSequence;
        long claim = claims.get();
        return isOpen(claim) && first == firstSequence ? first + index(claim) : -1;
    }

    /** Returns the bytes of all records before this batch. */
    long offset() {
        return offset;
    }

    static int index(long claim) {
        return (int) (claim >>> COUNT_SHIFT);
    }

    long sequence(long claim) {
        return firstSequence + index(claim);
    }

    /** Returns whether what is copied into this use is in the page cache at once; for the holder of a granted claim. */
    boolean isMapped() {
        return mapped;
    }

    /** Copies a record into its granted place, having enrolled the calling thread for the wake-up if asked to and possible. */
    void put(long claim, int bytes, int kind, byte[] payload, boolean enrol) {
        int index = index(claim);
        if (enrol && index < waiters.length()) {
            waiters.set(index, Thread.currentThread());
        }
        int at = (int) ((claim & BYTES_MASK) - base);
        RecordFormat.put(buffer, at, firstSequence + index, segment().salt(), kind, payload);
        copied.getAndAdd(bytes);
    }

    /** Closes the batch to claims; returns true to the one caller that is its sealer. Leaves an empty batch open unless told otherwise. */
    boolean seal(boolean evenIfEmpty, ConsumptionRecords consumption) {
        for (; ; ) {
            long claim = claims.get();
            if (!isOpen(claim) || (index(claim) == 0 && !evenIfEmpty)) {
                return false;
            }
            if (claims.compareAndSet(claim, claim | SEAL)) {
                sealAt(claim, consumption);
                return true;
            }
        }
    }

    /** Fixes what the batch holds: all that was claimed before {@code claim}, and the consumption that goes with it. The sealer's. */
    void sealAt(long claim, ConsumptionRecords consumption) {
        recordBytes = (int) ((claim & BYTES_MASK) - base);
        sealedRecords = index(claim);
        sealedBytes = recordBytes;
        if (sealedRecords > 0) {
            sealedBytes += consumption.put(
                    buffer, recordBytes, endSequence(), segment().salt());
        }
        sealed = true;
    }

    boolean isSealed() {
        return sealed;
    }

    boolean isFree() {
        return free;
    }

    /** Returns where in the segment this batch begins. */
    long position() {
        return position;
    }

    long endPosition() {
        return position + sealedBytes;
    }

    long endSequence() {
        return firstSequence + sealedRecords;
    }

    /** Returns the bytes of this batch's records, once it is sealed. */
    int recordBytes() {
        return recordBytes;
    }

    /** Returns the bytes of all records up to the end of this batch. */
    long endOffset() {
        return offset + recordBytes;
    }

    int records() {
        return sealedRecords;
    }

    long firstSequence() {
        return firstSequence;
    }

    @Nullable
    Segment segmentOrNull() {
        return segment;
    }

    Segment segment() {
        Segment target = segment;
        if (target == null) {
            throw new IllegalStateException("batch was never opened");
        }
        return target;
    }

    /** Waits for the last copy, or the log's failure, and writes the records to {@code file}. The owner's. */
    void writeTo(FileIo.DataFile file, FailureCheck failure) throws IOException {
        for (int spins = 0; copied.get() < recordBytes; spins++) {
            failure.throwIfFailed();
            Pause.after(spins);
        }
        file.write(view.clear().limit(sealedBytes), position);
    }

    /** Wakes everybody whose record is in this batch. The owner's. */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    void wakeAll() {
        int enrolled = Math.min(sealedRecords, waiters.length());
        for (int i = 0; i < enrolled; i++) {
            Thread waiter = waiters.getAndSet(i, null);
            if (waiter != Thread.currentThread()) {
                LockSupport.unpark(waiter);
            }
        }
    }

    /** Hands the batch back for its next use, and returns the memory of this one. The owner's. */
    ByteBuffer release() {
        ByteBuffer memory = buffer;
        buffer = NONE;
        view = NONE;
        sealed = false;
        free = true;
        return memory;
    }

    /** Returns some thread that has a record in the present use and will wait for it, or null for none yet. */
    @Nullable
    Thread anyWaiter() {
        int enrolled = Math.min(count(), waiters.length());
        for (int i = 0; i < enrolled; i++) {
            Thread waiter = waiters.get(i);
            if (waiter != null) {
                return waiter;
            }
        }
        return null;
    }

    /** Wakes everybody enrolled, sealed or not: the log has failed. */
    void wakeAllEver() {
        for (int i = 0; i < waiters.length(); i++) {
            LockSupport.unpark(waiters.get(i));
        }
    }
}
