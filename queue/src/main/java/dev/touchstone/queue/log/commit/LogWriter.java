package dev.touchstone.queue.log.commit;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.Maintenance;
import dev.touchstone.queue.log.OneShotTimer;
import dev.touchstone.queue.log.Signal;
import dev.touchstone.queue.log.segment.LogReader;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Appends records: threads fill a shared batch without locks, full or awaited batches are written in order. Thread-safe. */
public final class LogWriter implements GroupCommitter.Work {
    /*
     * Roles:          an appender claims room in the current batch and copies its record there. The one whose claim does not fit
     *                 is the sealer: it opens the next batch of the ring, rolling the segment where needed, and asks for the
     *                 sealed one to be written. The committer's owner writes (see GroupCommitter).
     * Invariants:     exactly one sealer for each use of a batch, so opening is done by one thread at a time and in order; a batch
     *                 is opened only when free; a batch lies within one segment.
     * Back-pressure:  with all batches sealed and unwritten, appenders wait for the writer.
     * Refusal:        a sealer that gets no room for the next batch leaves its role in `orphan`, for the next who comes.
     * Delay:          MEMORY only: the first claim of a batch's use arms the timer before its copy is counted, so that no record can be in
     *                 memory with no timer armed except while that append is under way, and nobody could write the batch earlier. The
     *                 firing writes all that was claimed before it looks (OneShotTimer). A refused write arms the timer again.
     * Bound:          records in memory <= BATCHES x records of a batch, bytes likewise.
     */
    public static final int BATCHES = 4;
    private static final int MAX_RECORDS = 1 << 20;
    private static final int ANY = RecordFormat.HEADER_BYTES + RecordFormat.ALIGNMENT;

    private final SegmentStore segments;
    private final Maintenance maintenance;
    private final OneShotTimer lateCommit; // MEMORY only
    private final long delayNanos;
    private final Runnable onSegmentEnded;
    private final ConsumptionRecords consumption;
    private final SegmentOutput output;
    private final boolean awaited;
    private final boolean device;
    private final GroupCommitter committer;
    private final Batch[] ring = new Batch[BATCHES];
    private final AtomicBoolean preparing = new AtomicBoolean();
    private final LogOptions options;
    private final AtomicReference<@Nullable Batch> orphan =
            new AtomicReference<>(); // sealed, and no batch opened behind it
    private final Signal arrivals;
    private volatile Batch current;
    private volatile boolean closed;
    private volatile boolean stalled; // true while there may be an orphan, and once closed
    private int currentIndex; // the sealer's
    private int nextToWrite; // the owner's

    /**
     * Begins a segment for the next record, where there is room for one.
     *
     * @param onSegmentEnded called by the appender that has begun the next segment
     * @param arrivals raised when records can be read
     */
    public LogWriter(
            FileIo io,
            LogOptions options,
            SegmentStore segments,
            Maintenance maintenance,
            Runnable onSegmentEnded,
            ConsumptionRecords consumption,
            Signal arrivals,
            long nextSequence,
            long nextOffset)
            throws IOException {
        this.options = options;
        this.segments = segments;
        this.maintenance = maintenance;
        this.onSegmentEnded = onSegmentEnded;
        this.lateCommit = maintenance.timer(this::commitLate);
        this.delayNanos = options.batch().delay().toNanos();
        this.consumption = consumption;
        this.arrivals = arrivals;
        this.output = new SegmentOutput(io, options, segments, consumption, maintenance, this::fail);
        this.device = options.commit() == LogOptions.Commit.DEVICE;
        this.awaited = options.commit() != LogOptions.Commit.MEMORY;
        int batchRecords =
                awaited ? MAX_RECORDS : Math.min(MAX_RECORDS, options.batch().records() / BATCHES);
        for (int i = 0; i < BATCHES; i++) {
            ring[i] = new Batch(options.batch().bytes() / BATCHES, batchRecords, awaited);
        }
        this.committer = new GroupCommitter(this, device, nextSequence - 1);
        current = ring[0];
        try {
            Segment first = segments.begin(nextSequence, nextOffset, ANY + ConsumptionRecords.MAX_BYTES);
            current.prepare(first, SegmentHeader.BYTES, nextSequence, nextOffset, 0);
            current.admit(0);
        } catch (LogRefusedException later) {
            currentIndex = BATCHES - 1; // the next one is the first to be written
            current = ring[currentIndex];
            current.prepareEnded(
                    nextSequence, nextOffset); // the log can be read, and perhaps so emptied that there is room
            refuse(current);
        }
    }

    private void refuse(Batch sealedBatch) {
        stalled = true;
        orphan.set(sealedBatch);
    }

    /**
     * Puts a record into a batch and returns its sequence; its negative where the calling thread is not enrolled to be woken.
     *
     * @param wait whether the caller will {@link #await} it
     * @throws LogRefusedException if there is no room for it; it is then not in the log
     */
    public long put(byte[] payload, boolean wait) throws IOException {
        int bytes = RecordFormat.recordBytes(payload.length);
        for (; ; ) {
            committer.checkFailure();
            Batch batch = current;
            boolean sealer = false;
            if (!stalled || batch.isOpen()) { // claims without an end would let the claim word overflow
                long claim = batch.claim(bytes);
                if (batch.granted(claim, bytes)) {
                    return put(batch, claim, bytes, payload, wait);
                }
                sealer = batch.crossed(claim);
                if (sealer) {
                    seal(batch, claim);
                }
            }
            if (!sealer && !inheritsOrAwaitsNext(batch)) {
                continue;
            }
            Batch next = advance(batch, bytes, false);
            long sequence = put(next, next.firstClaim(), bytes, payload, wait);
            if (wait || !awaited) {
                committer.request(); // only now: this thread may have to write what others seal
            }
            return sequence;
        }
    }

    private void seal(Batch batch, long claim) {
        try {
            batch.sealAt(claim, consumption);
        } catch (RuntimeException | Error e) {
            committer.fail(e); // or everybody would wait for this thread for ever
            throw e;
        }
    }

    private long put(Batch batch, long claim, int bytes, byte[] payload, boolean wait) {
        long sequence = batch.sequence(claim);
        if (!awaited && Batch.index(claim) == 0) {
            commitLater();
        }
        batch.put(claim, bytes, payload, wait);
        if (!awaited) {
            arrivals.raise();
        }
        return wait && Batch.index(claim) < Batch.WAITERS ? sequence : -sequence;
    }

    /** Returns once the record that {@link #put} gave is where the log's options promise. */
    public void await(long put) throws IOException {
        if (awaited) {
            committer.await(Math.abs(put), put > 0);
        }
    }

    /** Has written what others may wait for; does not throw. */
    public void request() {
        committer.request();
    }

    /** Returns once the record with this sequence, which somebody has put, is committed. */
    public void awaitCommitted(long sequence) throws IOException {
        committer.await(sequence, false);
    }

    /** The sequence that the next record will have. */
    public long nextSequence() {
        for (int spins = 0; ; spins++) {
            Batch batch = current;
            long sequence = batch.claimedSequence();
            if (sequence >= 0 && batch == current) {
                return sequence;
            }
            if (batch.isSealed() || orphan.get() == batch) {
                long end = batch.endSequence();
                if (batch == current && (batch.isSealed() || orphan.get() == batch)) {
                    return end;
                }
            }
            if (closed || committer.hasFailed()) {
                return committer.committed() + 1;
            }
            Batch.pause(spins);
        }
    }

    /** Every record up to this sequence has been written. */
    public long committed() {
        return committer.committed();
    }

    /** Writes what was appended before the call, if it isn't written yet. */
    public void commitOpen() throws IOException {
        committer.checkFailure();
        committer.await(nextSequence() - 1, false);
    }

    /** Has what is in memory written within the delay; called once something was put into an empty batch. */
    public void commitLater() {
        lateCommit.arm(delayNanos);
    }

    private void commitLate() {
        try {
            commitOpen();
        } catch (LogRefusedException e) {
            commitLater(); // until there is room
        } catch (IOException toldToAppendersToo) {
            // the log has failed
        }
    }

    /** Throws what ended the log, if anything has. */
    public void checkFailure() throws IOException {
        committer.checkFailure();
    }

    /** Ends the log: something beside the appending has failed. */
    public void fail(Throwable cause) {
        committer.fail(cause);
    }

    public boolean hasFailed() {
        return committer.hasFailed();
    }

    /** Lets {@code reader} start where {@code sequence}, the next to be committed, will most likely stand. */
    public void startAtEnd(LogReader reader, long sequence) throws IOException {
        Batch open = current;
        Segment segment = open.segmentOrNull();
        if (segment == null) {
            reader.close();
        } else {
            reader.start(segment, open.position(), sequence, open.offset());
        }
    }

    public SegmentOutput output() {
        return output;
    }

    /** Ends appending and returns once all is written. Called once. */
    public void close() throws IOException {
        for (int spins = 0; !current.seal(true, consumption) && !inherits(current); spins++) {
            committer.checkFailure();
            Batch.pause(spins);
        }
        closed = true;
        stalled = true;
        Batch last = current;
        committer.request();
        committer.await(last.endSequence() - 1, false);
        for (int spins = 0; last.isSealed(); spins++) {
            committer.checkFailure();
            Batch.pause(spins);
        }
    }

    /** Closes the file that was written to; nothing is written any more. */
    public void release() throws IOException {
        output.close();
    }

    /** Where the log ends, once closed. */
    public long endPosition() {
        return current.endPosition();
    }

    @Nullable
    public Segment lastSegment() {
        return current.segmentOrNull();
    }

    @Override
    public boolean sealOpen() throws IOException {
        Batch batch = current;
        if (!batch.seal(false, consumption) && !inherits(batch)) {
            return false;
        }
        advance(batch, 0, true);
        return true;
    }

    @Override
    public @Nullable Batch nextSealed() {
        Batch batch = ring[nextToWrite];
        return batch.isSealed() ? batch : null;
    }

    @Override
    public void write(Batch batch) throws IOException {
        if (batch.records() == 0) {
            return;
        }
        output.write(batch);
        if (device) {
            consumption.forceOverflow();
        }
    }

    @Override
    public void written(Batch batch) {
        nextToWrite = (nextToWrite + 1) % BATCHES;
        batch.release();
        arrivals.raise();
    }

    @Override
    public int openRecords() {
        return current.count();
    }

    @Override
    public @Nullable Thread anyWaiter() {
        return awaited ? current.anyWaiter() : null;
    }

    @Override
    public void wakeAll() {
        for (Batch batch : ring) {
            batch.wakeAllEver();
        }
    }

    /** The sealer's: opens the next batch, with {@code needed} bytes granted to the caller, and returns it. */
    private Batch advance(Batch sealedBatch, int needed, boolean owner) throws IOException {
        Segment segment = sealedBatch.segmentOrNull();
        long position = sealedBatch.endPosition();
        long sequence = sealedBatch.endSequence();
        long offset = sealedBatch.endOffset();
        Batch next = ring[(currentIndex + 1) % BATCHES];
        try {
            awaitFree(next, owner);
            if (segment == null || Math.max(needed, ANY) > Batch.room(segment, position)) {
                segment = segments.begin(sequence, offset, Math.max(needed, ANY) + ConsumptionRecords.MAX_BYTES);
                position = SegmentHeader.BYTES;
                onSegmentEnded.run();
            } else if (device && position > segment.bytes() / 2) {
                prepareSpare();
            }
            next.prepare(segment, position, sequence, offset, needed);
        } catch (LogRefusedException e) {
            refuse(sealedBatch);
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            committer.fail(e);
            throw e;
        }
        currentIndex = (currentIndex + 1) % BATCHES;
        stalled = closed;
        current = next;
        next.admit(needed);
        return next;
    }

    private void awaitFree(Batch next, boolean owner) throws IOException {
        if (next.isFree()) {
            return;
        }
        int refusals = committer.refusals();
        if (owner) {
            committer.writeSealed();
        } else {
            committer.request();
        }
        for (int spins = 0; !next.isFree(); spins++) {
            committer.checkSince(refusals);
            Batch.pause(spins);
        }
    }

    /** Waits for the batch behind this one; true where the caller is to open it, because its sealer could not. */
    private boolean inheritsOrAwaitsNext(Batch batch) throws IOException {
        for (int spins = 0; batch == current && !batch.isOpen(); spins++) {
            if (inherits(batch)) {
                return true;
            }
            committer.checkFailure();
            if (closed) {
                throw new LogClosedException(options.folder());
            }
            Batch.pause(spins);
        }
        return false;
    }

    private boolean inherits(Batch batch) {
        return orphan.get() == batch && orphan.compareAndSet(batch, null);
    }

    private void prepareSpare() {
        if (!segments.isPrepared() && preparing.compareAndSet(false, true)) {
            maintenance.execute(this::makeSpare);
        }
    }

    private void makeSpare() {
        try {
            segments.prepareSpare();
        } catch (IOException notNow) {
            // begin() makes it when it is needed, and tells its caller if that fails again
        } finally {
            preparing.set(false);
        }
    }
}
