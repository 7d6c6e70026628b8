package dev.touchstone.queue.inspect;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.consume.ConsumerState;
import dev.touchstone.queue.log.consume.ConsumptionJournal;
import dev.touchstone.queue.log.consume.ConsumptionRepair;
import dev.touchstone.queue.log.consume.FoundConsumption;
import dev.touchstone.queue.log.inspect.ReadOnlyFileIo;
import dev.touchstone.queue.log.segment.BlockTable;
import dev.touchstone.queue.log.segment.HeaderRecovery;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentReader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reading of a folder: what recovery would find, with every segment read to its end.
 *
 * <p>A file that is gone when it is read was taken back by the owner at work, as all cursors have consumed its elements.
 *
 * <p>Behind the checkpoint of a log that was not written through to the device a hole is no damage: the log ends there.
 */
final class FolderScan {
    private static final LogOptions.Codecs CODECS = LogOptions.Codecs.READING;

    private final ReadOnlyFileIo io;
    private final Path folder;
    private final boolean complete;
    private final Consumer<Path> progress;
    private final HeaderRecovery recovery;
    private final List<Segment> segments = new ArrayList<>();
    private final List<FoundSegment> found = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final List<CorruptLogException> badFiles = new ArrayList<>();
    private final List<FoundDamage> damages = new ArrayList<>();
    private final Map<Path, SegmentHeader> headers;
    private FoundConsumption known;
    private List<CorruptLogException> cursorDamages;
    private long oldest;
    private boolean isMissingRefused; // whether an open refuses that elements before the oldest are missing
    private long end;
    private long next;
    private long elements;
    private long tailBytes;
    private long diskBytes;
    private int spares;
    private int setAside;

    /** Records from {@code first} to before {@code end} that cannot be read; none where what is damaged is no element. */
    record Loss(CorruptLogException damage, long first, long end) {}

    private FolderScan(
            FileIo io, Path folder, boolean complete, Map<Path, SegmentHeader> headers, Consumer<Path> progress)
            throws IOException {
        this.io = new ReadOnlyFileIo(io);
        this.recovery = new HeaderRecovery(this.io);
        this.progress = progress;
        this.folder = folder;
        this.complete = complete;
        this.headers = headers;
        this.known = readCursors();
        this.cursorDamages = known.damages();
    }

    private FoundConsumption readCursors() throws IOException {
        try (ConsumptionJournal journal = ConsumptionJournal.open(io, folder, false)) {
            return journal.read();
        }
    }

    /**
     * Reads a folder.
     *
     * @param io that need not be able to write
     * @param complete whether segments are read, too, that recovery would not read
     * @param headers to be taken in place of those that stand in these files
     * @param progress told of each segment before it is read
     */
    static FolderScan of(
            FileIo io, Path folder, boolean complete, Map<Path, SegmentHeader> headers, Consumer<Path> progress)
            throws IOException {
        FolderScan scan = new FolderScan(io, folder, complete, headers, progress);
        scan.findSegments();
        if (!scan.known.complete()) {
            int last = scan.segments.size() - 1;
            boolean through = last >= 0 && scan.segments.get(last).header().writtenThrough();
            scan.known = ConsumptionRepair.rebuild(scan.known, scan.oldest, through);
        }
        scan.readSegments();
        scan.forgetLost();
        return scan;
    }

    /** Returns what is known of the cursors, with what the log says. */
    FoundConsumption known() {
        return known;
    }

    /** Returns what is wrong with the files that tell what the cursors have consumed. */
    List<CorruptLogException> cursorDamages() {
        return cursorDamages;
    }

    /** Returns the files whose headers cannot be read or do not fit, with why. */
    List<CorruptLogException> badFiles() {
        return badFiles;
    }

    /** Returns headers that the records of {@link #badFiles} prove; a file without one cannot be read. */
    Map<Path, SegmentHeader> derivedHeaders() throws IOException {
        Map<Path, SegmentHeader> derived = new LinkedHashMap<>();
        for (CorruptLogException bad : badFiles) {
            SegmentHeader header =
                    bad.field().startsWith("segment") ? recovery.derive(bad.file(), known.writtenThrough()) : null;
            if (header != null) {
                derived.put(bad.file(), header);
                recovery.add(bad.file(), header, blocks(bad.file(), header));
            }
        }
        return derived;
    }

    List<Loss> losses() {
        return losses;
    }

    /** Returns the segments whose headers can be read, in order. */
    List<Segment> segments() {
        return segments;
    }

    /** Returns the sequence that the log goes on with. */
    long nextSequence() {
        return next;
    }

    /** Finds the next sequence and the damages, and then lets the cursors forget what recovery would, so that later counts are of what is there. */
    private void forgetLost() {
        next = known.complete() ? known.next(end, elements > 0, lowestFloor()) : end;
        long consumed = known.lostAfter(next);
        if (known.complete() && consumed > next) {
            end = next;
            lose(folder, 0, "records before the last that is consumed", consumed - 1, next - 1, consumed);
        }
        judgeDamages();
        known.cursors().values().forEach(cursor -> cursor.truncate(next));
    }

    /**
     * Finds the segments. Where an owner may be at work, the cursors are read again behind the files, as they have consumed what files held that
     * were taken back, and then the files that were made meanwhile.
     */
    private void findSegments() throws IOException {
        List<Segment> begun = new ArrayList<>();
        List<Path> without = new ArrayList<>();
        List<Path> first = io.list(folder);
        find(first, begun, without);
        if (!complete) {
            known = readCursors();
            cursorDamages = known.damages();
            List<Path> later = new ArrayList<>(io.list(folder));
            later.removeAll(first);
            find(later, begun, without);
        }
        begun.sort(Comparator.comparingLong(segment -> segment.header().epoch()));
        for (Segment segment : begun) {
            addSegment(segment);
        }
        oldest = segments.isEmpty()
                ? Math.max(1, known.checkpoint())
                : segments.get(0).firstSequence();
        for (Path file : without) {
            try {
                judgeSpare(file);
            } catch (NoSuchFileException takenBack) {
                // neither a spare nor damaged
            }
        }
    }

    private void find(List<Path> files, List<Segment> begun, List<Path> without) throws IOException {
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            boolean isSegment = SegmentStore.isSegment(file);
            if (isSegment
                    || name.equals("LOCK")
                    || name.equals("BUFFER")
                    || name.startsWith("CURSOR")
                    || name.startsWith("cursor-")) {
                diskBytes += size(file);
            }
            setAside += SegmentStore.epoch(file) > 0 && !isSegment ? 1 : 0;
            if (isSegment) {
                find(file, begun, without);
            }
        }
    }

    private void find(Path file, List<Segment> begun, List<Path> without) throws IOException {
        SegmentHeader given = headers.get(file);
        if (given != null) {
            begun.add(Segment.foreign(file, given, CODECS));
            recovery.add(file, given, blocks(file, given));
            return;
        }
        boolean through = known.writtenThrough() && known.complete();
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            SegmentHeader header = !through && open.size() < SegmentHeader.BYTES
                    ? null
                    : SegmentHeader.read(open, file, SegmentStore.epoch(file), through);
            recovery.add(file, header, header == null ? null : BlockTable.read(open, file, header, CODECS));
            if (header == null) {
                without.add(file);
            } else {
                begun.add(Segment.foreign(file, header, CODECS));
            }
        } catch (NoSuchFileException takenBack) {
            // tells nothing any more
        } catch (CorruptLogException bad) {
            badFiles.add(bad);
        }
    }

    private @Nullable BlockTable blocks(Path file, SegmentHeader header) throws IOException {
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            return BlockTable.read(open, file, header, CODECS);
        }
    }

    /** Returns whether the first record of a segment was written; where it was not, the segment was too short for it, and another one has it. */
    private boolean hasRecord(Segment segment) throws IOException {
        try (SegmentReader reader = new SegmentReader(
                io, segment, SegmentHeader.BYTES, segment.offset(), SegmentReader.ConsumptionSink.NONE)) {
            return find(reader, segment.firstSequence());
        } catch (NoSuchFileException takenBack) {
            return false;
        }
    }

    private void addSegment(Segment segment) throws IOException {
        if (!segments.isEmpty()) {
            Segment before = segments.get(segments.size() - 1);
            Path file = segment.path();
            if (!before.header().logId().equals(segment.header().logId())) {
                badFiles.add(new CorruptLogException(
                        file,
                        0,
                        "log id",
                        before.header().logId(),
                        segment.header().logId()));
                return;
            }
            boolean isReplaced = segment.firstSequence() == before.firstSequence() && !hasRecord(before);
            if (segment.firstSequence() <= before.firstSequence() && !isReplaced) {
                badFiles.add(new CorruptLogException(
                        file, 0, "first sequence", "more than " + before.firstSequence(), segment.firstSequence()));
                return;
            }
        }
        segments.add(segment);
    }

    /** Takes a file without a header for a spare, unless it was a segment: then a later segment is there. */
    private void judgeSpare(Path file) throws IOException {
        long epoch = SegmentStore.epoch(file);
        long first = known.writtenThrough() || !known.complete() ? 0 : recovery.firstSequence(file);
        if (first >= lowestFloor() && first > 0 && first < known.checkpoint()) {
            badFiles.add(new CorruptLogException(file, 0, "segment header", "sequence " + first, 0));
            return;
        }
        Segment behind = segments.stream()
                .filter(segment -> segment.header().epoch() > epoch)
                .findFirst()
                .orElse(null);
        boolean wasTakenBack = behind != null
                && !known.writtenThrough()
                && relevant().stream().allMatch(cursor -> cursor.floor() >= behind.firstSequence());
        if (behind == null || wasTakenBack) {
            spares++;
        } else {
            badFiles.add(new CorruptLogException(file, 0, "segment epoch", epoch, "an earlier one"));
        }
    }

    /**
     * Returns the cursors for which elements are kept. Where there are named ones, the queue's own counts only if it has consumed something, as
     * it may be one that never does.
     */
    private List<ConsumerState> relevant() {
        List<ConsumerState> named = known.cursors().values().stream()
                .filter(cursor -> !cursor.name().isEmpty())
                .toList();
        boolean ownConsumes = known.own().end() > 1;
        return named.isEmpty() || ownConsumes ? List.copyOf(known.cursors().values()) : named;
    }

    private long lowestFloor() {
        return relevant().stream().mapToLong(ConsumerState::floor).min().orElse(1);
    }

    /** Returns whether an open refuses that elements before the oldest file are missing, as it does before it has read what the files tell of consumption. */
    private boolean isMissingRefused() {
        long stop = Math.min(oldest, known.checkpoint());
        return known.complete()
                && cursorDamages.isEmpty()
                && badFiles.isEmpty()
                && relevant().stream().anyMatch(cursor -> !cursor.covers(cursor.floor(), stop));
    }

    private void readSegments() throws IOException {
        isMissingRefused = isMissingRefused();
        end = Math.min(lowestFloor(), oldest);
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            Segment next = i + 1 < segments.size() ? segments.get(i + 1) : null;
            long begin = segment.firstSequence();
            if (begin > end) {
                CorruptLogException missing = new CorruptLogException(
                        segment.path(), 0, "first sequence", end, begin + ", behind missing files");
                losses.add(new Loss(missing, end, begin));
            }
            if (!read(segment, next)) {
                return;
            }
        }
        if (known.complete() && end < known.checkpoint()) {
            lose(folder, 0, "records before the checkpoint", known.checkpoint() - 1, end - 1, known.checkpoint());
        }
    }

    /** Reads a segment; returns whether the log goes on behind it. */
    private boolean read(Segment segment, @Nullable Segment next) throws IOException {
        long bytes = size(segment.path());
        long first = segment.firstSequence();
        if (next != null && !complete && next.firstSequence() <= known.checkpoint()) {
            end = next.firstSequence();
            add(segment, bytes, end - first);
            return true;
        }
        long released = next == null ? known.checkpoint() : next.firstSequence();
        if (released > first && bytes <= SegmentHeader.BYTES && isConsumed(first, released)) {
            end = released; // the file was emptied while an older one was in use
            add(segment, bytes, 0);
            return next != null;
        }
        long stop = next == null ? Long.MAX_VALUE : next.firstSequence();
        long count = 0;
        progress.accept(segment.path());
        try (SegmentReader reader = new SegmentReader(io, segment, SegmentHeader.BYTES, segment.offset(), sink(stop))) {
            long at = first;
            boolean more = true;
            while (more) {
                while (find(reader, at)) {
                    reader.advance();
                    at++;
                    count++;
                }
                end = at;
                more = false;
                if (keepsBehindHole(segment, at)) {
                    requireThere(segment, bytes);
                    CorruptLogException damage = reader.corrupt(at);
                    more = reader.seek(at);
                    if (more) {
                        at = reader.sequenceHere();
                        losses.add(new Loss(damage, end, at));
                    }
                }
            }
            if (end < stop) {
                requireThere(segment, bytes);
            }
            boolean goesOn = next != null && (end >= stop || keepsBehindHole(segment, end));
            if (goesOn && end < stop) {
                losses.add(new Loss(reader.corrupt(end), end, stop));
                end = stop;
            } else if (!goesOn && known.complete() && end < known.checkpoint()) {
                losses.add(new Loss(reader.corrupt(end), end, known.checkpoint()));
                end = known.checkpoint();
            }
            tailBytes = goesOn ? 0 : Math.max(0, bytes - reader.position());
            add(segment, bytes, count);
            return goesOn;
        } catch (NoSuchFileException takenBack) {
            end = Math.max(end, Math.max(first, next == null ? known.checkpoint() : stop));
            return next != null;
        }
    }

    /** Checks that a segment's file was not taken back, that is deleted, renamed or cut to its header, since it had so many bytes. */
    private void requireThere(Segment segment, long bytes) throws IOException {
        try (FileIo.DataFile open = io.open(segment.path(), FileIo.Access.READ)) {
            if (open.size() <= SegmentHeader.BYTES && bytes > SegmentHeader.BYTES) {
                throw new NoSuchFileException(segment.path().toString());
            }
        }
    }

    /** Finds a record in its segment, or in the batches that a killed owner left or an owner at work has not written yet. */
    private boolean find(SegmentReader reader, long sequence) throws IOException {
        return reader.find(sequence)
                || (io.find(folder, reader.segment(), reader.position(), sequence) && reader.find(sequence));
    }

    private void add(Segment segment, long bytes, long count) {
        elements += count;
        found.add(new FoundSegment(
                String.valueOf(segment.path().getFileName()),
                bytes,
                segment.firstSequence(),
                count,
                segment.header().compressed()));
    }

    /** Returns what is done with records of consumption: those before the checkpoint are in the checkpoint already. */
    private SegmentReader.ConsumptionSink sink(long stop) {
        if (!known.complete()) {
            return (kind, payload) -> ConsumptionRepair.apply(known, oldest, kind, payload);
        }
        return stop > known.checkpoint() ? known::apply : SegmentReader.ConsumptionSink.NONE;
    }

    private boolean keepsBehindHole(Segment segment, long sequence) {
        return !known.complete()
                || segment.header().writtenThrough()
                || segment.isCompressed()
                || sequence < known.checkpoint();
    }

    private boolean isConsumed(long first, long stop) {
        return relevant().stream().allMatch(cursor -> cursor.covers(first, stop));
    }

    private void lose(Path file, long offset, String what, Object expected, Object got, long stop) {
        losses.add(new Loss(new CorruptLogException(file, offset, what, expected, got), end, stop));
        end = stop;
    }

    private long size(Path file) throws IOException {
        try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
            return open.size();
        } catch (NoSuchFileException takenBack) {
            return 0;
        } catch (CorruptLogException notAFile) {
            return 0; // whoever reads it reports it
        }
    }

    private void judgeDamages() {
        if (!known.complete() && !segments.isEmpty()) {
            damages.add(
                    FoundDamage.of(new CorruptLogException(folder, 0, "cursor checkpoints", "a whole one", "none")));
        }
        cursorDamages.forEach(damage -> damages.add(FoundDamage.of(damage)));
        badFiles.forEach(damage -> damages.add(FoundDamage.of(damage)));
        for (Loss loss : losses) {
            long lost = known.cursors().values().stream()
                    .filter(relevant()::contains)
                    .mapToLong(cursor -> unconsumed(cursor, loss))
                    .max()
                    .orElse(0);
            boolean isRefused = isMissingRefused && loss.end == oldest;
            boolean harmless = loss.first < loss.end
                    ? lost == 0 && !isRefused
                    : loss.first < known.checkpoint() && known.complete();
            damages.add(FoundDamage.of(loss.damage, loss.first, loss.end, lost, harmless));
        }
    }

    FolderReport report() {
        List<FoundCursor> cursors = known.cursors().values().stream()
                .map(cursor -> new FoundCursor(
                        cursor.name(), cursor.floor(), cursor.gaps(), cursor.unconsumed(next), cursor.attempted()))
                .toList();
        return new FolderReport(
                List.copyOf(found),
                cursors,
                List.copyOf(damages),
                elements,
                Math.min(oldest, next),
                next,
                tailBytes,
                diskBytes,
                spares,
                setAside);
    }

    private static long unconsumed(ConsumerState cursor, Loss loss) {
        long count = 0;
        for (long sequence = Math.max(loss.first, cursor.floor()); sequence < loss.end; sequence++) {
            count += cursor.covers(sequence, sequence + 1) ? 0 : 1;
        }
        return count;
    }
}
