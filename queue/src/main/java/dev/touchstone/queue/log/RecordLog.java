package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A durable FIFO of byte records: many appenders, one position of consumption. Thread-safe. */
public final class RecordLog implements Closeable {
    /*
     * Lock order:     consumer, then the cursor's and the store's monitors. Appenders take none of them.
     * Invariants:     head <= committed + 1; a record is handed out only when committed. The cursor on disk is at most head, and
     *                 a segment is taken back only when a cursor behind it is on the device.
     */
    private static final int REMOVALS_PER_CURSOR_WRITE = 1024;

    private final LogOptions options;
    private final FileIo io;
    private final Closeable lock;
    private final CursorFile cursor;
    private final SegmentStore segments;
    private final LogWriter writer;
    private final ExecutorService maintenance;
    private final ScheduledExecutorService timer; // apart, so that no force delays it
    private final long firstAppended;
    private final ReentrantLock consumer = new ReentrantLock();
    private final LogReader reader; // guarded by consumer
    private final long firstHead;
    private volatile long head; // written under consumer
    private volatile boolean closed; // written under consumer

    private RecordLog(LogOptions options, FileIo io, Closeable lock, CursorFile cursor, Recovery.Result recovered)
            throws IOException {
        this.options = options;
        this.io = io;
        this.lock = lock;
        this.cursor = cursor;
        this.segments = recovered.segments();
        CursorFile.State consumed = cursor.state();
        segments.releaseBefore(consumed.next());
        this.firstAppended = recovered.nextSequence();
        this.maintenance = Executors.newSingleThreadExecutor(this::newThread);
        this.timer = Executors.newSingleThreadScheduledExecutor(this::newThread);
        this.writer = new LogWriter(io, options, segments, cursor, maintenance, firstAppended);
        this.reader = new LogReader(io, segments);
        this.firstHead = startReader(consumed);
        this.head = firstHead;
        if (options.commit() == LogOptions.Commit.MEMORY) {
            long nanos = Math.max(1, options.batchDelay().toNanos());
            ScheduledFuture<?> unused =
                    timer.scheduleWithFixedDelay(this::commitOpenLate, nanos, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Opens the folder's log, made where absent, and recovers it. */
    public static RecordLog open(LogOptions options) throws IOException {
        return open(options, new DiskFileIo());
    }

    static RecordLog open(LogOptions options, FileIo io) throws IOException {
        io.createFolder(options.folder());
        Closeable lock = io.lock(options.folder().resolve("LOCK"), options.lockTimeout());
        try {
            CursorFile cursor = CursorFile.open(io, options.folder().resolve("CURSOR"));
            try {
                return new RecordLog(options, io, lock, cursor, Recovery.run(io, options, cursor));
            } catch (IOException | RuntimeException e) {
                cursor.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** Appends a record; on return it is where the options' {@link LogOptions.Commit} says. */
    public void append(byte[] payload) throws IOException {
        writer.append(payload);
    }

    /** Gives the head to {@code decoder}, removes it if asked to, and returns what the decoder made; null where there is none. */
    public <T> @Nullable T next(Function<byte[], T> decoder, boolean remove) throws IOException {
        consumer.lock();
        try {
            checkOpen();
            long sequence = head;
            if (!isCommitted(sequence)) {
                return null;
            }
            T element = decoder.apply(readOrSkip(sequence));
            if (remove) {
                reader.advance();
                removed(sequence + 1);
            }
            return element;
        } finally {
            consumer.unlock();
        }
    }

    /** Removes all that was appended before the call. */
    public void clear() throws IOException {
        consumer.lock();
        try {
            checkOpen();
            writer.commitOpen();
            long next = writer.committed() + 1;
            writer.startAtEnd(reader, next);
            writeCursor(next);
            head = next;
            maintenance.execute(this::releaseConsumed);
        } finally {
            consumer.unlock();
        }
    }

    /** Iterates over the records that are in the log now. */
    public LogIterator iterator() throws IOException {
        checkOpen();
        if (options.commit() == LogOptions.Commit.MEMORY) {
            writer.commitOpen();
        }
        return new LogIterator(this, new LogReader(io, segments), writer.committed());
    }

    /** Records appended and not removed. */
    public long size() {
        return Math.max(0, writer.nextSequence() - head);
    }

    /** Returns once all that was appended and removed before the call is on the device. */
    public void flush() throws IOException {
        checkOpen();
        forceAll();
    }

    @Override
    public void close() throws IOException {
        consumer.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try (lock;
                    cursor;
                    reader) {
                closeWriter();
                forceAll();
                cutLast();
            }
        } finally {
            consumer.unlock();
        }
    }

    /** Records appended since the log was opened. */
    public long appended() {
        return writer.nextSequence() - firstAppended;
    }

    /** Records removed since the log was opened. */
    public long removed() {
        return head - firstHead;
    }

    /** Batches written since the log was opened. */
    public long writes() {
        return writer.writes();
    }

    /** Writes that waited for the device since the log was opened. */
    public long forces() {
        return writer.forces();
    }

    /** Files that hold records. */
    public int segmentCount() {
        return segments.live().size();
    }

    /** Bytes that those files may grow to. */
    public long segmentBytes() {
        return segments.live().stream().mapToLong(Segment::bytes).sum();
    }

    @Override
    public String toString() {
        return options.folder() + " " + options.commit();
    }

    long head() {
        return head;
    }

    boolean isLive(@Nullable Segment segment) {
        return segment != null && segments.isLive(segment);
    }

    private void checkOpen() throws LogClosedException {
        if (closed) {
            throw new LogClosedException(options.folder());
        }
    }

    /** Reads the head; damage there is thrown once, and the head moved behind it. */
    private byte[] readOrSkip(long sequence) throws IOException {
        try {
            return reader.read(sequence);
        } catch (CorruptLogException damage) {
            long next = Math.min(reader.skip(sequence), writer.committed() + 1);
            writeCursor(next);
            head = next;
            throw damage;
        }
    }

    /** A failed force is the end of the log: what it should have brought to the device may be gone from the page cache. */
    private void forceAll() throws IOException {
        writer.commitOpen();
        try {
            long committed = writer.committed();
            if (options.commit() != LogOptions.Commit.DEVICE) {
                long checkpoint = cursor.state().checkpoint();
                for (Segment segment : segments.live()) {
                    if (segment.endSequence() > checkpoint) {
                        force(segment);
                    }
                }
                io.forceFolder(options.folder());
            }
            consumer.lock();
            try {
                writeCursor(head);
            } finally {
                consumer.unlock();
            }
            writer.checkFailure();
            cursor.checkpoint(committed + 1);
            cursor.force();
        } catch (IOException e) {
            writer.fail(e);
            throw e;
        }
    }

    private boolean isCommitted(long sequence) throws IOException {
        if (sequence <= writer.committed()) {
            return true;
        }
        if (options.commit() == LogOptions.Commit.MEMORY && sequence < writer.nextSequence()) {
            writer.commitOpen();
        }
        return sequence <= writer.committed();
    }

    /** Moves the head, unless the cursor that should say so cannot be written: then the record stays. */
    private void removed(long next) throws IOException {
        Segment segment = reader.segment();
        boolean segmentDone = segment != null && next >= segment.endSequence();
        if (segmentDone
                || options.commit() != LogOptions.Commit.MEMORY
                || (next - firstHead) % REMOVALS_PER_CURSOR_WRITE == 0) {
            writeCursor(next);
        }
        head = next;
        if (segmentDone) {
            maintenance.execute(this::releaseConsumed);
        }
    }

    private void writeCursor(long next) throws IOException {
        Segment segment = reader.segment();
        cursor.consumed(next, segment == null ? next : segment.firstSequence(), reader.position());
    }

    /** Positions the reader where the cursor says, if the record that it names stands there. */
    private long startReader(CursorFile.State consumed) throws IOException {
        for (Segment segment : segments.live()) {
            if (segment.endSequence() > consumed.next()) {
                if (segment.firstSequence() == consumed.segment() && consumed.position() >= SegmentHeader.BYTES) {
                    reader.start(segment, consumed.position(), consumed.next());
                }
                return Math.max(consumed.next(), segment.firstSequence());
            }
        }
        return consumed.next();
    }

    private void releaseConsumed() {
        try {
            long consumed = cursor.state().next();
            cursor.force();
            segments.releaseBefore(consumed);
        } catch (IOException e) {
            writer.fail(e);
        }
    }

    private void commitOpenLate() {
        try {
            writer.commitOpen();
        } catch (IOException alreadyFailed) {
            timer.shutdown();
        }
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "touchstone-queue-" + options.folder().getFileName());
        thread.setDaemon(true);
        return thread;
    }

    private void force(Segment segment) throws IOException {
        try (FileIo.DataFile file = io.open(segment.path(), FileIo.Access.READ)) {
            file.force();
        } catch (NoSuchFileException e) {
            if (segments.isLive(segment)) {
                throw e;
            }
        }
    }

    private void closeWriter() throws IOException {
        try {
            writer.close();
        } finally {
            stop(timer);
            stop(maintenance);
            writer.release();
        }
    }

    private static void stop(ExecutorService threads) {
        threads.shutdown();
        boolean interrupted = false;
        while (!threads.isTerminated()) {
            try {
                threads.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Leaves no room behind the last record, and no segment without one. */
    private void cutLast() throws IOException {
        Segment last = writer.lastSegment();
        if (writer.committed() < last.firstSequence()) {
            segments.release(last);
            return;
        }
        try (FileIo.DataFile file = io.open(last.path(), FileIo.Access.WRITE)) {
            file.truncate(writer.endPosition());
            file.force();
        }
    }
}
