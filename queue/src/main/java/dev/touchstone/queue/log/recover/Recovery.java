package dev.touchstone.queue.log.recover;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogOptions.OnDamage;
import dev.touchstone.queue.log.Maintenance;
import dev.touchstone.queue.log.commit.BatchFile;
import dev.touchstone.queue.log.consume.ConsumerState;
import dev.touchstone.queue.log.consume.ConsumptionJournal;
import dev.touchstone.queue.log.consume.FoundConsumption;
import dev.touchstone.queue.log.segment.BlockTable;
import dev.touchstone.queue.log.segment.HeaderRecovery;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentReader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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
 *       Where that place is the end of a segment, the next segment is kept only if every record that is missing in between stands before
 *       the checkpoint or is consumed.
 * </ul>
 *
 * <p>What is behind the end is cut off, and the next append begins a new segment: a log never writes behind bytes that it did not
 * write itself.
 */
public final class Recovery {
    private final FileIo io;
    private final LogOptions options;
    private final FoundConsumption last;
    private final List<ConsumerState> keeping;
    private final long consumed;
    private final List<Segment> segments = new ArrayList<>();
    private final List<Path> spares = new ArrayList<>();
    private final List<Hole> holes = new ArrayList<>();
    private UUID logId = UUID.randomUUID();
    private long epoch;
    private long endOffset;
    private boolean clean = true;
    private long scannedRecords;
    private long scannedBytes;
    private int damagedPlaces;
    private @Nullable Segment emptyTail;

    private Recovery(FileIo io, LogOptions options, FoundConsumption last) {
        this.io = io;
        this.options = options;
        this.last = last;
        this.keeping = last.cursors().values().stream()
                .filter(cursor -> !cursor.equals(last.own()) || !options.namedCursorsOnly())
                .toList();
        this.consumed = keeping.stream().mapToLong(ConsumerState::floor).min().orElse(1);
    }

    /**
     * The folder's segments, all on the device, and where the log goes on.
     *
     * @param nextSequence of the first record to be appended
     * @param nextOffset bytes of all records before it
     */
    public record Result(SegmentStore segments, long nextSequence, long nextOffset, RecoveryOutcome outcome) {}

    /** Recovers the log of a folder, and begins a use of its journal. */
    public static Result run(FileIo io, LogOptions options, ConsumptionJournal journal) throws IOException {
        Recovery recovery = new Recovery(io, options, journal.read());
        return recovery.run(journal);
    }

    private Result run(ConsumptionJournal journal) throws IOException {
        endOffset = last.own().place().offset();
        BatchFile.replay(io, options.folder(), this::judgeBuffer);
        sort(io.list(options.folder()));
        judgeCheckpoints();
        markReleased();
        dropEmptyTail();
        long end = allConsumed() ? Math.max(1, last.checkpoint()) : findEnd();
        long next = last.next(end, !segments.isEmpty(), lowestFloor());
        if (last.lostAfter(next) > next) {
            damagedPlaces++; // what was consumed was on the device
        }
        // in a log that does not write through, a power cut may cost records and leave acknowledgements
        last.cursors().values().forEach(cursor -> cursor.truncate(next));
        damagedPlaces += (int) holes.stream().filter(hole -> !isHarmless(hole)).count();
        RecoveryOutcome outcome = new RecoveryOutcome(
                clean && next == end && end == Math.max(1, last.checkpoint()),
                scannedRecords,
                scannedBytes,
                damagedPlaces);
        BatchFile.delete(io, options.folder()); // its records are in segments, on the device
        io.forceFolder(options.folder());
        journal.begin(last, next, options.commit() == LogOptions.Commit.DEVICE);
        if (emptyTail != null) {
            io.delete(emptyTail.path());
            io.forceFolder(options.folder());
        }
        dropReplaced();
        SegmentStore store = new SegmentStore(io, options, logId, segments, spares, epoch);
        return new Result(store, next, endOffset, outcome);
    }

    private long lowestFloor() {
        return keeping.stream().mapToLong(ConsumerState::floor).min().orElse(1);
    }

    /** Reports damage to the cursors' checkpoints; where neither is whole, the log's records tell what is left of them. */
    private void judgeCheckpoints() throws IOException {
        if (!last.complete() && segments.isEmpty()) {
            return; // a new log, or one that was killed while it was made
        }
        CorruptLogException lost = last.complete()
                ? null
                : new CorruptLogException(options.folder(), 0, "cursor checkpoints", "a whole one", "none");
        for (CorruptLogException damage : last.damages()) {
            OnDamage decision = options.onDamage().apply(damage);
            if (last.losesCursor(damage) && decision != OnDamage.SKIP) {
                throw damage; // else nothing, or a slot, is lost
            }
            damagedPlaces++;
        }
        if (lost != null) {
            damagedPlaces++;
            if (options.onDamage().apply(lost) != OnDamage.SKIP) {
                throw lost;
            }
        } else {
            long oldest = segments.isEmpty() ? Long.MAX_VALUE : segments.get(0).firstSequence();
            last.pass(Math.min(oldest, last.checkpoint()));
        }
    }

    private void judgeBuffer(CorruptLogException damage) throws CorruptLogException {
        askOwner(damage);
        damagedPlaces++;
    }

    /**
     * Reports records before the checkpoint that a cursor has not consumed and that stand before the oldest segment. A segment is deleted only
     * when the device knows that every cursor has consumed it.
     */
    private void judgeOldest(List<Found> found) throws IOException {
        if (!last.complete() || !last.damages().isEmpty() || damagedPlaces > 0) {
            return; // the cursors may have consumed more than is known, or a file was set aside
        }
        long oldest = Long.MAX_VALUE;
        for (Found each : found) {
            oldest = each.header == null ? oldest : Math.min(oldest, each.header.firstSequence());
        }
        long end = Math.min(oldest, last.checkpoint());
        boolean anyNamed = keeping.stream().anyMatch(cursor -> !cursor.name().isEmpty());
        for (ConsumerState cursor : keeping) {
            if (anyNamed && cursor.equals(last.own()) && cursor.end() == 1) {
                continue; // where there are named ones, the log's own may be one that never consumes
            }
            if (!cursor.covers(cursor.floor(), end)) {
                String got = oldest == Long.MAX_VALUE ? "none" : "the oldest with sequence " + oldest;
                askOwner(new CorruptLogException(
                        options.folder(), 0, "segments", "one with sequence " + cursor.floor(), got));
                damagedPlaces++;
                return;
            }
        }
    }

    /** Marks segments that were emptied because every cursor had consumed them, while an older one was still in use. */
    private void markReleased() throws IOException {
        for (Segment segment : segments) {
            long end = segment.endSequence() == Long.MAX_VALUE ? last.checkpoint() : segment.endSequence();
            if (end > segment.firstSequence()
                    && keeping.stream().allMatch(cursor -> cursor.covers(segment.firstSequence(), end))
                    && bytes(segment) <= SegmentHeader.BYTES) {
                segment.endsBefore(end);
                segment.markReleased();
            }
        }
    }

    private long bytes(Segment segment) throws IOException {
        try (FileIo.DataFile file = io.open(segment.path(), FileIo.Access.READ)) {
            return file.size();
        }
    }

    /** Returns whether the log was closed with nothing left in it, so that no segment is there to tell where it ends. */
    private boolean allConsumed() {
        return segments.isEmpty() && keeping.stream().allMatch(cursor -> cursor.floor() >= last.checkpoint());
    }

    private void sort(List<Path> files) throws IOException {
        List<Found> found = findAll(files);
        found.sort(Comparator.comparingLong(Found::epoch));
        for (int i = 0; i < found.size(); i++) {
            Found each = found.get(i);
            List<Found> behind = found.subList(i, found.size());
            if (each.header != null) {
                addOrSetAside(each.path, () -> addSegment(each.path, each.header, each.blocks));
            } else if (wasTakenBack(behind)) {
                dropTakenBack(each.path);
            } else if (!endsBefore(behind)) {
                addOrSetAside(each.path, () -> addSpare(each.path, behind));
            } else {
                delete(behind.stream().map(Found::path).toList());
                return;
            }
        }
    }

    /** Reads the headers of all segments; one that is damaged in both copies is derived from the others where the owner agrees. */
    private List<Found> findAll(List<Path> files) throws IOException {
        List<Found> found = new ArrayList<>();
        Map<Path, CorruptLogException> damaged = new TreeMap<>();
        HeaderRecovery headers = new HeaderRecovery(io);
        for (Path file : files) {
            epoch = Math.max(epoch, SegmentStore.epoch(file));
            if (SegmentStore.isUnfinished(file)) {
                io.delete(file);
            } else if (SegmentStore.isSegment(file)) {
                try {
                    Found each = find(file);
                    found.add(each);
                    headers.add(file, each.header, each.blocks);
                } catch (CorruptLogException damage) {
                    damaged.put(file, damage);
                }
            }
        }
        for (Found each : List.copyOf(found)) {
            long first = each.header == null && !last.writtenThrough() ? headers.firstSequence(each.path) : 0;
            if (first >= consumed && first < last.checkpoint()) {
                found.remove(each); // it was on the device, so this is not a header that a power cut kept from it
                damaged.put(each.path, new CorruptLogException(each.path, 0, "segment header", "sequence " + first, 0));
            }
        }
        for (Map.Entry<Path, CorruptLogException> each : damaged.entrySet()) {
            repairOrSetAside(each.getKey(), each.getValue(), headers, found);
        }
        judgeOldest(found);
        return found;
    }

    /** Derives a damaged header, where the owner agrees. Where that fails too the file cannot be read, and is kept under another name. */
    private void repairOrSetAside(Path file, CorruptLogException damage, HeaderRecovery headers, List<Found> found)
            throws IOException {
        askOwner(damage);
        SegmentHeader header = headers.derive(file, last.writtenThrough());
        if (header == null) {
            io.rename(file, SegmentStore.setAside(file));
        } else {
            headers.write(file, header);
            Found repaired = find(file);
            headers.add(file, header, repaired.blocks);
            found.add(repaired);
        }
        damagedPlaces++;
    }

    private void askOwner(CorruptLogException damage) throws CorruptLogException {
        if (options.onDamage().apply(damage) != LogOptions.OnDamage.SKIP) {
            throw damage;
        }
    }

    /** A file, the header that began a segment in it, if one did, and the blocks of one that is compressed. */
    private record Found(
            Path path,
            @Nullable SegmentHeader header,
            @Nullable BlockTable blocks) {
        /** Returns the epoch of the file's last use, or of its next. */
        long epoch() {
            return header == null ? SegmentStore.epoch(path) : header.epoch();
        }
    }

    private Found find(Path file) throws IOException {
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            boolean through = last.writtenThrough();
            SegmentHeader header = !through && open.size() < SegmentHeader.BYTES
                    ? null
                    : SegmentHeader.read(open, file, SegmentStore.epoch(file), through);
            return new Found(
                    file, header, header == null ? null : BlockTable.read(open, file, header, options.codecs()));
        }
    }

    /** Adds a file; one that does not fit the others is kept under another name, where the owner agrees. */
    private void addOrSetAside(Path file, Maintenance.Work adding) throws IOException {
        try {
            adding.run();
        } catch (CorruptLogException damage) {
            askOwner(damage);
            io.rename(file, SegmentStore.setAside(file));
            damagedPlaces++;
        }
    }

    /**
     * Returns whether the first of these files was a segment that all cursors had consumed: it was taken back before it was forced, and
     * neither its header nor its new name reached the device.
     */
    private boolean wasTakenBack(List<Found> files) {
        return !last.writtenThrough() && firstSequence(files) <= consumed;
    }

    /** Deletes a file that was taken back. Where consumed records are retained it may be damage to some, so it is kept under another name. */
    private void dropTakenBack(Path file) throws IOException {
        if (options.retention().isAny()) {
            io.rename(file, SegmentStore.setAside(file));
            damagedPlaces++;
        } else {
            io.delete(file);
        }
    }

    /** Returns whether the first of these files was a segment whose header never reached the device, so that the log ended before it. */
    private boolean endsBefore(List<Found> files) {
        long first = firstSequence(files);
        return !last.writtenThrough() && first > last.checkpoint() && first < Long.MAX_VALUE;
    }

    /** Returns the first sequence of the first of these files that is a segment; {@link Long#MAX_VALUE} where none is. */
    private static long firstSequence(List<Found> files) {
        for (Found file : files) {
            if (file.header != null) {
                return file.header.firstSequence();
            }
        }
        return Long.MAX_VALUE;
    }

    /**
     * Only spares of a log that writes through are used again: in others, records may have reached the device and their header not,
     * and would pass for those of the next use.
     */
    private void addSpare(Path file, List<Found> behind) throws IOException {
        if (firstSequence(behind) < Long.MAX_VALUE) {
            throw new CorruptLogException(file, 0, "segment epoch", SegmentStore.epoch(file), "an earlier one");
        }
        boolean whole;
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            whole = SegmentStore.isSpareLength(open.size(), options);
        }
        if (whole && last.writtenThrough() && options.commit() == LogOptions.Commit.DEVICE) {
            spares.add(file);
        } else {
            io.delete(file);
        }
    }

    private void addSegment(Path file, SegmentHeader header, @Nullable BlockTable blocks) throws IOException {
        long first = header.firstSequence();
        epoch = Math.max(epoch, header.epoch());
        if (segments.isEmpty()) {
            logId = header.logId();
        } else {
            Segment before = segments.get(segments.size() - 1);
            if (first < before.firstSequence() || (first == before.firstSequence() && hasRecord(before))) {
                throw new CorruptLogException(file, 0, "first sequence", "more than " + before.firstSequence(), first);
            }
            before.endsBefore(first);
        }
        if (!logId.equals(header.logId())) {
            throw new CorruptLogException(file, 0, "log id", logId, header.logId());
        }
        segments.add(new Segment(file, header, blocks));
    }

    /** Scans from the checkpoint on, cuts the log where it ends, and brings what is left to the device. */
    private long findEnd() throws IOException {
        long end = segments.isEmpty() ? 1 : segments.get(segments.size() - 1).firstSequence();
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            if (segment.endSequence() <= last.checkpoint() && i < segments.size() - 1) {
                continue;
            }
            if (segment.isReleased()) {
                end = segment.endSequence();
                endOffset = emptyTail == null ? Math.max(endOffset, segment.offset()) : emptyTail.offset();
                continue;
            }
            boolean isLast = i == segments.size() - 1;
            end = scan(segment, isLast);
            if (!isLast && endsEarly(segment, end)) {
                clean = false;
                delete(segments.subList(i + 1, segments.size()).stream()
                        .map(Segment::path)
                        .toList());
                segments.subList(i + 1, segments.size()).clear();
                segment.endsBefore(Long.MAX_VALUE);
            }
        }
        return end;
    }

    /** Returns whether records behind the place where this sequence should stand may have been promised to anybody. */
    private boolean keepsBehindHole(Segment segment, long sequence) {
        return segment.header().writtenThrough() || segment.isCompressed() || sequence < last.checkpoint();
    }

    /**
     * Returns whether the log ends in this segment, before the next one: where records are missing between them that a cursor wants and that
     * were not on the device. The power cut took them, or whole segments, whose names it kept from the device.
     */
    private boolean endsEarly(Segment segment, long end) {
        long next = segment.endSequence();
        return end < next && !segment.header().writtenThrough() && next > Math.max(last.checkpoint(), lowestFloor());
    }

    /** Scans a segment and returns the sequence after its last record; cuts off what stands behind the last record of the log. */
    private long scan(Segment segment, boolean isLast) throws IOException {
        long next = segment.firstSequence();
        long end;
        try (SegmentReader reader = read(segment, last::apply)) {
            end = reader.position();
            boolean more = true;
            while (more) {
                long first = next;
                while (reader.find(next)) {
                    reader.advance();
                    next++;
                }
                scannedRecords += next - first;
                end = reader.position();
                endOffset = reader.offset();
                more = keepsBehindHole(segment, next) && reader.seek(next);
                if (more) {
                    first = next;
                    next = reader.sequenceHere();
                    holes.add(new Hole(first, next));
                }
            }
            scannedBytes += end;
        }
        if (segment.isCompressed()) {
            return next; // it was on the device before
        }
        boolean cut = next >= last.checkpoint() && (isLast || endsEarly(segment, next));
        try (FileIo.DataFile file = io.open(segment.path(), FileIo.Access.WRITE)) {
            if (cut && next > segment.firstSequence() && file.size() > end) {
                file.truncate(end);
                clean = false;
            }
            file.force();
        }
        return next;
    }

    /** A damaged place between two records: elements from {@code first} to before {@code end}, or none but a record of consumption. */
    private record Hole(long first, long end) {}

    /** Returns whether nobody needs what stood in a hole, as after a repair: every cursor has consumed it, or the checkpoint has it too. */
    private boolean isHarmless(Hole hole) {
        return hole.first < hole.end
                ? keeping.stream().allMatch(cursor -> cursor.covers(hole.first, hole.end))
                : last.complete() && hole.first < last.checkpoint();
    }

    /**
     * Deletes segments without a record at the end of the log. A segment is begun before the records that go before it are written, so
     * these say nothing of where the log ends.
     */
    private void dropEmptyTail() throws IOException {
        while (!segments.isEmpty()) {
            Segment newest = segments.get(segments.size() - 1);
            long first = newest.firstSequence();
            if (first < last.checkpoint()) {
                return;
            }
            try (SegmentReader reader = read(newest, SegmentReader.ConsumptionSink.NONE)) {
                if (reader.find(first) || (keepsBehindHole(newest, first) && reader.seek(first))) {
                    return;
                }
            }
            clean = false;
            segments.remove(newest);
            Segment before = segments.isEmpty() ? null : segments.get(segments.size() - 1);
            if (before != null && before.isReleased()) {
                emptyTail = newest; // tells where the log ends, until the checkpoint does
                return;
            }
            io.delete(newest.path());
            if (before != null) {
                before.endsBefore(Long.MAX_VALUE);
            }
        }
    }

    /** Returns whether the first record of a segment was written. */
    private boolean hasRecord(Segment segment) throws IOException {
        try (SegmentReader reader = read(segment, SegmentReader.ConsumptionSink.NONE)) {
            return reader.find(segment.firstSequence());
        }
    }

    /**
     * Deletes segments without a record that were begun and then too short for their first one, so that the next segment begins with the same
     * sequence. What they told of consumption is in the journal by now.
     */
    private void dropReplaced() throws IOException {
        for (int i = segments.size() - 2; i >= 0; i--) {
            if (segments.get(i).firstSequence() == segments.get(i + 1).firstSequence()) {
                io.delete(segments.remove(i).path());
            }
        }
    }

    private SegmentReader read(Segment segment, SegmentReader.ConsumptionSink sink) throws IOException {
        return new SegmentReader(io, segment, SegmentHeader.BYTES, segment.offset(), sink);
    }

    /** Deletes files, the last first, so that a crash in between leaves no hole. */
    private void delete(List<Path> files) throws IOException {
        for (int i = files.size() - 1; i >= 0; i--) {
            io.delete(files.get(i));
        }
    }
}
