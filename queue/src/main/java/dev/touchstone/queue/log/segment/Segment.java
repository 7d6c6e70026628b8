package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One log file. Immutable but for its end, which is set once when the next segment begins, and its pins. Thread-safe. */
public final class Segment {
    private static final int RETIRED = Integer.MIN_VALUE;

    private final Path path;
    private final SegmentHeader header;
    private final long salt;
    private final AtomicReference<FileIo.@Nullable DataFile> open;
    private final AtomicInteger pins = new AtomicInteger();
    private volatile SoftReference<@Nullable ByteBuffer> mapping = new SoftReference<>(null);
    private volatile long endSequence = Long.MAX_VALUE;
    private volatile boolean released;

    public Segment(Path path, SegmentHeader header) {
        this(path, header, null);
    }

    /** @param open to be written, until somebody takes it */
    public Segment(Path path, SegmentHeader header, FileIo.@Nullable DataFile open) {
        this.path = path;
        this.header = header;
        this.salt = header.salt();
        this.open = new AtomicReference<>(open);
    }

    /** The open file of a segment that was just begun; null where it was taken, or the segment was found. */
    public FileIo.@Nullable DataFile takeFile() {
        return open.getAndSet(null);
    }

    public Path path() {
        return path;
    }

    public long firstSequence() {
        return header.firstSequence();
    }

    /** Bytes of all records before this segment. */
    public long offset() {
        return header.offset();
    }

    public int bytes() {
        return header.segmentBytes();
    }

    public SegmentHeader header() {
        return header;
    }

    public long salt() {
        return salt;
    }

    /** The sequence that the next segment begins with; {@link Long#MAX_VALUE} while this is the last. */
    public long endSequence() {
        return endSequence;
    }

    /** Keeps the file from being taken back until {@link #unpin}; false where it has been. */
    public boolean pin() {
        for (; ; ) {
            int now = pins.get();
            if (now < 0) {
                return false;
            }
            if (pins.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    public void unpin() {
        pins.getAndDecrement();
    }

    /** Ends pinning, so that the file may be taken back; false where it is pinned. */
    public boolean retire() {
        return pins.compareAndSet(0, RETIRED) || pins.get() == RETIRED;
    }

    /** The whole ended segment, mapped: by all its readers together, and for as long as the heap has room. */
    public ByteBuffer mapping(FileIo.DataFile file, int bytes) throws IOException {
        ByteBuffer known = mapping.get();
        if (known == null || known.capacity() != bytes) {
            known = file.map(bytes).order(ByteOrder.LITTLE_ENDIAN);
            mapping = new SoftReference<>(known);
        }
        return known;
    }

    /** Returns whether the file holds no records any more, because every cursor has consumed them. */
    public boolean isReleased() {
        return released;
    }

    /** Says that the file holds no records any more. */
    public void markReleased() {
        released = true;
    }

    public void endsBefore(long sequence) {
        endSequence = sequence;
    }
}
