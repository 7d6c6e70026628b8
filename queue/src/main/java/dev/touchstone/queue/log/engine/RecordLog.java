package dev.touchstone.queue.log.engine;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogCounts;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.Maintenance;
import dev.touchstone.queue.log.OneShotTimer;
import dev.touchstone.queue.log.QueueRuntime;
import dev.touchstone.queue.log.Signal;
import dev.touchstone.queue.log.commit.AppendCompletion;
import dev.touchstone.queue.log.commit.AsyncCommits;
import dev.touchstone.queue.log.commit.LogWriter;
import dev.touchstone.queue.log.commit.SegmentOutput;
import dev.touchstone.queue.log.consume.ConsumedLog;
import dev.touchstone.queue.log.consume.ConsumerRegistry;
import dev.touchstone.queue.log.consume.ConsumptionJournal;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.recover.Recovery;
import dev.touchstone.queue.log.recover.RecoveryOutcome;
import dev.touchstone.queue.log.segment.LogReader;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A durable FIFO of byte records: many appenders, and cursors that consume. Thread-safe. */
public final class RecordLog implements ConsumedLog, Closeable {
    /*
     * Lock order:     the registry's monitor, a cursor's lock, the journal's, then the store's and the limiter's monitors. Appenders take
     *                 none of them but the store's, once a segment, and a cursor's where the oldest make room.
     * Invariants:     a record is handed out only when committed; a segment is taken back only when the device knows that each cursor
     *                 has consumed it.
     */
    private final LogOptions options;
    private final FileIo io;
    private final Closeable lock;
    private final SegmentStore segments;
    private final LogWriter writer;
    private final AsyncCommits async;
    private final Maintenance maintenance;
    private final OneShotTimer retentionTimer;
    private final Signal arrivals = new Signal();
    private final Signal room = new Signal();
    private final Appender appender;
    private final ConsumptionJournal journal;
    private final ConsumerRegistry cursors;
    private final RecoveryOutcome outcome;
    private final long firstAppended;
    private volatile boolean closed; // written under this

    /** A receiver of records that are not copied for it; the payload is valid during the call only. */
    public interface Visitor {
        /** Takes a record; returns whether to go on. */
        boolean visit(long sequence, ByteBuffer payload);
    }

    private RecordLog(LogOptions options, FileIo io, QueueRuntime runtime, Closeable lock, ConsumptionJournal journal)
            throws IOException {
        this.options = options;
        this.io = io;
        this.lock = lock;
        this.journal = journal;
        Recovery.Result recovered = Recovery.run(io, options, journal);
        this.outcome = recovered.outcome();
        this.segments = recovered.segments();
        this.firstAppended = recovered.nextSequence();
        this.maintenance = new Maintenance(runtime, options.folder(), this::fail);
        boolean begun = false;
        try {
            this.retentionTimer = maintenance.timer(this::reclaim);
            this.writer = new LogWriter(
                    io,
                    options,
                    segments,
                    maintenance,
                    options.retention().isAny() ? this::reclaim : () -> {},
                    journal,
                    arrivals,
                    firstAppended,
                    recovered.nextOffset());
            this.async = new AsyncCommits(writer, maintenance);
            Limiter limiter = options.limits().isAny()
                    ? new Limiter(io, options, room, firstAppended - 1, recovered.nextOffset())
                    : null;
            this.cursors = new ConsumerRegistry(this, options, journal, firstAppended, recovered.nextOffset());
            this.appender = new Appender(this, options, writer, async, limiter, cursors, room);
            cursors.release(segments);
            floorMoved();
            armRetention();
            journal.onFailure(this::fail);
            maintenance.start();
            begun = true;
        } finally {
            if (!begun) {
                maintenance.close();
            }
        }
    }

    /** Opens the folder's log, made where absent, and recovers it. */
    public static RecordLog open(LogOptions options) throws IOException {
        return open(options, new DiskFileIo());
    }

    public static RecordLog open(LogOptions options, FileIo io) throws IOException {
        return open(options, io, QueueRuntime.shared());
    }

    /** Opens the folder's log, whose background work the threads of {@code runtime} do. */
    public static RecordLog open(LogOptions options, FileIo io, QueueRuntime runtime) throws IOException {
        io.createFolder(options.folder());
        Closeable lock = io.lock(options.folder().resolve("LOCK"), options.lockTimeout());
        boolean opened = false;
        try {
            boolean deferring = options.commit() == LogOptions.Commit.MEMORY;
            ConsumptionJournal journal = ConsumptionJournal.open(io, options.folder(), deferring);
            try {
                RecordLog log = new RecordLog(options, io, runtime, lock, journal);
                opened = true;
                return log;
            } finally { // no catch: the damage handler may throw a checked exception that is not declared
                if (!opened) {
                    journal.close();
                }
            }
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    /**
     * Appends a record; on return it is where the options' {@link LogOptions.Commit} says.
     *
     * @param waitNanos how long to wait for room where a limit is reached; not where the oldest make room
     * @return the record's sequence, 0 where there is no room
     */
    public long append(long waitNanos, byte[] payload) throws IOException, InterruptedException {
        return appender.append(waitNanos, payload);
    }

    /** Appends a record as {@link #append(long, byte[])} does that no cursor hands out before {@code delay} is over. */
    public long append(long waitNanos, byte[] payload, Duration delay) throws IOException, InterruptedException {
        return appender.append(waitNanos, payload, delay);
    }

    /**
     * Appends records as {@link #append(long, byte[])} does, with one commit for all where they fit into a batch; returns false where none of
     * them is in the log.
     */
    public boolean appendAll(long waitNanos, List<byte[]> payloads) throws IOException, InterruptedException {
        return appender.appendAll(waitNanos, payloads);
    }

    /** Appends a record and returns as soon as it has its place; {@code completion} is told when it is committed. */
    public boolean appendAsync(long waitNanos, byte[] payload, AppendCompletion completion)
            throws IOException, InterruptedException {
        return appender.appendAsync(waitNanos, payload, completion);
    }

    /** Returns the log's cursors. */
    public ConsumerRegistry cursors() {
        return cursors;
    }

    /**
     * Iterates over the records that are in the log now and that its own cursor has not consumed; where only named cursors consume, over those
     * from the first on that the slowest has not consumed.
     */
    public LogIterator iterator() throws IOException {
        LogCursor own = cursors.own();
        return options.namedCursorsOnly()
                ? iterator(null, cursors.lowestFloor(own.floor()))
                : iterator(own, own.floor());
    }

    /** Iterates over the records from a sequence on that are in the log now, consumed or not. */
    public LogIterator iterator(long sequence) throws IOException {
        return iterator(null, Math.max(sequence, oldestSequence()));
    }

    /**
     * Returns the payload of a record; null where it is not there (any more).
     *
     * @param unconsumed whether a record that the log's own cursor has consumed counts as not there
     */
    public byte @Nullable [] read(long sequence, boolean unconsumed) throws IOException {
        checkOpen();
        if (sequence < oldestSequence()
                || sequence > visible()
                || (unconsumed && cursors.own().isConsumed(sequence))
                || !isCommitted(sequence)) {
            return null;
        }
        LogIterator records = new LogIterator(this, null, sequence, sequence);
        try {
            return records.next();
        } finally {
            records.close();
        }
    }

    private LogIterator iterator(@Nullable LogCursor cursor, long first) throws IOException {
        checkOpen();
        if (options.commit() != LogOptions.Commit.DEVICE) {
            writer.commitOpen();
        }
        return new LogIterator(this, cursor, first, writer.committed());
    }

    /** Gives records to {@code visitor} as {@link #iterator(long)} does, without copying; returns how many. */
    public long visit(long sequence, Visitor visitor) throws IOException {
        LogIterator records = iterator(sequence);
        long visited = 0;
        try {
            boolean more = true;
            for (ByteBuffer payload = records.view(); more && payload != null; payload = more ? records.view() : null) {
                visited++;
                more = visitor.visit(records.sequence(), payload.asReadOnlyBuffer());
            }
        } finally {
            records.close();
        }
        return visited;
    }

    /** Returns the number of records appended and not consumed: by the log's own cursor, or by the slowest where only named ones consume. */
    public long size() {
        return options.namedCursorsOnly()
                ? Math.max(0, visible() + 1 - cursors.lowestFloor(cursors.own().floor()))
                : cursors.own().size();
    }

    /** Returns the number of records for which there is room. */
    public long remainingRecords() {
        return appender.remaining();
    }

    /** Returns once all that was appended and removed before the call is on the device. */
    public void flush() throws IOException {
        checkOpen();
        maintenance.uninterrupted(this::forceAll);
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        arrivals.raise();
        room.raise();
        try (lock;
                segments) {
            try {
                closeWriter();
                maintenance.uninterrupted(this::forceAll);
                cutLast();
                journal.writeClosed();
            } catch (IOException | RuntimeException | Error e) {
                writer.fail(e); // nobody writes once the lock is given back
                throw e;
            } finally {
                try (journal) {
                    cursors.close();
                }
            }
        }
    }

    private void closeWriter() throws IOException {
        try {
            writer.close();
        } finally {
            try {
                async.close();
            } finally {
                maintenance.close();
            }
            writer.release();
        }
    }

    /** Cuts off the room behind the last record, and deletes a segment without one. */
    private void cutLast() throws IOException {
        Segment begun = writer.lastSegment();
        if (begun != null && writer.committed() < begun.firstSequence()) {
            segments.release(begun);
        }
        writer.output().cutLast();
    }

    /** Forces everything. A failed force ends the log: what it should have brought to the device may be gone from the page cache. */
    private void forceAll() throws IOException {
        writer.commitOpen();
        long committed = writer.committed();
        if (options.commit() != LogOptions.Commit.DEVICE) {
            segments.force(journal.checkpoint(), committed, this::fail);
        }
        try {
            writer.checkFailure();
            journal.checkpoint(committed + 1);
            cursors.force();
        } catch (IOException e) {
            fail(e);
            throw e;
        }
    }

    /** Returns what the recovery found when the log was opened. */
    public RecoveryOutcome outcome() {
        return outcome;
    }

    /** Returns counters of the log. */
    public LogCounts counts() {
        SegmentOutput output = writer.output();
        List<Segment> live = List.copyOf(segments.live());
        return new LogCounts(
                visible() + 1 - firstAppended,
                output.writes(),
                options.commit() == LogOptions.Commit.DEVICE ? output.writes() : 0,
                output.writeNanos(),
                output.worstWriteNanos(),
                appender.refused(),
                appender.dropped(),
                oldestSequence(),
                visible() + 1,
                live.size(),
                segments.spareCount(),
                live.stream().mapToLong(Segment::diskBytes).sum());
    }

    @Override
    public String toString() {
        return options.folder() + " " + options.commit();
    }

    @Override
    public LogReader newReader() {
        return new LogReader(io, segments);
    }

    @Override
    public SegmentStore segments() {
        return segments;
    }

    @Override
    public Signal arrivals() {
        return arrivals;
    }

    @Override
    public boolean isEnded() {
        return closed || writer.hasFailed();
    }

    @Override
    public void checkFailure() throws IOException {
        writer.checkFailure();
    }

    @Override
    public void checkOpen() throws LogClosedException {
        if (closed) {
            throw new LogClosedException(options.folder());
        }
    }

    @Override
    public LogOptions.OnDamage onDamage(CorruptLogException damage) {
        return options.onDamage().apply(damage);
    }

    @Override
    public void fail(Throwable cause) {
        writer.fail(cause);
        arrivals.raise();
        room.raise();
    }

    @Override
    public long committed() {
        return writer.committed();
    }

    /** Returns the last sequence that a consumer can be given. */
    @Override
    public long visible() {
        return writer.visible();
    }

    @Override
    public boolean isCommitted(long sequence) throws IOException {
        if (sequence > writer.committed() && sequence <= visible()) {
            writer.commitOpen();
        }
        return sequence <= writer.committed();
    }

    /** Returns the first sequence that is still there. */
    public long oldestSequence() {
        return segments.oldestSequence(writer.committed() + 1);
    }

    /** Lets {@code reader} start behind everything that was appended by now; returns the sequence of what comes there. */
    @Override
    public long startAtEnd(LogReader reader) throws IOException {
        writer.commitOpen();
        long next = writer.committed() + 1;
        writer.startAtEnd(reader, next);
        return next;
    }

    @Override
    public void floorMoved() {
        appender.floorMoved();
    }

    /** Takes back what all cursors have consumed, in the background. */
    @Override
    public void reclaim() {
        maintenance.reclaim(this::releaseConsumed);
    }

    private void releaseConsumed() {
        try {
            cursors.release(segments);
            armRetention();
        } catch (IOException notNow) {
            // what could not be taken back is with the next segment, or by the next open
            if (options.retention().isAny()) {
                retentionTimer.arm(segments.retentionStepNanos());
            }
        }
    }

    /** Has the oldest retained segment looked at again when its time is over. */
    private void armRetention() throws IOException {
        long nanos = segments.retainedNanos(cursors.lowestFloor(1));
        if (nanos > 0) {
            retentionTimer.arm(nanos);
        }
    }
}
