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
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The appending end of a log: threads fill a shared batch without locks, full or awaited batches are written in order. Thread-safe. */
public final class LogWriter implements GroupCommitter.Work {
    /*
     * Who calls:      an appender claims room in the current batch and copies its record there. The one whose claim does not fit
     *                 is the sealer: it opens the next batch of the ring, rolling the segment where needed, and asks for the
     *                 sealed one to be written. The committer's owner writes (see GroupCommitter).
     * Invariants:     exactly one sealer for each use of a batch, so opening is done by one thread at a time and in order; a batch
     *                 is opened only when free; a batch lies within one segment.
     *                 Records in memory <= BATCHES x records of a batch, bytes likewise: with all batches sealed and unwritten,
     *                 appenders wait for the writer.
     *                 Where the log commits to the page cache, the batches lie in a mapped file, and a record is acknowledged when
     *                 the copied prefix reaches it, or it is written; a record that is too large for the file, when it is written.
     * Ordering:       the sealer's fields -> next.admit() -> the next sealer, who crossed or sealed that batch; in a refusal -> orphan.
     *                 MEMORY only: the first claim of a batch's use arms the timer before its copy is counted, so that no record can be in
     *                 memory with no timer armed except while that append is under way, and nobody could write the batch earlier. The
     *                 firing writes all that was claimed before it looks (OneShotTimer). A refused write arms the timer again.
     * Failure:        a sealer that gets no room for the next batch leaves its role in `orphan`, for the next who comes. Anything
     *                 else that goes wrong between a claim and its copy, or in the sealer's work, ends the log: even a stack that
     *                 overflows there, where no method can be called any more.
     */
    static final int BATCHES = 4;
    private static final int MAX_RECORDS = 1 << 20;
    private static final int FULL_SHARE = 2; // of a segment, after which the next one's file is made
    private static final int GROWING_SHARE = 8; // of one whose successor is longer, and so takes longer to make
    private static final int MIN_BATCH_BYTES = 16 << 10;
    private static final long SCARCE_BYTES = 64 << 20;
    private static final int ANY = RecordFormat.HEADER_BYTES + RecordFormat.ALIGNMENT;

    private final FileIo io;
    private final SegmentStore segments;
    private final Maintenance maintenance;
    private final OneShotTimer lateCommit; // MEMORY only
    private final long delayNanos;
    private final Runnable onSegmentEnded;
    private final ConsumptionRecords consumption;
    private final SegmentOutput output;
    private final boolean device;
    private final int maxBatchBytes;
    private final @Nullable BatchFile file; // where the log commits to the page cache
    private final @Nullable CopiedPrefix prefix; // likewise
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
    private int batchBytes; // the sealer's: records of the present use
    private @Nullable Segment begun; // the sealer's: for the next batch, which was refused
    private int nextToWrite; // the owner's

    /**
     * Creates the writer and begins its first segment, or leaves that to the first append if there is no room.
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
        this.io = io;
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
        this.maxBatchBytes = options.batch().bytes() / BATCHES;
        boolean inFile = options.commit() == LogOptions.Commit.PAGE_CACHE;
        this.file = inFile ? new BatchFile(io, options.folder(), maxBatchBytes) : null;
        this.prefix = inFile ? new CopiedPrefix(nextSequence - 1) : null;
        int batchRecords = device || inFile
                ? MAX_RECORDS
                : Math.min(MAX_RECORDS, options.batch().records() / BATCHES);
        for (int i = 0; i < BATCHES; i++) {
            ring[i] = new Batch(batchRecords, device);
        }
        this.committer = new GroupCommitter(this, device, nextSequence - 1);
        currentIndex = BATCHES - 1; // the next one is the first to be written
        current = ring[currentIndex];
        current.prepareEnded(nextSequence, nextOffset);
        try {
            Batch unused = advance(current, 0, true);
        } catch (LogRefusedException later) {
            // the log can be read, and perhaps so emptied that there is room
        }
    }

    private void refuse(Batch sealedBatch) {
        stalled = true;
        orphan.set(sealedBatch);
    }

    /**
     * Puts a record into a batch and returns its sequence; its negative where the calling thread is not enrolled to be woken.
     *
     * @param kind {@link RecordFormat#APPENDED} or {@link RecordFormat#DELAYED}
     * @param wait whether the caller will {@link #await} it
     * @throws LogRefusedException if there is no room for it; it is then not in the log
     */
    public long put(int kind, byte[] payload, boolean wait) throws IOException {
        int bytes = RecordFormat.recordBytes(payload.length);
        for (; ; ) {
            committer.checkFailure();
            Batch batch = current;
            boolean awaited = false; // true while others wait for what this thread has begun
            try {
                if (!stalled || batch.isOpen()) { // claims without an end would let the claim word overflow
                    long claim = batch.claim(bytes);
                    awaited = true;
                    if (batch.granted(claim, bytes)) {
                        return put(batch, claim, bytes, kind, payload, wait);
                    }
                    awaited = batch.crossed(claim);
                    if (awaited) {
                        batch.sealAt(claim, consumption);
                    }
                }
                if (!awaited) {
                    awaited = inheritsOrAwaitsNext(batch);
                }
                if (awaited) {
                    return putBehind(batch, bytes, kind, payload, wait);
                }
            } catch (RuntimeException | Error e) {
                if (awaited) {
                    committer.failure = committer.failure == null ? e : committer.failure; // see GroupCommitter
                    committer.fail(e);
                }
                throw e;
            }
        }
    }

    /** Puts a record into the batch behind a sealed one. The sealer's. */
    private long putBehind(Batch batch, int bytes, int kind, byte[] payload, boolean wait) throws IOException {
        Batch next = advance(batch, bytes, false);
        long sequence = put(next, next.firstClaim(), bytes, kind, payload, wait);
        if (wait || !device) {
            committer.request(); // only now: this thread may have to write what others seal
        }
        return sequence;
    }

    private long put(Batch batch, long claim, int bytes, int kind, byte[] payload, boolean wait) {
        long sequence = batch.sequence(claim);
        if (!device && prefix == null && Batch.index(claim) == 0) {
            commitLater();
        }
        boolean mapped = batch.isMapped(); // asked before the copy is counted: the use may be over then
        batch.put(claim, bytes, kind, payload, wait);
        if (device) {
            return wait && Batch.index(claim) < Batch.WAITERS ? sequence : -sequence;
        }
        if (mapped && prefix != null) {
            prefix.add(sequence);
        }
        arrivals.raise();
        return mapped ? sequence : -sequence;
    }

    /** Returns once the record that {@link #put} gave is where the log's options promise. */
    public void await(long put) throws IOException {
        if (device) {
            committer.await(Math.abs(put), put > 0);
        } else if (prefix != null && (put < 0 || !prefix.reaches(put))) {
            committer.await(
                    Math.abs(put), false); // a record too large for the file, or an appender that takes its time
        }
    }

    /** Lets what others may wait for be written; does not throw. */
    public void request() {
        committer.request();
    }

    /** Returns once the record with this sequence, which somebody has put, is committed. */
    public void awaitCommitted(long sequence) throws IOException {
        if (prefix == null || !prefix.reaches(sequence)) {
            committer.await(sequence, false);
        }
    }

    /** Returns the last sequence that a consumer can be given, once it is committed. */
    public long visible() {
        if (prefix != null) {
            return Math.max(prefix.end(), committer.committed());
        }
        return device ? committer.committed() : nextSequence() - 1;
    }

    /** Returns the sequence that the next record will have. */
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
            Pause.after(spins);
        }
    }

    /** Returns the sequence up to which every record has been written. */
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
            Pause.after(spins);
        }
        closed = true;
        stalled = true;
        Batch last = current;
        committer.request();
        committer.await(last.endSequence() - 1, false);
        for (int spins = 0; last.isSealed(); spins++) {
            committer.checkFailure();
            Pause.after(spins);
        }
    }

    /** Closes the file that was written to; nothing is written any more. */
    public void release() throws IOException {
        try (output) {
            if (file != null) {
                file.close(closed && !committer.hasFailed() && committer.committed() == current.endSequence() - 1);
            }
        }
    }

    /** Returns the segment that was begun last; null where there was no room for one. */
    public @Nullable Segment lastSegment() {
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
        output.write(batch, committer::checkFailure);
        if (device) {
            consumption.forceOverflow();
        }
    }

    @Override
    public void written(Batch batch) {
        nextToWrite = (nextToWrite + 1) % BATCHES;
        if (prefix != null) {
            prefix.raiseTo(batch.endSequence() - 1);
        }
        boolean pooled = !batch.isMapped();
        ByteBuffer memory = batch.release();
        if (pooled) {
            BufferPool.SHARED.give(memory);
        }
        arrivals.raise();
    }

    @Override
    public int openRecords() {
        return current.count();
    }

    @Override
    public @Nullable Thread anyWaiter() {
        return device ? current.anyWaiter() : null;
    }

    @Override
    public void wakeAll() {
        for (Batch batch : ring) {
            batch.wakeAllEver();
        }
    }

    /** Opens the next batch, with {@code needed} bytes granted to the caller, and returns it. The sealer's. */
    private Batch advance(Batch sealedBatch, int needed, boolean owner) throws IOException {
        int index = (currentIndex + 1) % BATCHES;
        Batch next = ring[index];
        try {
            awaitFree(next, owner);
            // larger after a use that was full; a little smaller after one that was written early, since appends of one
            // commit shall fit into one batch, but twice as large as that needed to be
            batchBytes = owner ? Math.max(2 * sealedBatch.recordBytes(), batchBytes - batchBytes / 8) : 2 * batchBytes;
            batchBytes = Math.min(maxBatchBytes, Math.max(MIN_BATCH_BYTES, batchBytes));
            prepare(next, index, sealedBatch, needed);
        } catch (LogRefusedException e) {
            refuse(sealedBatch);
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            committer.fail(e);
            throw e;
        }
        currentIndex = index;
        stalled = closed;
        current = next;
        next.admit(needed);
        return next;
    }

    /** Prepares the next batch; a refusal leaves everything as it was, but for a segment that the next try uses. */
    private void prepare(Batch next, int index, Batch sealedBatch, int needed) throws IOException {
        Segment segment = sealedBatch.segmentOrNull();
        long position = sealedBatch.endPosition();
        long sequence = sealedBatch.endSequence();
        long offset = sealedBatch.endOffset();
        if (begun != null || segment == null || Math.max(needed, ANY) > Batch.room(segment, position)) {
            if (begun == null) {
                begun = segments.begin(sequence, offset, Math.max(needed, ANY) + ConsumptionRecords.MAX_BYTES);
                onSegmentEnded.run();
            }
            segment = begun;
            position = SegmentHeader.BYTES;
        } else if (device && position > segment.bytes() / (segments.isGrowing() ? GROWING_SHARE : FULL_SHARE)) {
            prepareSpare();
        }
        long room = Batch.room(segment, position);
        if (needed > room) {
            throw new IllegalArgumentException(
                    "record does not fit into a segment: bytes=" + needed + " expected at most " + room);
        }
        int limit = (int) Math.min(Math.max(needed, batchBytes), room);
        boolean mapped = file != null && limit <= maxBatchBytes;
        ByteBuffer memory;
        if (mapped && file != null) {
            memory = takeSlot(file, index, limit, segment, position);
            file.begin(index, segment, position, sequence);
        } else {
            memory = BufferPool.SHARED.take(limit);
        }
        begun = null;
        next.prepare(segment, position, sequence, offset, limit, memory, mapped);
    }

    /**
     * Takes the memory of a batch whose records will be acknowledged before they are written to the segment. Where the disk is nearly full
     * their room there is taken too, so that it is this call that is refused.
     */
    private ByteBuffer takeSlot(BatchFile slots, int index, int limit, Segment segment, long position)
            throws IOException {
        try {
            if (io.usableBytes(options.folder()) < SCARCE_BYTES) {
                try (FileIo.DataFile target = io.open(segment.path(), FileIo.Access.WRITE)) {
                    BatchFile.fill(target, position, limit + ConsumptionRecords.MAX_BYTES);
                }
            }
            return slots.take(index, limit);
        } catch (IOException e) {
            throw new LogRefusedException(e);
        }
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
            Pause.after(spins);
        }
    }

    /** Waits for the batch behind this one; returns true if the caller is to open it, because its sealer could not. */
    private boolean inheritsOrAwaitsNext(Batch batch) throws IOException {
        for (int spins = 0; batch == current && !batch.isOpen(); spins++) {
            if (inherits(batch)) {
                return true;
            }
            committer.checkFailure();
            if (closed) {
                throw new LogClosedException(options.folder());
            }
            Pause.after(spins);
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
