package dev.touchstone.queue.replicated.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The segment files that hold nothing of the log: made ahead, or left by a truncation and kept for the next use. Thread-safe. */
final class SegmentPool implements Closeable {
    /*
     * Who calls:      the log's thread takes and gives back; a background thread prepares.
     * Invariants:     the name and the length of a segment in the pool are on the device. No state that is, or may become, the last one names
     *                 a segment of the pool. A segment from the pool may hold frames of earlier epochs.
     * Lock order:     making, then this. A segment is made under "making" alone, so that giving back never waits for the disk.
     * Failure:        a segment that cannot be made is refused, and may be asked for again. A force of the folder that fails is not repeated:
     *                 all later calls that would need one fail.
     */
    private final FileIo io;
    private final Path folder;
    private final long logId;
    private final StorageOptions options;

    private final Object making = new Object();

    @GuardedBy("making")
    private long nextId;

    @GuardedBy("making")
    private @Nullable IOException failure;

    @GuardedBy("this")
    private final Deque<SegmentFile> spares = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean closed;

    /**
     * Creates an empty pool.
     *
     * @param nextId id of the next segment to make; there is none of it or of a higher id in the folder
     */
    SegmentPool(FileIo io, Path folder, long logId, StorageOptions options, long nextId) {
        this.io = io;
        this.folder = folder;
        this.logId = logId;
        this.options = options;
        this.nextId = nextId;
    }

    /**
     * Returns a segment of at least {@code bytes} bytes, which the caller owns. Waits while one is being prepared.
     *
     * @throws LogRefusedException if there is none and none can be made
     * @throws IOException if it is not known which files the folder has
     */
    SegmentFile take(long bytes) throws IOException {
        if (bytes > options.segmentBytes()) {
            synchronized (making) {
                return make(bytes);
            }
        }
        SegmentFile ready = poll();
        if (ready != null) {
            return ready;
        }
        synchronized (making) {
            ready = poll();
            return ready != null ? ready : make(options.segmentBytes());
        }
    }

    /** Makes a segment if there is no spare one. Leaves a failure to whoever takes the next one. */
    void prepare() {
        synchronized (making) {
            if (isClosed() || isAny() || failure != null) {
                return;
            }
            SegmentFile made;
            try {
                made = make(options.segmentBytes());
            } catch (IOException e) {
                return; // the caller of take() meets it again, or the failure that is kept
            }
            add(made);
        }
    }

    /** Takes back a segment of which nothing is of the log any more, and deletes it if there are enough. */
    void give(SegmentFile segment) throws IOException {
        if (segment.bytes() != options.segmentBytes() || !addIfWanted(segment)) {
            segment.close();
            io.delete(segment.path());
        }
    }

    /** Takes a file of the folder that no run is in, found at an opening, and deletes it if it is not a whole segment or there are enough. */
    void adopt(long id) throws IOException {
        SegmentFile found;
        try {
            found = SegmentFile.open(io, folder, id, logId);
        } catch (CorruptLogException e) {
            io.delete(SegmentFile.path(folder, id)); // it was being made when the process ended
            return;
        }
        give(found);
    }

    @GuardedBy("making")
    private SegmentFile make(long bytes) throws IOException {
        if (failure != null) {
            throw new IOException(
                    "no segment is made after a force of the folder has failed: folder=" + folder + " failure="
                            + failure.getMessage(),
                    failure);
        }
        SegmentFile made;
        try {
            made = SegmentFile.create(io, folder, nextId, logId, bytes);
        } catch (IOException e) {
            throw new LogRefusedException(new IOException(
                    "no segment of the log can be made: file=" + SegmentFile.path(folder, nextId) + " bytes=" + bytes
                            + ": " + e.getMessage(),
                    e));
        } finally {
            nextId++;
        }
        try {
            io.forceFolder(folder);
        } catch (IOException e) {
            failure = e;
            made.close();
            throw e;
        }
        return made;
    }

    private synchronized @Nullable SegmentFile poll() {
        return spares.poll();
    }

    private synchronized boolean isAny() {
        return !spares.isEmpty();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean addIfWanted(SegmentFile segment) {
        if (closed || spares.size() >= options.maxSpares()) {
            return false;
        }
        spares.add(segment);
        return true;
    }

    private synchronized void add(SegmentFile segment) {
        spares.add(segment);
    }

    /** Closes the spare segments, after one that is being made. */
    @Override
    public void close() throws IOException {
        synchronized (making) {
            synchronized (this) {
                closed = true;
                for (SegmentFile spare : spares) {
                    spare.close();
                }
                spares.clear();
            }
        }
    }
}
