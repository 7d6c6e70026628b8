package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Finds out what a folder holds, after whatever ended its last use.
 *
 * <p>Only segments that may not be wholly on the device (those from the checkpoint on) are scanned. What is found there depends on
 * how they were written:
 *
 * <ul>
 *   <li>Through to the device: everything acknowledged is there. A place that is no record, with records behind it, is a write that
 *       was torn before it was acknowledged or damage that came later; the records behind it are kept.
 *   <li>Through the page cache: after a power cut pages may be missing in any order. Behind the checkpoint the log ends at the first
 *       place that is no record, so that what survives is a prefix; before it such a place is damage and the records behind are kept.
 * </ul>
 *
 * <p>What is behind the end is cut off, and the next append begins a new segment: a log never writes behind bytes that it did not
 * write itself.
 */
final class Recovery {
    private final FileIo io;
    private final LogOptions options;
    private final CursorFile.State last;
    private final List<Segment> segments = new ArrayList<>();
    private final List<Path> spares = new ArrayList<>();
    private final ByteBuffer window = SegmentReader.newWindow();
    private UUID logId = UUID.randomUUID();
    private long epoch;

    private Recovery(FileIo io, LogOptions options, CursorFile.State last) {
        this.io = io;
        this.options = options;
        this.last = last;
    }

    /**
     * The folder's segments, all on the device, and where the log goes on.
     *
     * @param nextSequence of the first record to be appended
     */
    record Result(SegmentStore segments, long nextSequence) {}

    static Result run(FileIo io, LogOptions options, CursorFile cursor) throws IOException {
        Recovery recovery = new Recovery(io, options, cursor.state());
        recovery.sort(io.list(options.folder()));
        recovery.dropEmptyTail();
        long end = recovery.findEnd();
        long next = Math.max(end, Math.max(cursor.state().next(), cursor.state().checkpoint()));
        io.forceFolder(options.folder());
        cursor.begin(next, options.commit() == LogOptions.Commit.DEVICE);
        return new Result(
                new SegmentStore(io, options, recovery.logId, recovery.segments, recovery.spares, recovery.epoch),
                next);
    }

    private void sort(List<Path> files) throws IOException {
        for (Path file : files) {
            if (SegmentStore.isUnfinished(file)) {
                io.delete(file);
            } else if (SegmentStore.isSpare(file)) {
                addSpare(file);
            }
        }
        List<Path> inOrder = files.stream().filter(SegmentStore::isSegment).toList();
        for (int i = 0; i < inOrder.size(); i++) {
            if (!addSegment(inOrder.get(i))) {
                delete(inOrder.subList(i, inOrder.size()));
                return;
            }
        }
    }

    private void addSpare(Path file) throws IOException {
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            if (open.size() == options.segmentBytes() || options.commit() != LogOptions.Commit.DEVICE) {
                epoch = Math.max(epoch, SegmentHeader.read(open, file).epoch());
                spares.add(file);
                return;
            }
        } catch (CorruptLogException neverUsed) {
            spares.add(file);
            return;
        }
        io.delete(file);
    }

    /** False where the file was begun and its header never reached the device: the log ended before it. */
    private boolean addSegment(Path file) throws IOException {
        long first = SegmentStore.firstSequence(file);
        boolean mayBeUnwritten = first >= last.checkpoint() && !last.writtenThrough();
        SegmentHeader header;
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            if (mayBeUnwritten && SegmentHeader.isBlank(open)) {
                return false;
            }
            header = SegmentHeader.read(open, file);
        }
        if (header.firstSequence() != first) {
            if (mayBeUnwritten) {
                return false; // a recycled file with its earlier header
            }
            throw new CorruptLogException(file, 0, "first sequence", first, header.firstSequence());
        }
        if (segments.isEmpty()) {
            logId = header.logId();
        } else {
            segments.get(segments.size() - 1).endsBefore(first);
        }
        if (!logId.equals(header.logId())) {
            throw new CorruptLogException(file, 0, "log id", logId, header.logId());
        }
        epoch = Math.max(epoch, header.epoch());
        segments.add(new Segment(file, header));
        return true;
    }

    /** Scans from the checkpoint on, cuts the log where it ends, and brings what is left to the device. */
    private long findEnd() throws IOException {
        long end = segments.isEmpty() ? 1 : segments.get(segments.size() - 1).firstSequence();
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            if (segment.endSequence() <= last.checkpoint() && i < segments.size() - 1) {
                continue;
            }
            boolean isLast = i == segments.size() - 1;
            end = scan(segment, isLast);
            if (!isLast && endsEarly(segment, end)) {
                delete(segments.subList(i + 1, segments.size()).stream()
                        .map(Segment::path)
                        .toList());
                segments.subList(i + 1, segments.size()).clear();
                segment.endsBefore(Long.MAX_VALUE);
            }
        }
        return end;
    }

    /** Whether records behind the place where this sequence should stand may have been promised to anybody. */
    private boolean keepsBehindHole(Segment segment, long sequence) {
        return segment.header().writtenThrough() || sequence < last.checkpoint();
    }

    /** Whether the log ends in this segment, before the next one: at a hole that the power cut made. */
    private boolean endsEarly(Segment segment, long end) {
        return end < segment.endSequence() && !keepsBehindHole(segment, end);
    }

    /** The sequence after the last record of the segment; what stands behind the last record of the log is cut off. */
    private long scan(Segment segment, boolean isLast) throws IOException {
        long next = segment.firstSequence();
        long end;
        try (SegmentReader reader = new SegmentReader(io, segment, window, SegmentHeader.BYTES)) {
            end = reader.position();
            do {
                while (reader.read(next) != null) {
                    reader.advance();
                    next++;
                    end = reader.position();
                }
            } while (keepsBehindHole(segment, next) && reader.seekAbove(next) && (next = reader.sequenceHere()) > 0);
        }
        boolean cut = next >= last.checkpoint() && (isLast || endsEarly(segment, next));
        try (FileIo.DataFile file = io.open(segment.path(), FileIo.Access.WRITE)) {
            if (cut && next > segment.firstSequence() && file.size() > end) {
                file.truncate(end);
            }
            file.force();
        }
        return next;
    }

    /**
     * A segment is begun before the records that go before it are written, so segments without a record at the end say nothing of
     * where the log ends.
     */
    private void dropEmptyTail() throws IOException {
        while (!segments.isEmpty()) {
            Segment newest = segments.get(segments.size() - 1);
            long first = newest.firstSequence();
            if (first < last.checkpoint()) {
                return;
            }
            try (SegmentReader reader = new SegmentReader(io, newest, window, SegmentHeader.BYTES)) {
                if (reader.read(first) != null || (keepsBehindHole(newest, first) && reader.seekAbove(first))) {
                    return;
                }
            }
            io.delete(newest.path());
            segments.remove(newest);
            if (!segments.isEmpty()) {
                segments.get(segments.size() - 1).endsBefore(Long.MAX_VALUE);
            }
        }
    }

    private void delete(List<Path> files) throws IOException {
        for (Path file : files) {
            io.delete(file);
        }
    }
}
