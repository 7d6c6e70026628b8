package dev.touchstone.queue.replicated.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogFailedException;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A log of entries with consecutive indexes in preallocated files. A method that changes the log returns when the change is on the device:
 * it survives a power cut. Thread-safe; reads never wait for a change.
 */
final class SegmentLog implements Closeable {
    /*
     * Who calls:      one thread at a time changes the log, under the monitor; any thread reads, without it.
     * Invariants:     the last state on the device names the runs of the view, and was written before the view was shown and before the first
     *                 frame of its last run. A segment that a state gives up is used again only after that state is on the device, and then
     *                 under a new epoch: so an old frame is never of the log, whatever part of a write a power cut leaves.
     *                 Each opening, truncation and new segment begins a run with an epoch of its own.
     * Ordering:       the frames are on the device -> LogRun.publish -> a reader finds the index. The view without a run -> the first write
     *                 into the run's segment by the next user. A reader looks at the view again after it has read: if the run still holds
     *                 the index, no other use of the file had begun, and the bytes count.
     * Failure:        a write or force that fails is never repeated; the log accepts nothing more, and may be read. The next opening finds
     *                 everything that was acknowledged, and of the change that failed all, a part or nothing. Only what fails before it
     *                 touches the log, as the making of a segment on a full disk, is refused and leaves the log usable.
     */
    private static final String LOCK = "LOCK";
    private static final int MAX_FRAME_BYTES = Integer.MAX_VALUE - 16; // a frame is read into an array

    private final Path folder;
    private final Closeable lock;
    private final StorageStateFile stateFile;
    private final SegmentPool pool;
    private final Executor background;
    private final long logId;
    private final FrameWriter writer = new FrameWriter();
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

    @GuardedBy("this")
    private long sequence;

    @GuardedBy("this")
    private long nextEpoch;

    @GuardedBy("this")
    private boolean closed;

    private volatile LogView view;

    /** Decoder of entries. */
    interface Decoder<T> {

        /** Returns the entry that is encoded in {@code payload}, or null if none is. */
        @Nullable
        T decode(byte[] payload);
    }

    private SegmentLog(Path folder, Closeable lock, Executor background, StorageRecovery.Recovered recovered) {
        this.folder = folder;
        this.lock = lock;
        this.background = background;
        stateFile = recovered.stateFile();
        pool = recovered.pool();
        logId = recovered.state().logId();
        sequence = recovered.state().sequence();
        nextEpoch = recovered.state().nextEpoch();
        view = recovered.view();
    }

    /**
     * Opens the log of a folder, which is made where absent.
     *
     * @param background runs the making of segments ahead of their use
     * @param configurations receiver of the log's configuration entries, in the order of their indexes
     * @throws CorruptLogException if something that was acknowledged is damaged
     * @throws dev.touchstone.queue.log.LogLockedException if the folder is in use
     */
    static SegmentLog open(
            FileIo io,
            Path folder,
            StorageOptions options,
            Executor background,
            FrameScanner.Configurations configurations)
            throws IOException {
        io.createFolder(folder);
        Closeable lock = io.lock(folder.resolve(LOCK), Duration.ZERO);
        SegmentLog log = null;
        boolean done = false;
        try {
            log = new SegmentLog(
                    folder, lock, background, new StorageRecovery(io, folder, options).recover(configurations));
            log.beginRunOfThisOpening();
            background.execute(log.pool::prepare);
            done = true;
            return log;
        } finally {
            if (!done) {
                if (log == null) {
                    lock.close();
                } else {
                    log.close();
                }
            }
        }
    }

    /** Leaves behind whatever a torn write of the last opening has put behind the end: it is of another epoch from now on. */
    private synchronized void beginRunOfThisOpening() throws IOException {
        LogView now = view;
        if (!now.runs().isEmpty()) {
            LogRun end = now.runs().get(now.runs().size() - 1);
            LogRun unused = beginRun(end.segment(), end.end(), now.last() + 1);
        }
    }

    /** Returns the first index. */
    long first() {
        return view.first();
    }

    /** Returns the last index, which is {@code first() - 1} if there is no entry. */
    long last() {
        return view.last();
    }

    /** Returns why the log accepts nothing any more, or null if it does. */
    @Nullable
    IOException failure() {
        return failure.get();
    }

    /**
     * Returns an entry, or null if the log does not have the index.
     *
     * @throws CorruptLogException if the entry is damaged
     */
    <T> @Nullable T read(long index, Decoder<T> decoder) throws IOException {
        return readCurrent(index, run -> decoded(run, index, decoder));
    }

    /**
     * Reads an entry as {@link #read} does, but leaves a log with a damaged entry usable. Does nothing if the log does not have the index.
     *
     * @throws CorruptLogException if the entry is damaged
     */
    void check(long index, Decoder<?> decoder) throws IOException {
        LogRun run = view.run(index);
        if (run != null) {
            try {
                Object unused = decoded(run, index, decoder);
            } catch (IOException e) {
                if (view.run(index) == run) {
                    throw e;
                }
            }
        }
    }

    private static <T> T decoded(LogRun run, long index, Decoder<T> decoder) throws IOException {
        ByteBuffer frame = bytes(run, index, (int) (run.position(index + 1) - run.position(index)));
        FrameHeader header = header(run, index, frame);
        byte[] payload = new byte[header.length()];
        frame.get(FrameHeader.BYTES, payload);
        CRC32C crc = new CRC32C();
        crc.update(payload);
        expect(run, index, "payload CRC", header.payloadCheck(), (int) crc.getValue());
        T entry = decoder.decode(payload);
        if (entry == null) {
            throw new CorruptLogException(run.segment().path(), run.position(index), "payload", "an entry", "none");
        }
        return entry;
    }

    /**
     * Returns the term of an entry, or 0 if the log does not have the index.
     *
     * @throws CorruptLogException if the header of the entry's frame is damaged
     */
    long term(long index) throws IOException {
        Long term = readCurrent(
                index,
                run -> header(run, index, bytes(run, index, FrameHeader.BYTES)).term());
        return term == null ? 0 : term;
    }

    /** A read from the run that holds an index. */
    private interface Read<T> {
        T from(LogRun run) throws IOException;
    }

    private <T> @Nullable T readCurrent(long index, Read<T> read) throws IOException {
        LogRun run = view.run(index);
        if (run == null) {
            return null;
        }
        try {
            T result = read.from(run);
            return view.run(index) == run ? result : null; // else the file may have been used again meanwhile
        } catch (IOException e) {
            if (view.run(index) != run) {
                return null;
            }
            throw failed(e);
        }
    }

    private static ByteBuffer bytes(LogRun run, long index, int bytes) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int read = run.segment().read(frame, run.position(index));
        expect(run, index, "bytes of frame", bytes, read);
        return frame;
    }

    private static FrameHeader header(LogRun run, long index, ByteBuffer frame) throws IOException {
        long position = run.position(index);
        FrameHeader header = FrameHeader.read(frame, 0, run.key(), position);
        if (header == null) {
            throw new CorruptLogException(
                    run.segment().path(), position, "frame header", "that of index " + index, "none");
        }
        expect(run, index, "index of frame", index, header.index());
        long bytes = run.position(index + 1) - position;
        expect(run, index, "bytes of frame", bytes, FrameHeader.frameBytes(header.length()));
        return header;
    }

    private static void expect(LogRun run, long index, String field, Object expected, Object got)
            throws CorruptLogException {
        if (!expected.equals(got)) {
            throw new CorruptLogException(run.segment().path(), run.position(index), field, expected, got);
        }
    }

    /**
     * Appends entries behind the last one, all of them or, in the eyes of readers, none.
     *
     * @param entries the entries in the order of their indexes, of which the first is {@code last() + 1}
     * @throws LogRefusedException if there is no room on the disk or an index does not follow the one before; the log is as before
     * @throws IOException if the log has failed, now or before
     */
    synchronized void append(List<FrameWriter.EncodedEntry> entries) throws IOException {
        requireUsable();
        long bytes = checkedBytes(entries, view.last() + 1);
        LogRun run = runWithRoomFor(bytes);
        run.reserve(entries.size());
        boolean written = false;
        try {
            writer.write(run, entries, bytes);
            written = true;
        } catch (IOException e) {
            throw failed(e);
        } finally {
            if (!written) { // also after an Error: what the device has is not known
                IOException unused = failed(new IOException(
                        "write was broken off: segment=" + run.segment().path() + " position=" + run.end()));
            }
        }
        for (FrameWriter.EncodedEntry each : entries) {
            run.add(each.frameBytes());
        }
        run.publish();
    }

    /** Returns the bytes of the entries' frames, having checked that the indexes follow each other. */
    private static long checkedBytes(List<FrameWriter.EncodedEntry> entries, long firstIndex)
            throws LogRefusedException {
        long bytes = 0;
        long index = firstIndex;
        for (FrameWriter.EncodedEntry each : entries) {
            if (each.index() != index || each.isEmpty() || each.frameBytes() > MAX_FRAME_BYTES) {
                throw new LogRefusedException(new IOException(
                        "entry cannot be appended: index=" + each.index() + " bytes=" + each.frameBytes()
                                + " expected index " + index + " and at most " + MAX_FRAME_BYTES + " bytes"));
            }
            index++;
            bytes += each.frameBytes();
        }
        return bytes;
    }

    @GuardedBy("this")
    private LogRun runWithRoomFor(long bytes) throws IOException {
        LogView now = view;
        if (!now.runs().isEmpty()) {
            LogRun end = now.runs().get(now.runs().size() - 1);
            if (end.segment().bytes() - end.end() >= bytes) {
                return end;
            }
        }
        requireRoomForRun();
        SegmentFile segment = takeSegment(SegmentFile.HEADER_BYTES + bytes);
        boolean done = false;
        try {
            LogRun run = beginRun(segment, SegmentFile.HEADER_BYTES, now.last() + 1);
            done = true;
            background.execute(pool::prepare);
            return run;
        } finally {
            if (!done) {
                segment.close(); // found again at the next opening, and spare if no state names it
            }
        }
    }

    /** Leaves a quarter of the runs to openings, so that a log that is refused more can still be opened and cut off at its start. */
    private void requireRoomForRun() throws LogRefusedException {
        int runs = view.runs().size();
        int maxRuns = stateFile.maxRuns() * 3 / 4;
        if (runs >= maxRuns) {
            throw StorageStateFile.refusal(runs + 1, maxRuns);
        }
    }

    private SegmentFile takeSegment(long bytes) throws IOException {
        try {
            return pool.take(bytes);
        } catch (LogRefusedException e) {
            throw e;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /**
     * Removes the entries below {@code firstKept}, which is the first index from now on. Does nothing if that is lower than the first index.
     * Where it is behind the last entry by more than one, the log is empty afterwards and goes on at {@code firstKept}.
     */
    synchronized void truncatePrefix(long firstKept) throws IOException {
        requireUsable();
        LogView now = view;
        if (firstKept <= now.first()) {
            return;
        }
        List<LogRun> runs = now.runs();
        int from = 0;
        if (firstKept > now.last() + 1) {
            from = runs.size();
        } else {
            while (from + 1 < runs.size() && runs.get(from + 1).firstIndex() <= firstKept) {
                from++;
            }
        }
        change(firstKept, runs.subList(from, runs.size()));
    }

    /**
     * Removes the entries behind {@code lastKept}. Does nothing if there are none.
     *
     * @throws LogRefusedException if {@code lastKept} is lower than {@code first() - 1}; the log is as before
     */
    synchronized void truncateSuffix(long lastKept) throws IOException {
        requireUsable();
        LogView now = view;
        if (lastKept >= now.last()) {
            return;
        }
        if (lastKept < now.first() - 1) {
            throw new LogRefusedException(
                    new IOException("last index to keep: expected=" + (now.first() - 1) + " or more got=" + lastKept));
        }
        requireRoomForRun();
        List<LogRun> kept = new ArrayList<>(now.runs());
        kept.removeIf(run -> run.firstIndex() > lastKept);
        if (kept.isEmpty()) {
            change(now.first(), kept);
        } else {
            LogRun end = kept.get(kept.size() - 1);
            LogRun unused = beginRun(end.segment(), end.position(lastKept + 1), lastKept + 1);
        }
    }

    /** Removes all entries, and makes {@code next} the first index. */
    synchronized void reset(long next) throws IOException {
        requireUsable();
        change(next, List.of());
    }

    /** Begins a run at {@code firstIndex}, which takes the place of all entries from that index on. */
    @GuardedBy("this")
    private LogRun beginRun(SegmentFile segment, long position, long firstIndex) throws IOException {
        FrameKey key = new FrameKey(logId, nextEpoch);
        nextEpoch++;
        LogRun begun = new LogRun(key, segment, position, firstIndex);
        List<LogRun> runs = new ArrayList<>(view.runs());
        runs.removeIf(run -> run.firstIndex() >= firstIndex);
        runs.add(begun);
        change(view.first(), runs);
        return begun;
    }

    /** Writes a state, then shows it to readers, then gives back the segments that it does not need. */
    @GuardedBy("this")
    private void change(long first, List<LogRun> runs) throws IOException {
        LogView before = view;
        LogView after = new LogView(first, runs);
        List<StorageState.Run> starts = after.runs().stream()
                .map(run -> new StorageState.Run(
                        run.key().epoch(), run.segment().id(), run.position(run.firstIndex()), run.firstIndex()))
                .toList();
        try {
            stateFile.write(new StorageState(logId, sequence + 1, nextEpoch, first, starts));
            sequence++;
            view = after;
            for (SegmentFile segment : before.segments()) {
                if (!after.segments().contains(segment)) {
                    pool.give(segment);
                }
            }
        } catch (LogRefusedException e) {
            throw e;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @GuardedBy("this")
    private void requireUsable() throws IOException {
        if (closed) {
            throw new LogClosedException(folder);
        }
        IOException cause = failure.get();
        if (cause != null) {
            throw new LogFailedException(cause);
        }
    }

    private IOException failed(IOException e) {
        boolean unused = failure.compareAndSet(null, e);
        return e;
    }

    /** Closes the files and releases the lock. Reads that are under way find nothing. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        LogView before = view;
        view = LogView.CLOSED;
        List<Closeable> open = new ArrayList<>(before.segments());
        open.addAll(List.of(pool, stateFile, lock));
        StorageRecovery.closeAll(open);
    }
}
