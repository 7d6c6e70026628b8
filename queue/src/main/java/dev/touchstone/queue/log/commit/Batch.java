package dev.touchstone.queue.log.commit;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A buffer that many appenders fill at once and one thread writes to the log; used again and again. */
public final class Batch {
    /*
     * Life:           prepared -> open -> sealed -> (all copies done) written -> free ...
     * Who calls:      any thread claims and copies; the one thread whose claim did not fit, or whose seal() succeeded, is the
     *                 sealer of this use; the drain's owner writes and frees; the sealer of the batch before prepares, makes it current,
     *                 and only then opens it, so that a claim is granted on the current batch only.
     * Claim word:     upper 24 bits count claims, lower 40 bits are bytes, begun at CAP - limit, so that "does not fit" is
     *                 "bytes > CAP" whatever the limit of this use is: a thread that comes late, with a claim made on an earlier
     *                 use, needs no field of that use to see that it was refused.
     * Invariants:     a claim is granted only while the batch is open, and the batch is not freed before every granted claim is
     *                 copied; so whoever holds a granted claim sees the fields of its own use.
     * Happens-before: prepare()'s plain writes -> claims.set -> a granted claim; copies -> copied.add -> the owner's read of copied.
     */
    private static final int COUNT_SHIFT = 40;
    private static final long ONE_RECORD = 1L << COUNT_SHIFT;
    private static final long BYTES_MASK = ONE_RECORD - 1;
    private static final long CAP = 1L << 38;
    private static final long SEAL = 1L << 39;
    public static final int WAITERS = 1024;
    private static final int SPINS_BEFORE_YIELD = 50;
    private static final int YIELDS_BEFORE_PARK = 1000;
    private static final long PARK_NANOS = 20_000;

    private final int ownBytes;
    private final ByteBuffer ownBuffer;
    private final ByteBuffer ownView;
    private final int maxRecords;
    private final AtomicLong claims = new AtomicLong(SEAL);
    private final AtomicLong copied = new AtomicLong();
    private final AtomicReferenceArray<@Nullable Thread> waiters;

    // Of the present use; written by prepare().
    private ByteBuffer buffer;
    private ByteBuffer view;
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

    public Batch(int bufferBytes, int maxRecords, boolean awaited) {
        this.ownBytes = bufferBytes;
        this.ownBuffer = newBuffer(bufferBytes);
        this.ownView = ownBuffer.duplicate();
        this.buffer = ownBuffer;
        this.view = ownView;
        this.maxRecords = maxRecords;
        this.waiters = new AtomicReferenceArray<>(awaited ? WAITERS : 0);
    }

    /** Room for the records asked for, and for the consumption that may follow them. */
    private static ByteBuffer newBuffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes + ConsumptionRecords.MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Prepares a use, which {@link #admit} begins. A record larger than the buffer gets one of its own.
     *
     * @param bytesBefore of all records before this batch
     * @param needed bytes of the record that will be put first
     */
    public void prepare(Segment target, long at, long sequence, long bytesBefore, int needed) {
        free = false;
        if (needed > ownBytes) {
            buffer = newBuffer(needed);
            view = buffer.duplicate();
        }
        segment = target;
        position = at;
        offset = bytesBefore;
        firstSequence = sequence;
        base = CAP - Math.min(Math.max(needed, ownBytes), room(target, at));
        copied.setPlain(0);
    }

    /** Prepares a use that is over already, with no records and no segment. */
    public void prepareEnded(long sequence, long bytesBefore) {
        firstSequence = sequence;
        offset = bytesBefore;
    }

    /** Bytes of records that a batch may take which begins at {@code position} of the segment. */
    public static long room(Segment segment, long position) {
        return segment.bytes() - position - ConsumptionRecords.MAX_BYTES;
    }

    /** Opens the prepared use to claims, having granted {@link #firstClaim} to the caller if {@code reserved} is not 0. */
    public void admit(int reserved) {
        claims.set(reserved == 0 ? base : base + ONE_RECORD + reserved);
    }

    /** The claim that {@link #admit} may reserve. */
    public long firstClaim() {
        return base;
    }

    /** Asks for room; the answer goes to {@link #granted}, {@link #crossed}, and with it to {@link #put}. */
    public long claim(int recordBytes) {
        return claims.getAndAdd(ONE_RECORD + recordBytes);
    }

    public boolean granted(long claim, int recordBytes) {
        return index(claim) < maxRecords && (claim & BYTES_MASK) + recordBytes <= CAP;
    }

    /** True for the one claim that found the batch open and did not fit: its thread is the sealer. */
    public boolean crossed(long claim) {
        return isOpen(claim);
    }

    public boolean isOpen() {
        return isOpen(claims.get());
    }

    private boolean isOpen(long claim) {
        return index(claim) <= maxRecords && (claim & BYTES_MASK) <= CAP;
    }

    /** Records claimed in this use; meaningless once sealed. */
    public int count() {
        return index(claims.get());
    }

    /** The sequence after the last claimed record, or -1 where the batch is not open. */
    public long claimedSequence() {
        long first = firstSequence;
        long claim = claims.get();
        return isOpen(claim) && first == firstSequence ? first + index(claim) : -1;
    }

    /** Bytes of all records before this batch. */
    public long offset() {
        return offset;
    }

    public static int index(long claim) {
        return (int) (claim >>> COUNT_SHIFT);
    }

    public long sequence(long claim) {
        return firstSequence + index(claim);
    }

    /** Copies a record into its granted place, having enrolled the calling thread for the wake-up if asked to and possible. */
    public void put(long claim, int bytes, byte[] payload, boolean enrol) {
        int index = index(claim);
        if (enrol && index < waiters.length()) {
            waiters.set(index, Thread.currentThread());
        }
        int at = (int) ((claim & BYTES_MASK) - base);
        try {
            RecordFormat.put(buffer, at, firstSequence + index, segment().salt(), RecordFormat.APPENDED, payload);
        } finally {
            copied.getAndAdd(bytes);
        }
    }

    /** Closes the batch to claims; true for the one caller that is its sealer. Leaves an empty batch open unless told otherwise. */
    public boolean seal(boolean evenIfEmpty, ConsumptionRecords consumption) {
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

    /** The sealer's: fixes what the batch holds, which is all that was claimed before {@code claim}, and the consumption that goes with it. */
    public void sealAt(long claim, ConsumptionRecords consumption) {
        recordBytes = (int) ((claim & BYTES_MASK) - base);
        sealedRecords = index(claim);
        sealedBytes = recordBytes;
        if (sealedRecords > 0) {
            sealedBytes += consumption.put(
                    buffer, recordBytes, endSequence(), segment().salt());
        }
        sealed = true;
    }

    public boolean isSealed() {
        return sealed;
    }

    public boolean isFree() {
        return free;
    }

    /** Where in the segment this batch begins. */
    public long position() {
        return position;
    }

    public long endPosition() {
        return position + sealedBytes;
    }

    public long endSequence() {
        return firstSequence + sealedRecords;
    }

    /** Bytes of all records up to the end of this batch. */
    public long endOffset() {
        return offset + recordBytes;
    }

    public int records() {
        return sealedRecords;
    }

    public long firstSequence() {
        return firstSequence;
    }

    @Nullable
    public Segment segmentOrNull() {
        return segment;
    }

    public Segment segment() {
        Segment target = segment;
        if (target == null) {
            throw new IllegalStateException("batch was never opened");
        }
        return target;
    }

    /** The owner's: waits for the last copy and writes the records to {@code file}. */
    public void writeTo(FileIo.DataFile file) throws IOException {
        for (int spins = 0; copied.get() < recordBytes; spins++) {
            pause(spins);
        }
        file.write(view.clear().limit(sealedBytes), position);
    }

    /** The owner's: wakes everybody whose record is in this batch. */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    public void wakeAll() {
        int enrolled = Math.min(sealedRecords, waiters.length());
        for (int i = 0; i < enrolled; i++) {
            Thread waiter = waiters.getAndSet(i, null);
            if (waiter != Thread.currentThread()) {
                LockSupport.unpark(waiter);
            }
        }
    }

    /** The owner's: hands the batch back for its next use. */
    public void release() {
        buffer = ownBuffer;
        view = ownView;
        sealed = false;
        free = true;
    }

    /** Some thread that has a record in the present use and will wait for it, or null for none yet. */
    @Nullable
    public Thread anyWaiter() {
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
    public void wakeAllEver() {
        for (int i = 0; i < waiters.length(); i++) {
            LockSupport.unpark(waiters.get(i));
        }
    }

    /** Waits a little, longer the more often it was called before: for what another thread is about to do. */
    public static void pause(int spins) {
        if (spins < SPINS_BEFORE_YIELD) {
            Thread.onSpinWait();
        } else if (spins < YIELDS_BEFORE_PARK) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }
}
