package dev.touchstone.queue.log.commit;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes batches to the segment that each lies in. One thread at a time, the committer's owner; the counters may be read by any. */
public final class SegmentOutput implements Closeable {
    private static final int MAX_UNFORCED = 32;

    private final FileIo io;
    private final LogOptions options;
    private final SegmentStore segments;
    private final ConsumptionRecords consumption;
    private final Executor maintenance;
    private final Consumer<IOException> onFailure;
    private final boolean device;
    private final Queue<Ended> unforced = new ConcurrentLinkedQueue<>();
    private @Nullable Segment segment;
    private FileIo.@Nullable DataFile file;
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong writeNanos = new AtomicLong();
    private final AtomicLong worstWriteNanos = new AtomicLong();

    /** @param onFailure told of what ends the log */
    public SegmentOutput(
            FileIo io,
            LogOptions options,
            SegmentStore segments,
            ConsumptionRecords consumption,
            Executor maintenance,
            Consumer<IOException> onFailure) {
        this.io = io;
        this.options = options;
        this.segments = segments;
        this.consumption = consumption;
        this.maintenance = maintenance;
        this.onFailure = onFailure;
        this.device = options.commit() == LogOptions.Commit.DEVICE;
    }

    /**
     * Writes a batch, to the device where the log is opened so.
     *
     * @throws LogRefusedException if the file system has no room or no file for it, and it may be tried again
     */
    public void write(Batch batch) throws IOException {
        FileIo.DataFile target = fileOf(batch.segment());
        long start = System.nanoTime();
        try {
            batch.writeTo(target);
        } catch (IOException e) {
            throw device ? e : new LogRefusedException(e); // a write that went to the page cache can be repeated
        }
        long nanos = System.nanoTime() - start;
        writes.lazySet(writes.get() + 1);
        writeNanos.lazySet(writeNanos.get() + nanos);
        worstWriteNanos.lazySet(Math.max(worstWriteNanos.get(), nanos));
    }

    public long writes() {
        return writes.get();
    }

    public long writeNanos() {
        return writeNanos.get();
    }

    public long worstWriteNanos() {
        return worstWriteNanos.get();
    }

    private FileIo.DataFile fileOf(Segment target) throws IOException {
        FileIo.DataFile open = file;
        if (open != null && segment == target) {
            return open;
        }
        finishSegment();
        open = target.takeFile();
        try {
            open = open == null ? io.open(target.path(), segments.writeAccess()) : open;
        } catch (IOException e) {
            throw new LogRefusedException(e);
        }
        file = open;
        segment = target;
        return open;
    }

    /**
     * A full segment goes to the device behind the appenders' backs, and the checkpoint after it. With too many of them on the way
     * the appenders wait, or files would pile up.
     */
    private void finishSegment() {
        FileIo.DataFile full = file;
        Segment ended = segment;
        file = null;
        segment = null;
        if (full == null || ended == null) {
            return;
        }
        unforced.add(new Ended(full, ended));
        if (unforced.size() < MAX_UNFORCED) {
            maintenance.execute(this::bringToDevice);
        } else {
            bringToDevice();
        }
    }

    /** One at a time: a checkpoint speaks for all segments before it. */
    private synchronized void bringToDevice() {
        long checkpoint = 0;
        boolean any = false;
        for (Ended next = unforced.poll(); next != null; next = unforced.poll()) {
            try (FileIo.DataFile full = next.file) {
                if (!device && segments.isLive(next.segment)) {
                    full.force();
                    any = true;
                }
            } catch (IOException e) {
                onFailure.accept(e);
                return;
            }
            checkpoint = next.segment.endSequence();
        }
        try {
            if (any) {
                io.forceFolder(options.folder());
            }
            if (device) {
                consumption
                        .force(); // what only the segments behind the checkpoint tell of them is not looked at any more
            }
        } catch (IOException e) {
            onFailure.accept(e);
            return;
        }
        try {
            consumption.checkpoint(checkpoint);
        } catch (IOException notNow) {
            // the checkpoint only spares the next open some scanning; a later one says the same
        }
    }

    private record Ended(FileIo.DataFile file, Segment segment) {}

    /** Closes what is open; what is not on the device yet is forced by the log that closes. */
    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
        for (Ended next = unforced.poll(); next != null; next = unforced.poll()) {
            next.file.close();
        }
    }
}
