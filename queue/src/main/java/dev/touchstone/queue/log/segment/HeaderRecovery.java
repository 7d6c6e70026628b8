package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Derives a segment's header, where both copies are damaged, from the segment's records and from the other files of the folder. Not thread-safe.
 *
 * <ul>
 *   <li>Log id: that of any other segment, or of an earlier use of a spare. Together with the epoch, which is the file's name, it gives the salt,
 *       so that the segment's records prove it.
 *   <li>First sequence: that of a whole record behind the header; else the end of the segment before; else that of the first whole record.
 *   <li>Offset: the end of the segment before; else the offset of the next one without the records in between.
 *   <li>Length: the file's.
 * </ul>
 *
 * <p>A compressed segment's header stands in its tables too. Nothing else is derived without a log id, as where the only file of a folder is damaged: the id stands in headers alone, and no record can be
 * checked without it. The same holds without one whole record, and where a power cut undid the file's last renaming.
 */
public final class HeaderRecovery {
    private final FileIo io;
    private final TreeMap<Long, Segment> segments = new TreeMap<>(); // by epoch
    private final List<Path> spares = new ArrayList<>();

    /** Begins without any file. */
    public HeaderRecovery(FileIo io) {
        this.io = io;
    }

    /** Adds a file of the folder; {@code header} is null for a spare, {@code blocks} for a file that is not compressed. */
    public void add(Path file, @Nullable SegmentHeader header, @Nullable BlockTable blocks) {
        if (header == null) {
            spares.add(file);
        } else {
            segments.put(header.epoch(), new Segment(file, header, blocks));
        }
    }

    /**
     * Derives the header of a damaged file.
     *
     * @param through whether the log was written through to the device, for a file without neighbours
     * @return null where nothing proves what the file was
     */
    public @Nullable SegmentHeader derive(Path file, boolean through) throws IOException {
        UUID logId = logId();
        SegmentHeader stored = compressed(file, logId);
        if (stored != null) {
            return stored;
        }
        int bytes = length(file);
        long epoch = SegmentStore.epoch(file);
        if (logId == null || bytes <= SegmentHeader.BYTES) {
            return null;
        }
        Segment before = value(segments.lowerEntry(epoch));
        Segment after = value(segments.higherEntry(epoch));
        Segment neighbour = before == null ? after : before;
        boolean writtenThrough =
                neighbour == null ? through : neighbour.header().writtenThrough();
        SegmentHeader known = new SegmentHeader(bytes, logId, epoch, 1, 0, writtenThrough);
        End previous =
                before == null ? null : end(before, SegmentHeader.BYTES, before.firstSequence(), before.offset());
        Place place = firstRecord(new Segment(file, known), before, after);
        if (place == null) {
            return null;
        }
        boolean lostStart = place.position > SegmentHeader.BYTES;
        long first = lostStart && previous != null ? Math.min(previous.sequence, place.sequence) : place.sequence;
        long offset = previous == null ? 0 : previous.offset;
        if (after != null && (previous == null || previous.sequence != first)) {
            offset = after.offset() - end(new Segment(file, known), place.position, place.sequence, 0).offset;
        }
        return new SegmentHeader(bytes, logId, epoch, first, Math.max(0, offset), writtenThrough);
    }

    /**
     * Returns the sequence of the record right behind a file's header.
     *
     * @return 0 where the file's name and the log's id do not prove that there is one
     */
    public long firstSequence(Path file) throws IOException {
        UUID logId = logId();
        SegmentHeader stored = compressed(file, logId);
        if (stored != null) {
            return stored.firstSequence();
        }
        int bytes = length(file);
        if (logId == null || bytes <= SegmentHeader.BYTES) {
            return 0;
        }
        Segment guess = new Segment(file, new SegmentHeader(bytes, logId, SegmentStore.epoch(file), 1, 0, false));
        try (SegmentReader reader = read(guess, SegmentHeader.BYTES, 0)) {
            long here = reader.sequenceHere();
            return here > 0 && reader.find(here) ? here : 0;
        }
    }

    /** Returns the header that the table of a compressed segment of this log repeats; null where there is none. */
    private @Nullable SegmentHeader compressed(Path file, @Nullable UUID logId) throws IOException {
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            SegmentHeader stored = BlockTable.header(open, file);
            return stored != null && (logId == null || logId.equals(stored.logId())) ? stored : null;
        }
    }

    private SegmentReader read(Segment segment, long position, long offset) throws IOException {
        return new SegmentReader(io, segment, position, offset, SegmentReader.ConsumptionSink.NONE);
    }

    /** Writes a derived header in place of the damaged one; on the device on return. */
    public void write(Path file, SegmentHeader header) throws IOException {
        try (FileIo.DataFile open = io.open(file, FileIo.Access.WRITE)) {
            open.write(header.encode(), 0);
            open.force();
        }
    }

    /** A whole record. */
    private record Place(long position, long sequence) {}

    /** The end of a segment: the sequence behind its last whole record, and the bytes of all records up to there. */
    private record End(long sequence, long offset) {}

    private static @Nullable Segment value(Map.@Nullable Entry<Long, Segment> entry) {
        return entry == null ? null : entry.getValue();
    }

    private int length(Path file) throws IOException {
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            return (int) Math.min(Integer.MAX_VALUE, open.size());
        }
    }

    private @Nullable UUID logId() throws IOException {
        if (!segments.isEmpty()) {
            return segments.firstEntry().getValue().header().logId();
        }
        for (Path spare : spares) {
            try (FileIo.DataFile open = io.open(spare, FileIo.Access.READ)) {
                SegmentHeader earlier = SegmentHeader.read(open, spare, 0, false);
                if (earlier != null) {
                    return earlier.logId();
                }
            } catch (CorruptLogException e) {
                // any other file will do
            }
        }
        return null;
    }

    /** Finds the first whole record whose sequence fits between the neighbours. */
    private @Nullable Place firstRecord(Segment segment, @Nullable Segment before, @Nullable Segment after)
            throws IOException {
        int maxRecords = maxRecords(segment);
        long min = before == null ? 1 : before.firstSequence() + 1;
        long max = after == null ? Long.MAX_VALUE : after.firstSequence() - 1;
        try (SegmentReader reader = read(segment, SegmentHeader.BYTES, 0)) {
            long here = reader.sequenceHere();
            if (here >= min && here <= max && reader.find(here)) {
                return new Place(SegmentHeader.BYTES, here);
            }
            if (before == null && after == null) {
                return null; // any eight bytes might be a sequence, and each would cost a checksum
            }
            long from = before == null ? Math.max(1, max - maxRecords) : min;
            long to = after == null ? min + maxRecords + maxRecords(before) : max;
            return reader.seek(from, to) ? new Place(reader.position(), reader.sequenceHere()) : null;
        }
    }

    private static int maxRecords(@Nullable Segment segment) {
        return segment == null ? 0 : segment.bytes() / RecordFormat.HEADER_BYTES;
    }

    /** Reads on from a record to the segment's end. */
    private End end(Segment segment, long position, long sequence, long offset) throws IOException {
        long next = sequence;
        try (SegmentReader reader = read(segment, position, offset)) {
            for (; ; ) {
                while (reader.find(next)) {
                    reader.advance();
                    next++;
                }
                if (!reader.seek(next)) {
                    return new End(next, reader.offset());
                }
                next = reader.sequenceHere();
            }
        }
    }
}
