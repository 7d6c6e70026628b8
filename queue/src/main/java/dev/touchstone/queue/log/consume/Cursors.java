package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.recover.Recovery;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;

/** The cursors of a log: its own, and those with names. Thread-safe. */
public final class Cursors {
    private static final String OWN = "";
    private static final String OWN_FILE = "CURSOR";
    private static final String NAMED_FILE = "cursor-";

    private final RecordLog log;
    private final LogOptions options;
    private final FileIo io;
    private final Floors floors;
    private final LogCursor own;
    private final Map<String, LogCursor> named = new ConcurrentSkipListMap<>(); // changed under this

    /**
     * @param floors to which those cursors are added that keep records from being taken back
     * @param files of {@link #open}
     */
    public Cursors(
            RecordLog log,
            LogOptions options,
            FileIo io,
            Floors floors,
            Map<String, CursorFile> files,
            Recovery.Result recovered)
            throws IOException {
        this.log = log;
        this.options = options;
        this.io = io;
        this.floors = floors;
        for (Map.Entry<String, CursorFile> file : files.entrySet()) {
            LogCursor cursor =
                    new LogCursor(log, file.getValue(), options, recovered.nextSequence(), recovered.nextOffset());
            named.put(file.getKey(), cursor);
            if (!file.getKey().equals(OWN) || !options.namedCursorsOnly()) {
                floors.add(cursor);
            }
        }
        this.own = Objects.requireNonNull(named.remove(OWN));
    }

    /** Opens the cursor files of a folder, by the cursors' names. */
    public static Map<String, CursorFile> open(FileIo io, Path folder) throws IOException {
        Map<String, CursorFile> files = new TreeMap<>();
        try {
            files.put(OWN, CursorFile.open(io, folder.resolve(OWN_FILE)));
            for (Path file : io.list(folder)) {
                String name = file.getFileName().toString();
                if (name.startsWith(NAMED_FILE)) {
                    files.put(name.substring(NAMED_FILE.length()), CursorFile.open(io, file));
                }
            }
            return files;
        } catch (IOException | RuntimeException e) {
            close(files);
            throw e;
        }
    }

    public static void close(Map<String, CursorFile> files) throws IOException {
        for (CursorFile file : files.values()) {
            file.close();
        }
    }

    public static CursorFile own(Map<String, CursorFile> files) {
        return Objects.requireNonNull(files.get(OWN));
    }

    /** The cursor that every log has. */
    public LogCursor own() {
        return own;
    }

    /** The names of the others. */
    public Set<String> names() {
        return Set.copyOf(named.keySet());
    }

    /** The cursor of this name, made where absent: it begins with what is not consumed, or with the oldest record there is. */
    public synchronized LogCursor get(String name) throws IOException {
        log.checkOpen();
        LogCursor cursor = named.get(name);
        if (cursor == null) {
            if (named.size() + 1 >= Floors.MAX_CURSORS) {
                throw new IllegalArgumentException("too many cursors: name=" + name + " most=" + named.size());
            }
            long start = options.namedCursorsOnly() ? log.oldestSequence() : own.floor();
            makeFile(name, start);
            CursorFile file = CursorFile.open(io, file(name));
            try {
                cursor = new LogCursor(log, file, options, log.committed() + 1, own.floorOffset());
            } catch (IOException | RuntimeException | Error e) {
                file.close();
                throw e;
            }
            named.put(name, cursor);
            floors.add(cursor);
            log.floorMoved();
        }
        return cursor;
    }

    /** Ends a cursor and forgets it; what it alone has not consumed is no longer kept. False where there is none. */
    public synchronized boolean drop(String name) throws IOException {
        log.checkOpen();
        LogCursor cursor = named.get(name);
        if (cursor == null) {
            return false;
        }
        io.delete(file(name));
        io.forceFolder(options.folder());
        named.remove(name);
        floors.remove(cursor);
        cursor.drop();
        log.floorMoved();
        log.floorPassedSegment();
        return true;
    }

    /** Brings all floors to the device. */
    public void force() throws IOException {
        own.force();
        for (LogCursor cursor : named.values()) {
            cursor.force();
        }
    }

    /** Takes back what every cursor has consumed; not while one is being made. */
    public synchronized void release(SegmentStore segments) throws IOException {
        long lowest;
        try {
            lowest = floors.forced(1);
        } catch (IOException e) {
            log.fail(e);
            throw e;
        }
        segments.releaseBefore(lowest);
    }

    /** Makes a whole file, or none. */
    private void makeFile(String name, long start) throws IOException {
        Path unfinished = options.folder().resolve(SegmentStore.UNFINISHED + UUID.randomUUID());
        try {
            try (CursorFile file = CursorFile.open(io, unfinished)) {
                file.startAt(start);
            }
            io.rename(unfinished, file(name));
            io.forceFolder(options.folder());
        } catch (IOException e) {
            io.delete(unfinished);
            throw new LogRefusedException(e);
        } catch (RuntimeException | Error e) {
            io.delete(unfinished);
            throw e;
        }
    }

    public void close() throws IOException {
        for (LogCursor cursor : named.values()) {
            cursor.close();
        }
        own.close();
    }

    private Path file(String name) {
        return options.folder().resolve(NAMED_FILE + name);
    }
}
