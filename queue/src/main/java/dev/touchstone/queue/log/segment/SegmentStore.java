package dev.touchstone.queue.log.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * The log files of a folder, live and spare. Begins new segments, and takes back the consumed ones. Thread-safe.
 *
 * <p>A file is named by the epoch of its next use, in 16 hexadecimal digits, when it is made or taken back from a consumed segment: a
 * spare, until its header says that epoch. So a segment begins with one write. Spares of a log that writes through are filled with
 * zeros first: overwriting allocated blocks needs no journal commit of the file system.
 *
 * <p>The first segment of a use is short, and each is four times as long as the one before until they have the options' length, so that a log
 * with few records takes little of the disk. Where an appender of a log that writes through comes before the file is made, it makes a short one.
 */
public final class SegmentStore implements Closeable {
    /*
     * Who calls:  one appender at a time begins segments; the maintenance threads prepare spares, and release what is consumed, one of them at a time;
     *             any thread looks for segments.
     * Invariants: the live segments are in the order of their sequences, each ended by the next. Epochs only grow, also among the spares, so the first
     *             spare is always the next to be used.
     * Ordering:   a segment is live before the one before it is ended, so that every sequence has a segment at any time. A released segment is not live
     *             any more when its readers' files are closed.
     * Failure:    a refusal while a segment is begun leaves the store as it was, without the spare that refused; what cannot be released now is
     *             released with the next, or by the next open.
     */
    private static final String SUFFIX = ".seg";

    /** Prefix of the name of a file that is being made; the next open deletes such files. */
    public static final String UNFINISHED = "new-";

    private static final String DAMAGED = "damaged-";
    private static final Pattern NAME = Pattern.compile("(?:" + DAMAGED + ")?([0-9a-f]{16})\\" + SUFFIX);
    private static final int MAX_SPARES = 2;
    private static final int ZEROS_BYTES = 256 << 10;
    private static final long MIN_STEP_MILLIS = 10;
    private static final long MAX_STEP_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final long MAX_RETENTION_MILLIS = TimeUnit.HOURS.toMillis(1);
    private static final int MIN_BYTES = 256 << 10;
    private static final int GROWTH = 4;
    private static final int HASTE = 16; // how many times shorter a file may be whose zeros an appender waits for

    private final FileIo io;
    private final LogOptions options;
    private final UUID logId;
    private final boolean through;
    private final ConcurrentSkipListMap<Long, Segment> live = new ConcurrentSkipListMap<>();
    private final Queue<Spare> spares = new ConcurrentLinkedQueue<>(); // their epochs grow; added to under this monitor
    private volatile int nextBytes; // length of the next segment; written by begin() only

    @GuardedBy("this")
    private long epoch;

    /**
     * Takes over what a recovery found.
     *
     * @param segments in order, each ended by the next
     * @param spares files that no segment uses, in order
     * @param epoch the highest that any file has been used with, or is named by
     */
    public SegmentStore(
            FileIo io, LogOptions options, UUID logId, List<Segment> segments, Collection<Path> spares, long epoch)
            throws IOException {
        this.io = io;
        this.options = options;
        this.logId = logId;
        this.through = options.commit() == LogOptions.Commit.DEVICE;
        this.nextBytes = Math.min(MIN_BYTES, options.segmentBytes());
        for (Path spare : spares) {
            this.spares.add(new Spare(spare, epoch(spare), (int) size(spare)));
        }
        this.epoch = epoch;
        for (Segment segment : segments) {
            live.put(segment.firstSequence(), compressible(segment));
        }
    }

    /** Returns whether a file is a segment or a spare by its name, and was not set aside. */
    public static boolean isSegment(Path file) {
        return epoch(file) > 0 && !file.getFileName().toString().startsWith(DAMAGED);
    }

    /** Returns whether a file was not finished when the log ended. */
    public static boolean isUnfinished(Path file) {
        return file.getFileName().toString().startsWith(UNFINISHED);
    }

    /** Returns the name under which a damaged file is kept. */
    public static Path setAside(Path segment) {
        return segment.resolveSibling(DAMAGED + segment.getFileName());
    }

    /** Returns the name of a file for its use with this epoch. */
    public static String fileName(long epoch) {
        return String.format(Locale.ROOT, "%016x%s", epoch, SUFFIX);
    }

    /** Returns the epoch that a file is named for, also of a file that was set aside; 0 for any other file. */
    public static long epoch(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Long.parseUnsignedLong(name.group(1), 16) : 0;
    }

    /** Returns whether a spare of this length, which a recovery found, may be used again. */
    public static boolean isSpareLength(long bytes, LogOptions options) {
        return bytes >= Math.min(MIN_BYTES, options.segmentBytes()) && bytes <= options.segmentBytes();
    }

    /**
     * Begins the segment whose first record will be {@code sequence}; the one before ends there. By one thread at a time.
     *
     * @param offset bytes of all records before it
     * @param needed bytes that the segment must have room for behind its header
     * @throws LogRefusedException if the file system has no room or no file for it; nothing has changed
     */
    public Segment begin(long sequence, long offset, int needed) throws IOException {
        int wanted = through ? Math.min(Math.max(MIN_BYTES, nextBytes / HASTE), options.segmentBytes()) : nextBytes;
        while (wanted < SegmentHeader.BYTES + needed && wanted < options.segmentBytes()) {
            wanted = grown(wanted);
        }
        wanted = Math.max(wanted, SegmentHeader.BYTES + needed); // for a record of a replica that has longer segments
        Segment segment;
        try {
            dropShorterSpares(wanted);
            if (spares.isEmpty()) {
                makeSpare(wanted);
            }
            segment = beginIn(spares.element(), wanted, sequence, offset);
            spares.remove(); // only now, so that no refusal leaves a file that nobody knows
        } catch (IOException e) {
            throw new LogRefusedException(e);
        }
        nextBytes = Math.max(nextBytes, grown(segment.bytes()));
        Map.Entry<Long, Segment> last = live.lastEntry();
        live.put(sequence, segment);
        if (last != null) {
            last.getValue().endsBefore(sequence);
        }
        return segment;
    }

    /** Returns whether the next segment shall be longer than the one before. */
    public boolean isGrowing() {
        Map.Entry<Long, Segment> last = live.lastEntry();
        return last != null && last.getValue().bytes() < nextBytes;
    }

    private int grown(int bytes) {
        return (int) Math.min((long) bytes * GROWTH, options.segmentBytes());
    }

    /** Deletes spares that are too short. A log that does not write through lets any file grow. */
    private void dropShorterSpares(int wanted) throws IOException {
        for (Spare next = spares.peek(); through && next != null && next.bytes < wanted; next = spares.peek()) {
            io.delete(next.path);
            spares.remove();
            next.close();
        }
    }

    private Segment beginIn(Spare spare, int wanted, long sequence, long offset) throws IOException {
        int bytes = Math.max(spare.bytes, wanted);
        SegmentHeader header = new SegmentHeader(bytes, logId, spare.epoch, sequence, offset, through);
        FileIo.DataFile file = spare.open();
        try {
            file.write(header.encode(), 0);
        } catch (IOException e) {
            spares.remove();
            spare.close();
            io.delete(spare.path); // the header may be there, and the next record still go to the segment before
            throw e;
        }
        return compressible(new Segment(spare.path, header, file));
    }

    private Segment compressible(Segment segment) {
        if (options.codecs().writer() != null) {
            segment.makeCompressible();
        }
        return segment;
    }

    /** A file named for its next use. */
    private final class Spare implements Closeable {
        private final Path path;
        private final long epoch;
        private final int bytes;
        private volatile FileIo.@Nullable DataFile file; // set under this monitor

        Spare(Path path, long epoch, int bytes) {
            this.path = path;
            this.epoch = epoch;
            this.bytes = bytes;
        }

        /** Returns the file, to be written; opening takes longer than a force where the code is rarely run. */
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

    /** Returns how a segment's file is opened for writing. */
    public FileIo.Access writeAccess() {
        return through ? FileIo.Access.WRITE_THROUGH : FileIo.Access.WRITE;
    }

    /** Returns whether {@link #begin} finds a spare that is open and long enough for the next segment. */
    public boolean isPrepared() {
        Spare next = spare(nextBytes);
        return next != null && next.file != null;
    }

    /** Makes a spare where none is long enough, and opens it: off the appenders' path, so that {@link #begin} finds one. */
    public void prepareSpare() throws IOException {
        int wanted = nextBytes;
        if (spare(wanted) == null) {
            makeSpare(wanted);
        }
        Spare next = spare(wanted);
        if (next != null) {
            FileIo.DataFile unused = next.open();
        }
    }

    /** Returns the first spare of at least this length, or null. */
    private @Nullable Spare spare(int bytes) {
        for (Spare spare : spares) {
            if (spare.bytes >= bytes) {
                return spare;
            }
        }
        return null;
    }

    /**
     * Returns the live segment that holds this sequence.
     *
     * @throws CorruptLogException if none does
     */
    public Segment holding(long sequence) throws IOException {
        Segment segment = find(sequence);
        if (segment == null) {
            throw new CorruptLogException(
                    options.folder(), 0, "segments", "one with sequence " + sequence, live.keySet());
        }
        return segment;
    }

    /** Returns the live segment that holds this sequence, or null. */
    public @Nullable Segment find(long sequence) {
        Map.Entry<Long, Segment> entry = live.floorEntry(sequence);
        return entry == null || sequence >= entry.getValue().endSequence() ? null : entry.getValue();
    }

    /** Returns the first sequence of the live segments, or {@code ifNone} where there are none. */
    public long oldestSequence(long ifNone) {
        Map.Entry<Long, Segment> first = live.firstEntry();
        return first == null ? ifNone : first.getKey();
    }

    /** Returns the first sequence of the last segment that begins at or before this sequence; 0 where there is none. */
    public long firstOf(long sequence) {
        Long first = live.floorKey(sequence);
        return first == null ? 0 : first;
    }

    /** Returns the bytes of all records of the log before the live segments, or {@code ifNone} where there are none. */
    public long oldestOffset(long ifNone) {
        Map.Entry<Long, Segment> first = live.firstEntry();
        return first == null ? ifNone : first.getValue().offset();
    }

    /** Returns how many files wait for their next use. */
    public int spareCount() {
        return spares.size();
    }

    /** Returns whether a segment was not taken back. */
    public boolean isLive(Segment segment) {
        return live.containsKey(segment.firstSequence());
    }

    /** Returns a view of the live segments, in order. */
    public Collection<Segment> live() {
        return live.values();
    }

    /**
     * Takes back segments that every cursor has consumed, as the device knows already, and that need not be retained: the oldest are
     * deleted or become spares, those behind one that is still in use are cut off behind their header. By one thread at a time; nobody
     * waits for it, since deleting a large file takes long.
     *
     * @param checkpoint every record before this sequence is on the device
     */
    public void release(Collection<Segment> consumed, long checkpoint) throws IOException {
        long retained = 0;
        for (Segment segment : consumed) {
            retained += segment.diskBytes();
        }
        boolean oldest = true;
        for (Segment segment : live.values()) {
            oldest &= consumed.contains(segment);
            if (!consumed.contains(segment) || (!oldest && !mayBeCut(segment, checkpoint))) {
                continue;
            }
            if (isRetained(segment, retained)) {
                return;
            }
            retained -= segment.diskBytes();
            if (oldest) {
                live.remove(segment.firstSequence());
                segment.takeBack();
                reuseOrDelete(segment);
            } else {
                empty(segment);
            }
        }
    }

    /**
     * Returns whether a consumed segment in the middle may lose its records. The next segment must be on the device with its own, for the last
     * records of the log tell how many bytes were appended.
     */
    private boolean mayBeCut(Segment segment, long checkpoint) throws IOException {
        return !segment.isReleased() && holding(segment.endSequence()).endSequence() <= checkpoint;
    }

    private void reuseOrDelete(Segment segment) throws IOException {
        if (spares.size() < MAX_SPARES && !segment.isReleased() && isReusable(segment)) {
            addSpare(segment.path(), segment.bytes());
        } else {
            io.delete(segment.path());
        }
    }

    private void empty(Segment segment) throws IOException {
        segment.markReleased();
        segment.takeBack();
        try (FileIo.DataFile file = io.open(segment.path(), FileIo.Access.WRITE)) {
            file.truncate(SegmentHeader.BYTES);
        }
    }

    /**
     * Returns the nanoseconds after which {@link #release} may take back a consumed segment that it left, or 0 where none is left. An
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
        addSpare(segment.path(), segment.bytes());
    }

    /**
     * Names a file for its next use. The name of one that was a segment need not reach the device before that use's header: under
     * the old name, too, the header's epoch tells what the file is. An unfinished one's must, or the next open would delete it.
     */
    private synchronized void addSpare(Path file, int bytes) throws IOException {
        Path spare = options.folder().resolve(fileName(epoch + 1));
        io.rename(file, spare);
        epoch++;
        if (isUnfinished(file) && through) {
            try {
                io.forceFolder(options.folder());
            } catch (IOException e) {
                io.delete(spare);
                throw e;
            }
        }
        spares.add(new Spare(spare, epoch, bytes));
    }

    /** Returns whether the next segment can use the file: not where it is shorter than segments are by now, was cut off, or compressed. */
    private boolean isReusable(Segment segment) throws IOException {
        return !segment.isCompressed()
                && (!through
                        || (segment.bytes() >= nextBytes
                                && segment.bytes() <= options.segmentBytes()
                                && size(segment.path()) == segment.bytes()));
    }

    private long size(Path path) throws IOException {
        try (FileIo.DataFile file = io.open(path, FileIo.Access.READ)) {
            return file.size();
        }
    }

    /** Spares a full disk the zeros that would be written in vain. */
    private void checkRoom(int bytes) throws IOException {
        long usable = through ? io.usableBytes(options.folder()) : Long.MAX_VALUE;
        if (usable < bytes) {
            throw new IOException("no room for a segment: folder=" + options.folder() + " segmentBytes=" + bytes
                    + " usableBytes=" + usable);
        }
    }

    private void makeSpare(int bytes) throws IOException {
        Path unfinished = options.folder().resolve(UNFINISHED + UUID.randomUUID());
        checkRoom(bytes);
        try {
            try (FileIo.DataFile file = io.create(unfinished, writeAccess())) {
                if (through) {
                    fill(file, bytes);
                }
            }
            addSpare(unfinished, bytes);
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

    private static void fill(FileIo.DataFile file, int bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(ZEROS_BYTES, bytes));
        for (int at = 0; at < bytes; at += zeros.capacity()) {
            file.write(zeros.clear().limit(Math.min(zeros.capacity(), bytes - at)), at);
        }
    }
}
