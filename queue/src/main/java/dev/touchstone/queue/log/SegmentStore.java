package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The log files of a folder: begins new ones, keeps the live ones in order, takes back the consumed ones. Thread-safe.
 *
 * <p>A segment begins as a spare file, made ahead or taken back from consumed ones, and is renamed to its first sequence, in 16
 * hexadecimal digits, when its header is written. Spares of a log that writes through are filled with zeros first: overwriting
 * allocated blocks needs no journal commit of the file system.
 */
final class SegmentStore {
    private static final String SUFFIX = ".seg";
    private static final String SPARE = "spare-";
    private static final String UNFINISHED = "new-";
    private static final int MOST_SPARES = 2;
    private static final int ZEROS_BYTES = 256 << 10;

    private final FileIo io;
    private final LogOptions options;
    private final UUID logId;
    private final ConcurrentSkipListMap<Long, Segment> live = new ConcurrentSkipListMap<>();
    private final Queue<Path> spares = new ArrayDeque<>(); // guarded by this
    private long epoch; // guarded by this

    /**
     * @param segments in order, each ended by the next
     * @param spares files that no segment uses
     * @param epoch the highest that any of these files has been used with
     */
    SegmentStore(
            FileIo io, LogOptions options, UUID logId, List<Segment> segments, Collection<Path> spares, long epoch) {
        this.io = io;
        this.options = options;
        this.logId = logId;
        this.spares.addAll(spares);
        this.epoch = epoch;
        segments.forEach(segment -> live.put(segment.firstSequence(), segment));
    }

    static boolean isSegment(Path file) {
        return file.getFileName().toString().matches("[0-9a-f]{16}\\" + SUFFIX);
    }

    static boolean isSpare(Path file) {
        return file.getFileName().toString().startsWith(SPARE);
    }

    static boolean isUnfinished(Path file) {
        return file.getFileName().toString().startsWith(UNFINISHED);
    }

    static String fileName(long firstSequence) {
        return String.format("%016x%s", firstSequence, SUFFIX);
    }

    /** What {@link #fileName} was given. */
    static long firstSequence(Path segment) {
        return Long.parseUnsignedLong(segment.getFileName().toString(), 0, 16, 16);
    }

    /** Begins the segment whose first record will be {@code sequence}; the one before ends there. */
    synchronized Segment begin(long sequence) throws IOException {
        Path spare = spares.isEmpty() ? makeSpare() : spares.remove();
        boolean through = options.commit() == LogOptions.Commit.DEVICE;
        SegmentHeader header = new SegmentHeader(options.segmentBytes(), logId, ++epoch, sequence, through);
        try (FileIo.DataFile file = io.open(spare, writeAccess())) {
            file.write(header.encode(), 0);
        }
        Path path = options.folder().resolve(fileName(sequence));
        io.rename(spare, path);
        if (through) {
            io.forceFolder(options.folder());
        }
        Segment segment = new Segment(path, header);
        Map.Entry<Long, Segment> last = live.lastEntry();
        if (last != null) {
            last.getValue().endsBefore(sequence);
        }
        live.put(sequence, segment);
        return segment;
    }

    FileIo.Access writeAccess() {
        return options.commit() == LogOptions.Commit.DEVICE ? FileIo.Access.WRITE_THROUGH : FileIo.Access.WRITE;
    }

    /** Makes a spare where there is none: off the appenders' path, so that {@link #begin} finds one. */
    void prepareSpare() throws IOException {
        synchronized (this) {
            if (!spares.isEmpty()) {
                return;
            }
        }
        Path spare = makeSpare();
        synchronized (this) {
            spares.add(spare);
        }
    }

    /** The live segment that holds this sequence. */
    Segment holding(long sequence) throws IOException {
        Map.Entry<Long, Segment> entry = live.floorEntry(sequence);
        if (entry == null || sequence >= entry.getValue().endSequence()) {
            throw new CorruptLogException(
                    options.folder(), 0, "segments", "one with sequence " + sequence, live.keySet());
        }
        return entry.getValue();
    }

    boolean isLive(Segment segment) {
        return live.containsKey(segment.firstSequence());
    }

    Collection<Segment> live() {
        return live.values();
    }

    /** Takes back the segments that end at or before {@code sequence}. The cursor that says so must be on the device. */
    synchronized void releaseBefore(long sequence) throws IOException {
        for (Segment segment : live.values()) {
            if (segment.endSequence() > sequence) {
                return;
            }
            live.remove(segment.firstSequence());
            if (spares.size() < MOST_SPARES && isWhole(segment)) {
                release(segment);
            } else {
                io.delete(segment.path());
            }
        }
    }

    /** Makes a segment a spare; it must not be written again before its old name is gone for good. */
    synchronized void release(Segment segment) throws IOException {
        live.remove(segment.firstSequence());
        Path spare = options.folder().resolve(SPARE + UUID.randomUUID());
        io.rename(segment.path(), spare);
        io.forceFolder(options.folder());
        spares.add(spare);
    }

    private boolean isWhole(Segment segment) throws IOException {
        try (FileIo.DataFile file = io.open(segment.path(), FileIo.Access.READ)) {
            return file.size() == options.segmentBytes() || options.commit() != LogOptions.Commit.DEVICE;
        }
    }

    private Path makeSpare() throws IOException {
        UUID name = UUID.randomUUID();
        Path unfinished = options.folder().resolve(UNFINISHED + name);
        try (FileIo.DataFile file = io.create(unfinished, writeAccess())) {
            if (options.commit() == LogOptions.Commit.DEVICE) {
                ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(ZEROS_BYTES, options.segmentBytes()));
                for (long at = 0; at < options.segmentBytes(); at += zeros.capacity()) {
                    int bytes = (int) Math.min(zeros.capacity(), options.segmentBytes() - at);
                    file.write(zeros.clear().limit(bytes), at);
                }
            }
        } catch (IOException e) {
            io.delete(unfinished);
            throw e;
        }
        Path spare = options.folder().resolve(SPARE + name);
        io.rename(unfinished, spare);
        return spare;
    }
}
