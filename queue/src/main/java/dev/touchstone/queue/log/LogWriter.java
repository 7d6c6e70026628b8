package dev.touchstone.queue.log;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Appends records: threads fill a shared batch without locks, full or awaited batches are written in order. Thread-safe. */
final class LogWriter implements GroupCommitter.Work {
    /*
     * Roles:          an appender claims room in the current batch and copies its record there. The one whose claim does not fit
     *                 is the sealer: it opens the next batch of the ring, rolling the segment where needed, and asks for the
     *                 sealed one to be written. The committer's owner writes (see GroupCommitter).
     * Invariants:     exactly one sealer for each use of a batch, so opening is done by one thread at a time and in order; a batch
     *                 is opened only when free; a batch lies within one segment.
     * Back-pressure:  with all batches sealed and unwritten, appenders wait for the writer.
     * Bound:          records in memory <= BATCHES x records of a batch, bytes likewise.
     */
    static final int BATCHES = 4;
    private static final int MOST_RECORDS = 1 << 20;
    private static final int ANY = RecordFormat.HEADER_BYTES + RecordFormat.ALIGNMENT;

    private final FileIo io;
    private final SegmentStore segments;
    private final CursorFile cursor;
    private final Executor maintenance;
    private final boolean awaited;
    private final boolean device;
    private final GroupCommitter committer;
    private final Batch[] ring = new Batch[BATCHES];
    private final AtomicBoolean preparing = new AtomicBoolean();
    private final LogOptions options;
    private volatile Batch current;
    private volatile boolean closed;

    private int currentIndex; // the sealer's

    // The owner's; counters are read by anybody.
    private int nextToWrite;
    private @Nullable Segment writingTo;
    private FileIo.@Nullable DataFile writing;
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong forces = new AtomicLong();

    LogWriter(
            FileIo io,
            LogOptions options,
            SegmentStore segments,
            CursorFile cursor,
            Executor maintenance,
            long nextSequence)
            throws IOException {
        this.io = io;
        this.options = options;
        this.segments = segments;
        this.cursor = cursor;
        this.maintenance = maintenance;
        this.device = options.commit() == LogOptions.Commit.DEVICE;
        this.awaited = options.commit() != LogOptions.Commit.MEMORY;
        int batchRecords = awaited ? MOST_RECORDS : Math.min(MOST_RECORDS, options.batchRecords() / BATCHES);
        for (int i = 0; i < BATCHES; i++) {
            ring[i] = new Batch(options.batchBytes() / BATCHES, batchRecords, awaited);
        }
        Segment first = segments.begin(nextSequence);
        current = ring[0];
        current.prepare(first, SegmentHeader.BYTES, nextSequence, first.bytes() - SegmentHeader.BYTES, 0);
        current.admit(0);
        this.committer = new GroupCommitter(this, device, nextSequence - 1);
    }

    /** Appends a record and returns its sequence once it is where the log's options promise. */
    long append(byte[] payload) throws IOException {
        int bytes = RecordFormat.recordBytes(payload.length);
        for (; ; ) {
            committer.checkFailure();
            Batch batch = current;
            long claim = batch.claim(bytes);
            if (batch.granted(claim, bytes)) {
                long sequence = batch.sequence(claim);
                batch.put(claim, bytes, payload);
                return committed(sequence, claim);
            }
            if (batch.crossed(claim)) {
                batch.sealAt(claim);
                Batch next = advance(batch, bytes, false);
                long first = next.firstClaim();
                long sequence = next.sequence(first);
                next.put(first, bytes, payload); // before this thread may come to write what others seal
                committer.request();
                return committed(sequence, first);
            }
            awaitNext(batch);
        }
    }

    private long committed(long sequence, long claim) throws IOException {
        if (awaited) {
            committer.await(sequence, Batch.index(claim) < Batch.WAITERS);
        }
        return sequence;
    }

    /** The sequence that the next record will have. */
    long nextSequence() {
        for (int spins = 0; ; spins++) {
            Batch batch = current;
            long sequence = batch.claimedSequence();
            if (sequence >= 0 && batch == current) {
                return sequence;
            }
            if (closed || committer.hasFailed()) {
                return committer.committed() + 1;
            }
            Batch.pause(spins);
        }
    }

    /** Every record up to this sequence has been written. */
    long committed() {
        return committer.committed();
    }

    /** Writes what was appended before the call, if it isn't written yet. */
    void commitOpen() throws IOException {
        committer.checkFailure();
        committer.await(nextSequence() - 1, false);
    }

    /** Throws what ended the log, if anything has. */
    void checkFailure() throws IOException {
        committer.checkFailure();
    }

    /** Ends the log: something beside the appending has failed. */
    void fail(IOException cause) {
        committer.fail(cause);
    }

    /** Lets {@code reader} start where {@code sequence}, the next to be committed, will most likely stand. */
    void startAtEnd(LogReader reader, long sequence) throws IOException {
        Batch open = current;
        reader.start(open.segment(), open.position(), sequence);
    }

    long writes() {
        return writes.get();
    }

    long forces() {
        return forces.get();
    }

    /** Ends appending and returns once all is written. Called once. */
    void close() throws IOException {
        for (int spins = 0; !current.seal(true); spins++) {
            committer.checkFailure();
            Batch.pause(spins);
        }
        closed = true;
        Batch last = current;
        committer.request();
        committer.await(last.endSequence() - 1, false);
        for (int spins = 0; last.isSealed(); spins++) {
            Batch.pause(spins);
        }
    }

    /** Closes the file that was written to; nothing is written any more. */
    void release() throws IOException {
        if (writing != null) {
            writing.close();
        }
    }

    /** Where the log ends, once closed. */
    long endPosition() {
        return current.endPosition();
    }

    Segment lastSegment() {
        return current.segment();
    }

    @Override
    public boolean sealOpen() throws IOException {
        Batch batch = current;
        if (!batch.seal(false)) {
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
        batch.writeTo(fileOf(batch.segment()));
        writes.getAndIncrement();
        if (device) {
            forces.getAndIncrement();
        }
    }

    @Override
    public void written(Batch batch) {
        nextToWrite = (nextToWrite + 1) % BATCHES;
        batch.release();
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
        Segment segment = sealedBatch.segment();
        long position = sealedBatch.endPosition();
        long sequence = sealedBatch.endSequence();
        Batch next = ring[(currentIndex + 1) % BATCHES];
        try {
            awaitFree(next, owner);
            if (position + Math.max(needed, ANY) > segment.bytes()) {
                segment = segments.begin(sequence);
                position = SegmentHeader.BYTES;
            } else if (device && position > segment.bytes() / 2) {
                prepareSpare();
            }
            next.prepare(segment, position, sequence, segment.bytes() - position, needed);
        } catch (IOException | RuntimeException | Error e) {
            committer.fail(e);
            throw e;
        }
        currentIndex = (currentIndex + 1) % BATCHES;
        current = next;
        next.admit(needed);
        return next;
    }

    private void awaitFree(Batch next, boolean owner) throws IOException {
        if (next.isFree()) {
            return;
        }
        if (owner) {
            committer.writeSealed();
        } else {
            committer.request();
        }
        for (int spins = 0; !next.isFree(); spins++) {
            committer.checkFailure();
            Batch.pause(spins);
        }
    }

    private void awaitNext(Batch batch) throws IOException {
        for (int spins = 0; batch == current && !batch.isOpen(); spins++) {
            committer.checkFailure();
            if (closed) {
                throw new LogClosedException(options.folder());
            }
            Batch.pause(spins);
        }
    }

    private FileIo.DataFile fileOf(Segment segment) throws IOException {
        FileIo.DataFile file = writing;
        if (file == null || writingTo != segment) {
            finishSegment();
            file = io.open(segment.path(), segments.writeAccess());
            writing = file;
            writingTo = segment;
        }
        return file;
    }

    /** A full segment goes to the device behind the appenders' backs, and the checkpoint after it. */
    private void finishSegment() {
        FileIo.DataFile file = writing;
        Segment segment = writingTo;
        if (file != null && segment != null) {
            inBackground(() -> {
                try (file) {
                    if (!device) {
                        file.force();
                        io.forceFolder(options.folder());
                    }
                }
                cursor.checkpoint(segment.endSequence());
            });
        }
    }

    private void prepareSpare() {
        if (preparing.compareAndSet(false, true)) {
            inBackground(() -> {
                try {
                    segments.prepareSpare();
                } catch (IOException notNow) {
                    // begin() makes it when it is needed, and tells its caller if that fails again
                } finally {
                    preparing.set(false);
                }
            });
        }
    }

    private void inBackground(Background work) {
        try {
            maintenance.execute(() -> {
                try {
                    work.run();
                } catch (IOException e) {
                    committer.fail(e);
                }
            });
        } catch (RejectedExecutionException closing) {
            // close() forces what is left
        }
    }

    private interface Background {
        void run() throws IOException;
    }
}
