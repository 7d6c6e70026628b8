package dev.touchstone.queue.inspect;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogLockedException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.commit.BatchFile;
import dev.touchstone.queue.log.consume.ConsumptionRepair;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Makes a damaged queue one that opens: whatever can be read stays, what cannot is told to all cursors as consumed. Holds the queue's lock.
 *
 * <p>Headers that a record proves are written again. A file that is changed or taken out of use is kept as {@code damaged-<name>} first.
 * A repair that is interrupted can be begun again.
 */
public final class FolderRepair implements Closeable {
    private static final int COPY_BYTES = 256 << 10;
    private static final int SEGMENT_BYTES = 64 << 20;
    private static final String DAMAGED = "damaged-";

    private final Path folder;
    private final FileIo io = new DiskFileIo();
    private final Closeable lock;
    private final boolean planning;
    private final FolderScan before;
    private final Map<Path, SegmentHeader> mended;
    private final FolderScan planned;
    private boolean closed;

    private FolderRepair(Path folder, Closeable lock, boolean planning, Consumer<Path> progress) throws IOException {
        this.folder = folder;
        this.planning = planning;
        this.lock = lock;
        boolean begun = false;
        try {
            this.before = FolderScan.of(io, folder, true, Map.of(), progress);
            this.mended = before.derivedHeaders();
            this.planned = mended.isEmpty() ? before : FolderScan.of(io, folder, true, mended, progress);
            begun = true;
        } finally {
            if (!begun) {
                lock.close();
            }
        }
    }

    /**
     * Takes a folder's lock and reads all of its files. Changes nothing but the owner in the lock file.
     *
     * @param folder of one queue; not null
     * @param progress told of each log file before it is read; not null
     * @throws FolderInUseException if the queue is open
     */
    public static FolderRepair begin(Path folder, Consumer<Path> progress) throws IOException {
        try {
            return new FolderRepair(
                    folder, new DiskFileIo().lock(folder.resolve(QueueFolder.LOCK), Duration.ZERO), false, progress);
        } catch (LogLockedException e) {
            throw new FolderInUseException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads all files of a folder as {@link #begin} does, and changes nothing: for {@link #found} and {@link #plan} alone.
     *
     * @param folder of one queue; not null
     * @param progress told of each log file before it is read; not null
     * @throws FolderInUseException if the queue is open
     */
    public static FolderRepair planOnly(Path folder, Consumer<Path> progress) throws IOException {
        return new FolderRepair(folder, QueueFolder.lockForReading(folder), true, progress);
    }

    /** Returns what was found. */
    public FolderReport found() {
        return before.report();
    }

    /** Returns what {@link #run} will do, a line each. */
    public List<String> plan() {
        List<String> lines = new ArrayList<>();
        mended.forEach((file, header) ->
                lines.add("write the header of " + file.getFileName() + " again; a record of the file proves it"));
        for (CorruptLogException bad : planned.badFiles()) {
            lines.add("take " + bad.file().getFileName() + " out of use: its elements are lost");
        }
        for (FoundDamage damage : planned.report().damages()) {
            if (damage.lost() > 0) {
                lines.add("give up " + damage.lost() + " element(s) with sequences from " + damage.first() + " to "
                        + (damage.end() - 1) + ", in " + damage.file() + " at offset " + damage.offset());
            }
        }
        if (!before.known().complete()) {
            lines.add("write what the cursors have consumed as the log tells it: elements that were consumed after the"
                    + " last append may be handed out again");
            planned.known().cursors().values().stream()
                    .filter(cursor -> cursor.name().startsWith(ConsumptionRepair.RECOVERED))
                    .forEach(cursor -> lines.add(
                            "keep the cursor whose name is lost as " + cursor.name() + "; drop it if you need it not"));
        } else if (!before.cursorDamages().isEmpty()) {
            lines.add(
                    "write the cursor checkpoints again: where an entry is damaged, elements may be handed out again");
        }
        return lines;
    }

    /**
     * Repairs the folder.
     *
     * @return names of the files that were kept aside
     */
    public List<String> run() throws IOException {
        if (planning) {
            throw new IllegalStateException("the folder is locked for reading only: folder=" + folder);
        }
        Map<Path, Path> kept = new LinkedHashMap<>(); // copies by their originals
        for (Map.Entry<Path, SegmentHeader> each : mended.entrySet()) {
            keepCopy(each.getKey(), kept);
            try (FileIo.DataFile file = io.open(each.getKey(), FileIo.Access.WRITE_THROUGH)) {
                file.write(each.getValue().encode(), 0);
            }
        }
        for (FolderScan.Loss loss : planned.losses()) {
            if (SegmentStore.isSegment(loss.damage().file()) && loss.first() < loss.end()) {
                keepCopy(loss.damage().file(), kept);
            }
        }
        for (CorruptLogException bad : planned.badFiles()) {
            Path aside = aside(bad.file());
            io.rename(bad.file(), aside);
            kept.put(bad.file(), aside);
        }
        for (Path legacy : ConsumptionRepair.legacyFiles(io, folder)) {
            keepCopy(legacy, kept);
        }
        setCursorsAside(kept);
        BatchFile.replay(io, folder, unreadable -> {}); // also to segments whose headers were damaged
        forceSegments();
        FolderScan now = FolderScan.of(io, folder, true, Map.of(), file -> {});
        now.losses().forEach(loss -> ConsumptionRepair.lose(now.known(), loss.first(), loss.end()));
        ConsumptionRepair.write(io, folder, now.known(), now.nextSequence());
        close();
        open(now.segments());
        return kept.values().stream()
                .map(file -> String.valueOf(file.getFileName()))
                .toList();
    }

    /** Copies damaged cursor checkpoints that are there; where none is whole, nothing of them stays under its name. */
    private void setCursorsAside(Map<Path, Path> kept) throws IOException {
        boolean lost = !before.known().complete();
        Set<Path> damaged = new LinkedHashSet<>();
        before.cursorDamages().forEach(damage -> damaged.add(damage.file()));
        damaged.retainAll(io.list(folder));
        for (Path file : damaged) {
            keepCopy(file, kept);
            if (lost) {
                io.delete(file);
            }
        }
        io.forceFolder(folder);
    }

    /** Returns a name under which nothing is kept yet. */
    private Path aside(Path file) throws IOException {
        List<Path> taken = io.list(folder);
        Path free = SegmentStore.setAside(file);
        for (int i = 2; taken.contains(free); i++) {
            free = file.resolveSibling(DAMAGED + i + "-" + file.getFileName());
        }
        return free;
    }

    private void keepCopy(Path file, Map<Path, Path> kept) throws IOException {
        if (kept.containsKey(file)) {
            return;
        }
        Path copy = aside(file);
        try (FileIo.DataFile from = io.open(file, FileIo.Access.READ);
                FileIo.DataFile to = io.create(copy, FileIo.Access.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate(COPY_BYTES);
            long at = 0;
            for (int read = from.read(bytes, at); read > 0; read = from.read(bytes.clear(), at)) {
                to.write(bytes.flip(), at);
                at += read;
            }
            to.truncate(at);
            to.force();
        }
        io.forceFolder(folder);
        kept.put(file, copy);
    }

    private void forceSegments() throws IOException {
        for (Path file : io.list(folder)) {
            if (SegmentStore.isSegment(file)) {
                try (FileIo.DataFile open = io.open(file, FileIo.Access.READ)) {
                    open.force();
                }
            }
        }
        io.forceFolder(folder);
    }

    /** Opens the log as its owner will, but for retaining everything, and closes it: what is left to do recovery does. */
    private void open(List<Segment> segments) throws IOException {
        SegmentHeader last =
                segments.isEmpty() ? null : segments.get(segments.size() - 1).header();
        LogOptions.Commit commit =
                last != null && last.writtenThrough() ? LogOptions.Commit.DEVICE : LogOptions.Commit.PAGE_CACHE;
        LogOptions defaults = LogOptions.of(folder, commit, SEGMENT_BYTES);
        LogOptions options = new LogOptions(
                folder,
                commit,
                defaults.segmentBytes(),
                defaults.batch(),
                defaults.lockTimeout(),
                defaults.limits(),
                new LogOptions.Retention(Long.MAX_VALUE, Duration.ofNanos(Long.MAX_VALUE)),
                defaults.leases(),
                false,
                damage -> LogOptions.OnDamage.SKIP);
        RecordLog.open(options, io).close();
    }

    /** Gives the lock back. */
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            lock.close();
        }
    }
}
