package dev.touchstone.queue.log.commit;

import dev.touchstone.queue.log.BlockCodec;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogFailedException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.Maintenance;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentCompressor;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The writing end of the log: puts batches into the segment that each lies in. Counters are for any thread. */
public final class SegmentOutput implements Closeable {
    /*
     * Who calls:      write() the committer's owner; bringToDevice() a maintenance thread, or the owner; the counters anybody; close()
     *                 one thread, after all of them.
     * Invariants:     one segment's file is open at a time; a checkpoint is recorded only after every segment before it is on the
     *                 device; at most MAX_UNFORCED full segments wait for that.
     * Ordering:       segment and file are handed on with the ownership; full segments through the queue; forces and checkpoints
     *                 under this monitor, or a later checkpoint could speak for a segment that is still being forced.
     * Failure:        a write to the page cache that is refused may be repeated; a write to the device, and any force, may not and
     *                 ends the log. A checkpoint that cannot be recorded costs the next open a longer scan.
     */
    private static final int MAX_UNFORCED = 32;

    private final FileIo io;
    private final LogOptions options;
    private final SegmentStore segments;
    private final ConsumptionRecords consumption;
    private final Executor maintenance;
    private final Consumer<IOException> onFailure;
    private final boolean device;
    private final @Nullable SegmentCompressor compressor;
    private final Queue<Ended> unforced = new ConcurrentLinkedQueue<>();
    private @Nullable Segment segment;
    private FileIo.@Nullable DataFile file;
    private long end; // of what was written to the segment
    private final AtomicLong writes = new AtomicLong();
    private final AtomicLong writeNanos = new AtomicLong();
    private final AtomicLong worstWriteNanos = new AtomicLong();

    /**
     * Creates an output with no file open.
     *
     * @param onFailure told of what ends the log
     */
    SegmentOutput(
            FileIo io,
            LogOptions options,
            SegmentStore segments,
            ConsumptionRecords consumption,
            Maintenance maintenance,
            Consumer<IOException> onFailure) {
        this.io = io;
        this.options = options;
        this.segments = segments;
        this.consumption = consumption;
        this.maintenance = maintenance;
        this.onFailure = onFailure;
        this.device = options.commit() == LogOptions.Commit.DEVICE;
        BlockCodec codec = options.codecs().writer();
        Executor ownThread = work -> maintenance.newThread(work).start();
        this.compressor = codec == null ? null : new SegmentCompressor(io, options, codec, segments, ownThread);
    }

    /**
     * Writes a batch, to the device where the log is opened so.
     *
     * @param failure asked while copies into the batch are under way
     * @throws LogFailedException if the log has ended before all of them were made
     * @throws LogRefusedException if the file system has no room or no file for it, and it may be tried again
     */
    void write(Batch batch, Batch.FailureCheck failure) throws IOException {
        FileIo.DataFile target = fileOf(batch.segment());
        long start = System.nanoTime();
        try {
            batch.writeTo(target, failure);
        } catch (LogFailedException e) {
            throw e;
        } catch (IOException e) {
            throw device ? e : new LogRefusedException(e); // a write that went to the page cache can be repeated
        }
        end = batch.endPosition();
        batch.segment().markWritten(end);
        long nanos = System.nanoTime() - start;
        writes.lazySet(writes.get() + 1);
        writeNanos.lazySet(writeNanos.get() + nanos);
        worstWriteNanos.lazySet(Math.max(worstWriteNanos.get(), nanos));
    }

    /** Returns the number of batches written. */
    public long writes() {
        return writes.get();
    }

    /** Returns the time that all writes took, in nanoseconds. */
    public long writeNanos() {
        return writeNanos.get();
    }

    /** Returns the time that the longest write took, in nanoseconds. */
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
     * Sends a full segment to the device behind the appenders' backs, and the checkpoint after it. With too many of them on the way
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

    /** Forces the full segments, one thread at a time: a checkpoint speaks for all segments before it. */
    private synchronized void bringToDevice() {
        long checkpoint = 0;
        boolean any = false;
        List<Segment> forced = new ArrayList<>(1);
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
            forced.add(next.segment);
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
        if (compressor != null) {
            forced.forEach(compressor::add);
        }
    }

    private record Ended(FileIo.DataFile file, Segment segment) {}

    /** Cuts off the room behind the last batch that was written, if one was; once closed. */
    public void cutLast() throws IOException {
        if (segment != null && segments.isLive(segment)) {
            try (FileIo.DataFile last = io.open(segment.path(), FileIo.Access.WRITE)) {
                last.truncate(end);
                last.force();
            }
        }
    }

    /** Closes what is open; what is not on the device yet is forced by the log that closes. */
    @Override
    public void close() throws IOException {
        if (compressor != null) {
            compressor.close();
        }
        if (file != null) {
            file.close();
        }
        for (Ended next = unforced.poll(); next != null; next = unforced.poll()) {
            next.file.close();
        }
    }
}
