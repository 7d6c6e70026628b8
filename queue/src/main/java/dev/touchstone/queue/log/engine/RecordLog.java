package dev.touchstone.queue.log.engine;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogClock;
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
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A durable FIFO of byte records: many appenders, and cursors that consume. Thread-safe. */
public final class RecordLog implements QueueLog, ConsumedLog {
    /*
     * Lock order:     the registry's monitor, a cursor's lock, the journal's, then the store's and the limiter's monitors. Appenders take
     *                 none of them but the store's, once a segment, and a cursor's where the oldest make room.
     * Invariants:     a record is handed out only when committed; a segment is taken back only when the device knows that each cursor
     *                 has consumed it.
     */
    private final LogOptions options;
    private final FileIo io;
    private final LogClock clock;
    private final boolean replica;
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
    private volatile LogOptions.Leases leases;
    private volatile boolean closed; // written under this

    private RecordLog(
            LogOptions options,
            FileIo io,
            QueueRuntime runtime,
            @Nullable LogClock replicated,
            Closeable lock,
            ConsumptionJournal journal)
            throws IOException {
        this.options = options;
        this.io = io;
        this.clock = replicated == null ? LogClock.SYSTEM : replicated;
        this.replica = replicated != null;
        this.leases = options.leases();
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
            Limiter limiter = options.limits().isAny() || replica
                    ? new Limiter(io, options, replica, room, firstAppended - 1, recovered.nextOffset())
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
        return open(options, io, runtime, null);
    }

    /**
     * Opens a folder as one of several replicas that are given the same calls. It answers as they do, so leases and delays end by {@code
     * clock}, and no records behind an unconsumed one are taken back.
     */
    public static RecordLog openReplica(LogOptions options, FileIo io, LogClock clock) throws IOException {
        return open(options, io, QueueRuntime.shared(), clock);
    }

    private static RecordLog open(LogOptions options, FileIo io, QueueRuntime runtime, @Nullable LogClock replicated)
            throws IOException {
        io.createFolder(options.folder());
        Closeable lock = io.lock(options.folder().resolve("LOCK"), options.lockTimeout());
        boolean opened = false;
        try {
            boolean deferring = options.commit() == LogOptions.Commit.MEMORY;
            ConsumptionJournal journal = ConsumptionJournal.open(io, options.folder(), deferring);
            try {
                RecordLog log = new RecordLog(options, io, runtime, replicated, lock, journal);
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

    @Override
    public long append(long waitNanos, byte[] payload) throws IOException, InterruptedException {
        return appender.append(waitNanos, payload);
    }

    @Override
    public long append(long waitNanos, byte[] payload, Duration delay) throws IOException, InterruptedException {
        return appender.append(waitNanos, payload, delay);
    }

    @Override
    public boolean appendAll(long waitNanos, List<byte[]> payloads) throws IOException, InterruptedException {
        return appender.appendAll(waitNanos, payloads);
    }

    @Override
    public boolean appendAsync(long waitNanos, byte[] payload, AppendCompletion completion)
            throws IOException, InterruptedException {
        return appender.appendAsync(waitNanos, payload, completion);
    }

    /** Returns the log's cursors. */
    public ConsumerRegistry cursors() {
        return cursors;
    }

    @Override
    public LogCursor own() {
        return cursors.own();
    }

    @Override
    public LogCursor cursor(String name) throws IOException {
        return cursors.get(name);
    }

    @Override
    public @Nullable LogCursor findCursor(String name) {
        return cursors.find(name);
    }

    @Override
    public boolean dropCursor(String name) throws IOException {
        return cursors.drop(name);
    }

    @Override
    public Set<String> cursorNames() {
        return cursors.names();
    }

    @Override
    public LogIterator iterator() throws IOException {
        LogCursor own = cursors.own();
        return options.namedCursorsOnly()
                ? iterator(null, cursors.lowestFloor(own.floor()))
                : iterator(own, own.floor());
    }

    @Override
    public LogIterator iterator(long sequence) throws IOException {
        return iterator(null, Math.max(sequence, oldestSequence()));
    }

    /**
     * Iterates over the records from one sequence to another that are committed and still there.
     *
     * @param unconsumed whether records that the log's own cursor has consumed are left out
     */
    public LogIterator iterator(boolean unconsumed, long first, long last) throws IOException {
        checkOpen();
        writer.commitOpen();
        LogCursor own = unconsumed ? cursors.own() : null;
        return new LogIterator(this, own, first, Math.min(last, writer.committed()));
    }

    @Override
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

    /** Receives whole records; the payload is valid during the call only. */
    public interface Export {
        /** Takes a record, whose payload begins with its time if it is delayed. */
        void accept(long sequence, boolean delayed, ByteBuffer payload) throws IOException;
    }

    /** Gives the records from {@code first} to before {@code end}, which must all be there, to {@code target}, consumed or not. */
    public void export(long first, long end, Export target) throws IOException {
        try (LogReader reader = newReader()) {
            for (long sequence = first; sequence < end; sequence++) {
                ByteBuffer payload = reader.view(sequence);
                target.accept(sequence, reader.isDelayed(), payload);
                reader.advance();
            }
        }
    }

    /** Appends a record that {@link #export} gave. */
    public void append(boolean delayed, byte[] payload) throws IOException, InterruptedException {
        if (appender.append(0, delayed ? RecordFormat.DELAYED : RecordFormat.APPENDED, payload) == 0) {
            throw new IOException("no room for a record of a snapshot: folder=" + options.folder());
        }
    }

    /**
     * Waits until limits may leave room for records of so many bytes in all, headers included, or this log has ended; returns whether there is.
     *
     * @param limits the limits to look at in the place of those in use, which may be another caller's
     */
    public boolean awaitRoom(LogOptions.Limits limits, int records, long bytes, long deadlineNanos)
            throws InterruptedException {
        return appender.awaitRoom(limits, records, bytes, deadlineNanos);
    }

    private LogIterator iterator(@Nullable LogCursor cursor, long first) throws IOException {
        checkOpen();
        if (options.commit() != LogOptions.Commit.DEVICE) {
            writer.commitOpen();
        }
        return new LogIterator(this, cursor, first, writer.committed());
    }

    @Override
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

    @Override
    public long size() {
        return options.namedCursorsOnly()
                ? Math.max(0, visible() + 1 - cursors.lowestFloor(cursors.own().floor()))
                : cursors.own().size();
    }

    @Override
    public long remainingRecords() {
        return appender.remaining();
    }

    @Override
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

    @Override
    public RecoveryOutcome outcome() {
        return outcome;
    }

    @Override
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

    /** Replaces the limits and the bounds on leases; of a replica, which has limits always. */
    public void use(LogOptions.Limits newLimits, LogOptions.Leases newLeases) {
        leases = newLeases;
        appender.use(newLimits);
    }

    /** Has the limits of a replica count from a record on, or from the end, until a cursor keeps records. */
    public void countFrom(long sequence) throws IOException {
        try (LogReader reader = newReader()) {
            if (sequence > writer.committed()) {
                long unused = startAtEnd(reader);
            } else {
                Object unused = reader.view(sequence);
            }
            appender.countFrom(sequence, reader.offset());
        }
    }

    @Override
    public LogOptions.Leases leases() {
        return leases;
    }

    @Override
    public LogClock clock() {
        return clock;
    }

    @Override
    public boolean mayTakeBack(boolean isOldest) {
        return isOldest || !replica;
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
