package dev.touchstone.queue.replicated.storage;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** Opening of a folder: reads the last state, checks every frame of the log, and finds out which files are spare. Used once. */
final class StorageRecovery {
    private final FileIo io;
    private final Path folder;
    private final StorageOptions options;
    private final List<Closeable> opened = new ArrayList<>();

    /**
     * The result of an opening.
     *
     * @param stateFile file of the state, open
     * @param state the last state
     * @param pool the segments of which nothing is of the log
     * @param view the log, its segments open
     */
    record Recovered(StorageStateFile stateFile, StorageState state, SegmentPool pool, LogView view) {}

    /** Creates a recovery of a folder, which exists and which nobody else uses. */
    StorageRecovery(FileIo io, Path folder, StorageOptions options) {
        this.io = io;
        this.folder = folder;
        this.options = options;
    }

    /**
     * Reads the folder; makes a log without entries where it is empty. On failure nothing is left open.
     *
     * @param configurations receiver of the log's configuration entries, in the order of their indexes
     * @throws CorruptLogException if something that was acknowledged is damaged
     */
    Recovered recover(FrameScanner.Configurations configurations) throws IOException {
        boolean done = false;
        try {
            Recovered recovered = recoverAll(configurations);
            done = true;
            return recovered;
        } finally {
            if (!done) {
                closeAll(opened);
            }
        }
    }

    /** Closes all of these, whatever fails, and then throws the first failure. */
    static void closeAll(List<Closeable> open) throws IOException {
        IOException failure = null;
        for (Closeable each : open) {
            try {
                each.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private Recovered recoverAll(FrameScanner.Configurations configurations) throws IOException {
        SortedSet<Long> ids = segmentIds();
        StorageStateFile stateFile = StorageStateFile.open(io, folder, options.stateBytes(), ids.isEmpty());
        opened.add(stateFile);
        StorageState state = stateFile.newest();
        if (state == null) {
            UUID random = UUID.randomUUID();
            long logId = random.getMostSignificantBits() ^ random.getLeastSignificantBits();
            state = new StorageState(logId, 1, 1, 1, List.of());
            stateFile.write(state);
        }
        List<LogRun> runs = runs(state);
        scan(runs, state.first(), configurations);
        LogView view = new LogView(state.first(), runs);
        requireReach(view);
        long nextId = ids.isEmpty() ? 1 : ids.last() + 1;
        SegmentPool pool = new SegmentPool(io, folder, state.logId(), options, nextId);
        opened.add(pool);
        for (LogRun run : runs) {
            ids.remove(run.segment().id());
        }
        for (long id : ids) {
            pool.adopt(id);
        }
        return new Recovered(stateFile, state, pool, view);
    }

    private SortedSet<Long> segmentIds() throws IOException {
        SortedSet<Long> ids = new TreeSet<>();
        for (Path file : io.list(folder)) {
            long id = SegmentFile.id(file);
            if (id >= 0) {
                ids.add(id);
            }
        }
        return ids;
    }

    private List<LogRun> runs(StorageState state) throws IOException {
        Map<Long, SegmentFile> segments = new TreeMap<>();
        List<LogRun> runs = new ArrayList<>();
        for (StorageState.Run run : state.runs()) {
            SegmentFile segment = segments.get(run.segment());
            if (segment == null) {
                segment = SegmentFile.open(io, folder, run.segment(), state.logId());
                opened.add(segment);
                segments.put(run.segment(), segment);
            }
            FrameKey key = new FrameKey(state.logId(), run.epoch());
            runs.add(new LogRun(key, segment, run.position(), run.firstIndex()));
        }
        return runs;
    }

    private static void scan(List<LogRun> runs, long first, FrameScanner.Configurations configurations)
            throws IOException {
        FrameScanner scanner = new FrameScanner();
        FrameScanner.Configurations ofTheLog = (run, position, header, payload) -> {
            if (header.index() >= first) {
                configurations.found(run, position, header, payload);
            }
        };
        for (int i = 0; i < runs.size(); i++) {
            if (i + 1 < runs.size()) {
                scanner.scan(runs.get(i), runs.get(i + 1).firstIndex(), ofTheLog);
            } else {
                scanner.scanLast(runs.get(i), ofTheLog);
            }
        }
    }

    /** Checks that no entry below the first index is missing at the end: the log had them when its first index was moved. */
    private static void requireReach(LogView view) throws CorruptLogException {
        if (view.last() < view.first() - 1) {
            LogRun end = view.runs().get(view.runs().size() - 1);
            throw new CorruptLogException(
                    end.segment().path(),
                    end.end(),
                    "end of log",
                    "index " + (view.first() - 1) + " or more",
                    view.last());
        }
    }
}
