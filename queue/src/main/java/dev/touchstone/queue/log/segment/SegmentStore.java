package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The log files of a folder: begins new ones, keeps the live ones in order, takes back the consumed ones. Thread-safe.
 *
 * <p>A file is named by the epoch of its next use, in 16 hexadecimal digits, when it is made or taken back from a consumed segment: a
 * spare, until its header says that epoch. So a segment begins with one write. Spares of a log that writes through are filled with
 * zeros first: overwriting allocated blocks needs no journal commit of the file system.
 */
public final class SegmentStore implements Closeable {
    private static final String SUFFIX = ".seg";

    /** How the name of a file begins that is being made; the next open deletes it. */
    public static final String UNFINISHED = "new-";

    private static final String DAMAGED = "damaged-";
    private static final Pattern NAME = Pattern.compile("(?:" + DAMAGED + ")?([0-9a-f]{16})\\" + SUFFIX);
    private static final int MAX_SPARES = 2;
    private static final int ZEROS_BYTES = 256 << 10;
    private static final long MIN_STEP_MILLIS = 10;
    private static final long MAX_STEP_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final long MAX_RETENTION_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final FileIo io;
    private final LogOptions options;
    private final UUID logId;
    private final ConcurrentSkipListMap<Long, Segment> live = new ConcurrentSkipListMap<>();
    private final Queue<Spare> spares = new ConcurrentLinkedQueue<>(); // their epochs grow; added to under this monitor
    private long epoch; // guarded by this

    /**
     * @param segments in order, each ended by the next
     * @param spares files that no segment uses, in order
     * @param epoch the highest that any file has been used with, or is named by
     */
    public SegmentStore(
            FileIo io, LogOptions options, UUID logId, List<Segment> segments, Collection<Path> spares, long epoch) {
        this.io = io;
        this.options = options;
        this.logId = logId;
        spares.forEach(path -> this.spares.add(new Spare(path, epoch(path))));
        this.epoch = epoch;
        segments.forEach(segment -> live.put(segment.firstSequence(), segment));
    }

    public static boolean isSegment(Path file) {
        return epoch(file) > 0 && !file.getFileName().toString().startsWith(DAMAGED);
    }

    public static boolean isUnfinished(Path file) {
        return file.getFileName().toString().startsWith(UNFINISHED);
    }

    /** The name under which a damaged file is kept. */
    public static Path setAside(Path segment) {
        return segment.resolveSibling(DAMAGED + segment.getFileName());
    }

    public static String fileName(long epoch) {
        return String.format(Locale.ROOT, "%016x%s", epoch, SUFFIX);
    }

    /** What {@link #fileName} was given, also of a file that was set aside; 0 for any other file. */
    public static long epoch(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Long.parseUnsignedLong(name.group(1), 16) : 0;
    }

    /**
     * Begins the segment whose first record will be {@code sequence}; the one before ends there. By one thread at a time.
     *
     * @param offset bytes of all records before it
     * @throws LogRefusedException if the file system has no room or no file for it; nothing has changed
     */
    public Segment begin(long sequence, long offset) throws IOException {
        Segment segment;
        try {
            if (spares.isEmpty()) {
                makeSpare();
            }
            segment = beginIn(spares.element(), sequence, offset);
            spares.remove(); // only now, so that no refusal leaves a file that nobody knows
        } catch (IOException e) {
            throw new LogRefusedException(e);
        }
        Map.Entry<Long, Segment> last = live.lastEntry();
        live.put(sequence, segment);
        if (last != null) {
            last.getValue().endsBefore(sequence);
        }
        return segment;
    }

    private Segment beginIn(Spare spare, long sequence, long offset) throws IOException {
        boolean through = options.commit() == LogOptions.Commit.DEVICE;
        SegmentHeader header = new SegmentHeader(options.segmentBytes(), logId, spare.epoch, sequence, offset, through);
        FileIo.DataFile file = spare.open();
        try {
            file.write(header.encode(), 0);
        } catch (IOException e) {
            spares.remove();
            spare.close();
            io.delete(spare.path); // the header may be there, and the next record still go to the segment before
            throw e;
        }
        return new Segment(spare.path, header, file);
    }

    /** A file named for its next use. */
    private final class Spare implements Closeable {
        private final Path path;
        private final long epoch;
        private volatile FileIo.@Nullable DataFile file; // set under this monitor

        Spare(Path path, long epoch) {
            this.path = path;
            this.epoch = epoch;
        }

        /** The file, to be written; opening it takes longer than a force where the code is rarely run. */
        synchronized FileIo.DataFile open() throws IOException {
            FileIo.DataFile open = file == null ? io.open(path, writeAccess()) : file;
            file = open;
            return open;
        }

        @Override
        public synchronized void close() throws IOException {
            FileIo.DataFile open = file;
            if (open != null) {
                open.close();
            }
        }
    }

    public FileIo.Access writeAccess() {
        return options.commit() == LogOptions.Commit.DEVICE ? FileIo.Access.WRITE_THROUGH : FileIo.Access.WRITE;
    }

    /** Whether {@link #begin} finds a spare that is open. */
    public boolean isPrepared() {
        Spare next = spares.peek();
        return next != null && next.file != null;
    }

    /** Makes a spare where there is none, and opens it: off the appenders' path, so that {@link #begin} finds one. */
    public void prepareSpare() throws IOException {
        if (spares.isEmpty()) {
            makeSpare();
        }
        Spare next = spares.peek();
        if (next != null) {
            FileIo.DataFile unused = next.open();
        }
    }

    /** The live segment that holds this sequence. */
    public Segment holding(long sequence) throws IOException {
        Map.Entry<Long, Segment> entry = live.floorEntry(sequence);
        if (entry == null || sequence >= entry.getValue().endSequence()) {
            throw new CorruptLogException(
                    options.folder(), 0, "segments", "one with sequence " + sequence, live.keySet());
        }
        return entry.getValue();
    }

    /** The first sequence that is still there, or {@code ifNone}. */
    public long oldestSequence(long ifNone) {
        Map.Entry<Long, Segment> first = live.firstEntry();
        return first == null ? ifNone : first.getKey();
    }

    /** First sequence of the segment that holds this one, or would; 0 where there is none. */
    public long firstOf(long sequence) {
        Long first = live.floorKey(sequence);
        return first == null ? 0 : first;
    }

    /** Bytes of all records before the first that is still there. */
    public long oldestOffset(long ifNone) {
        Map.Entry<Long, Segment> first = live.firstEntry();
        return first == null ? ifNone : first.getValue().offset();
    }

    public int spareCount() {
        return spares.size();
    }

    public boolean isLive(Segment segment) {
        return live.containsKey(segment.firstSequence());
    }

    public Collection<Segment> live() {
        return live.values();
    }

    /**
     * Takes back segments that every cursor has consumed, as the device knows already, and that need not be retained: the oldest are
     * deleted or become spares, those behind one that is still in use are cut off behind their header. By one thread at a time; nobody
     * waits for it, since deleting a large file takes long.
     */
    public void release(Collection<Segment> consumed) throws IOException {
        long retained = 0;
        for (Segment segment : consumed) {
            retained += segment.bytes();
        }
        boolean oldest = true;
        for (Segment segment : live.values()) {
            oldest &= consumed.contains(segment);
            if (!consumed.contains(segment) || segment.isReleased() && !oldest) {
                continue;
            }
            if (isRetained(segment, retained) || !segment.retire()) {
                return;
            }
            retained -= segment.bytes();
            if (oldest) {
                live.remove(segment.firstSequence());
                reuseOrDelete(segment);
            } else {
                empty(segment);
            }
        }
    }

    private void reuseOrDelete(Segment segment) throws IOException {
        if (spares.size() < MAX_SPARES && !segment.isReleased() && isWhole(segment)) {
            addSpare(segment.path());
        } else {
            io.delete(segment.path());
        }
    }

    private void empty(Segment segment) throws IOException {
        segment.markReleased();
        try (FileIo.DataFile file = io.open(segment.path(), FileIo.Access.WRITE)) {
            file.truncate(SegmentHeader.BYTES);
        }
    }

    /**
     * Returns the nanoseconds after which {@link #releaseBefore} may take back a consumed segment that it left, or 0 where none is left. An
     * hour at most, since the clock may be set; at least a step, since a visitor may keep a segment that is old enough.
     */
    public long retainedNanos(long sequence) throws IOException {
        Map.Entry<Long, Segment> oldest = live.firstEntry();
        if (!options.retention().isAny() || oldest == null || oldest.getValue().endSequence() > sequence) {
            return 0;
        }
        long written = io.lastWrittenMillis(oldest.getValue().path());
        long left = written + options.retention().age().toMillis() + 1 - System.currentTimeMillis();
        return Math.max(retentionStepNanos(), TimeUnit.MILLISECONDS.toNanos(Math.min(left, MAX_RETENTION_MILLIS)));
    }

    /** Returns the least nanoseconds between two looks at a retained segment. */
    public long retentionStepNanos() {
        long step = options.retention().age().toMillis() / 4;
        return TimeUnit.MILLISECONDS.toNanos(Math.max(MIN_STEP_MILLIS, Math.min(step, MAX_STEP_MILLIS)));
    }

    private boolean isRetained(Segment segment, long retained) throws IOException {
        LogOptions.Retention keep = options.retention();
        if (!keep.isAny() || retained > keep.bytes()) {
            return false;
        }
        long age = System.currentTimeMillis() - io.lastWrittenMillis(segment.path());
        return age <= keep.age().toMillis();
    }

    /**
     * Returns once all records from {@code checkpoint} to {@code last} are on the device, and their files' names.
     *
     * @param onFailure told of a force that failed; a file that could not be opened is no failure of what it holds
     */
    public void force(long checkpoint, long last, Consumer<IOException> onFailure) throws IOException {
        for (Segment segment : live.headMap(last, true).values()) {
            if (segment.endSequence() > checkpoint) {
                force(segment, onFailure);
            }
        }
        try {
            io.forceFolder(options.folder());
        } catch (IOException e) {
            onFailure.accept(e);
            throw e;
        }
    }

    private void force(Segment segment, Consumer<IOException> onFailure) throws IOException {
        try (FileIo.DataFile file = io.open(segment.path(), FileIo.Access.READ)) {
            force(file, onFailure);
        } catch (NoSuchFileException e) {
            if (isLive(segment)) {
                throw e;
            }
        }
    }

    private static void force(FileIo.DataFile file, Consumer<IOException> onFailure) throws IOException {
        try {
            file.force();
        } catch (IOException e) {
            onFailure.accept(e);
            throw e;
        }
    }

    /** Makes a segment without a record a spare. */
    public void release(Segment segment) throws IOException {
        live.remove(segment.firstSequence());
        addSpare(segment.path());
    }

    /**
     * Names a file for its next use. The name of one that was a segment need not reach the device before that use's header: under
     * the old name, too, the header's epoch tells what the file is. An unfinished one's must, or the next open would delete it.
     */
    private synchronized void addSpare(Path file) throws IOException {
        Path spare = options.folder().resolve(fileName(epoch + 1));
        io.rename(file, spare);
        epoch++;
        if (isUnfinished(file) && options.commit() == LogOptions.Commit.DEVICE) {
            try {
                io.forceFolder(options.folder());
            } catch (IOException e) {
                io.delete(spare);
                throw e;
            }
        }
        spares.add(new Spare(spare, epoch));
    }

    private boolean isWhole(Segment segment) throws IOException {
        try (FileIo.DataFile file = io.open(segment.path(), FileIo.Access.READ)) {
            return file.size() == options.segmentBytes() || options.commit() != LogOptions.Commit.DEVICE;
        }
    }

    /** Spares a full disk the zeros that would be written in vain. */
    private void checkRoom() throws IOException {
        if (options.commit() == LogOptions.Commit.DEVICE) {
            long usable = io.usableBytes(options.folder());
            if (usable < options.segmentBytes()) {
                throw new IOException("no room for a segment: folder=" + options.folder() + " segmentBytes="
                        + options.segmentBytes() + " usableBytes=" + usable);
            }
        }
    }

    private void makeSpare() throws IOException {
        Path unfinished = options.folder().resolve(UNFINISHED + UUID.randomUUID());
        boolean through = options.commit() == LogOptions.Commit.DEVICE;
        checkRoom();
        try {
            try (FileIo.DataFile file = io.create(unfinished, writeAccess())) {
                if (through) {
                    fill(file);
                }
            }
            addSpare(unfinished);
        } catch (IOException e) {
            io.delete(unfinished);
            throw e;
        }
    }

    /** Closes the files that are open ahead of their use. */
    @Override
    public void close() throws IOException {
        for (Spare spare : spares) {
            spare.close();
        }
        for (Segment segment : live.values()) {
            FileIo.DataFile unwritten = segment.takeFile();
            if (unwritten != null) {
                unwritten.close();
            }
        }
    }

    private void fill(FileIo.DataFile file) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(ZEROS_BYTES, options.segmentBytes()));
        for (long at = 0; at < options.segmentBytes(); at += zeros.capacity()) {
            int bytes = (int) Math.min(zeros.capacity(), options.segmentBytes() - at);
            file.write(zeros.clear().limit(bytes), at);
        }
    }
}
