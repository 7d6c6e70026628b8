package dev.touchstone.queue.log.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.BlockCodec;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Compresses ended segments in the background, in short steps between which other work of the log runs. Thread-safe. */
public final class SegmentCompressor implements Closeable {
    /*
     * Who calls:  add() whoever has brought a segment to the device; step() the maintenance threads, one at a time; close() the thread that closes
     *             the log.
     * Invariants: one step at most waits or runs. Everything in a segment that is added is on the device, and nobody writes to its file again.
     * Ordering:   the compressed file is whole and on the device before it gets the segment's name. The folder is not forced: both files hold the
     *             same records, so either name is right after a power cut.
     * Failure:    a segment that cannot be compressed is left as it is, and its unfinished file is deleted, by the next open at the latest.
     */
    private static final int STEP_BLOCKS = 16;
    private static final int MIN_SAVED = 8; // one part of so many

    private final FileIo io;
    private final LogOptions options;
    private final BlockCodec codec;
    private final SegmentStore segments;
    private final Executor background;
    private final Queue<Segment> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    @GuardedBy("this")
    private @Nullable Job job;

    private volatile boolean closed;

    /** Compresses segments of {@code segments} with {@code codec} on {@code background}. */
    public SegmentCompressor(
            FileIo io, LogOptions options, BlockCodec codec, SegmentStore segments, Executor background) {
        this.io = io;
        this.options = options;
        this.codec = codec;
        this.segments = segments;
        this.background = background;
    }

    /** Compresses a segment later, which has ended and is on the device. */
    public void add(Segment segment) {
        waiting.add(segment);
        schedule();
    }

    private void schedule() {
        if (isScheduled.compareAndSet(false, true)) {
            background.execute(this::run);
        }
    }

    private void run() {
        boolean more = step();
        isScheduled.set(false);
        if (!closed && (more || !waiting.isEmpty())) {
            schedule();
        }
    }

    /** Compresses some blocks; returns whether their segment has more. */
    private synchronized boolean step() {
        try {
            if (job == null && !closed) {
                job = begin(waiting.poll());
            }
            if (job != null && job.isWanted() && job.compress()) {
                return true;
            }
        } catch (IOException | RuntimeException notThisOne) {
            // no room, no descriptor, or a codec that does not work: the segment stays as it is
        }
        endJob();
        return false;
    }

    private @Nullable Job begin(@Nullable Segment segment) throws IOException {
        if (segment == null || segment.isCompressed() || segment.endSequence() == Long.MAX_VALUE) {
            return null;
        }
        long room = io.usableBytes(options.folder()) - options.limits().minFreeBytes();
        return room < segment.bytes() || !isLive(segment) ? null : new Job(segment);
    }

    private boolean isLive(Segment segment) {
        return segments.isLive(segment) && !segment.isReleased();
    }

    private synchronized void endJob() {
        Job ended = job;
        job = null;
        if (ended != null) {
            try {
                ended.close();
            } catch (IOException notNow) {
                // the next open deletes the file
            }
        }
    }

    /** Ends the work; a segment that is half compressed stays as it was. */
    @Override
    public synchronized void close() {
        closed = true;
        endJob();
    }

    /** The compression of one segment. */
    private final class Job implements Closeable {
        private final Segment segment;
        private final FileIo.DataFile source;
        private final Path unfinished;
        private final FileIo.DataFile target;
        private final int rawEnd;
        private final int[] lengths;
        private final int[] crcs;
        private int done;
        private long end;

        Job(Segment segment) throws IOException {
            this.segment = segment;
            this.unfinished = options.folder().resolve(SegmentStore.UNFINISHED + UUID.randomUUID());
            this.source = io.open(segment.path(), FileIo.Access.READ);
            try {
                this.rawEnd = (int) Math.min(source.size(), segment.bytes());
                this.target = io.create(unfinished, FileIo.Access.WRITE);
            } catch (IOException e) {
                source.close();
                throw e;
            }
            this.lengths = new int[Math.max(0, BlockTable.count(rawEnd))];
            this.crcs = new int[lengths.length];
            this.end = SegmentHeader.BYTES + (long) BlockTable.bytes(rawEnd);
        }

        /** Returns whether the segment is still there, and the blocks up to here save enough. */
        boolean isWanted() {
            long raw = SegmentHeader.BYTES + (long) done * BlockTable.BLOCK_BYTES;
            long size = end + BlockTable.bytes(rawEnd);
            boolean saves = done == 0 || size <= Math.min(raw, rawEnd) / MIN_SAVED * (MIN_SAVED - 1);
            return rawEnd > SegmentHeader.BYTES && isLive(segment) && saves;
        }

        /** Compresses some blocks, the last of which finish the file; returns whether there are more. */
        boolean compress() throws IOException {
            for (int last = Math.min(lengths.length, done + STEP_BLOCKS); done < last; done++) {
                long at = SegmentHeader.BYTES + (long) done * BlockTable.BLOCK_BYTES;
                byte[] raw = new byte[(int) Math.min(BlockTable.BLOCK_BYTES, rawEnd - at)];
                if (source.read(ByteBuffer.wrap(raw), at) < raw.length) {
                    throw new IOException("segment became shorter: file=" + segment.path() + " offset=" + at);
                }
                byte[] compressed = codec.compress(raw);
                ByteBuffer stored =
                        ByteBuffer.wrap(compressed.length > 0 && compressed.length < raw.length ? compressed : raw);
                lengths[done] = stored.remaining();
                crcs[done] = BlockTable.crc(stored.duplicate());
                target.write(stored, end);
                end += lengths[done];
            }
            if (done == lengths.length && isWanted()) {
                finish();
            }
            return done < lengths.length;
        }

        private void finish() throws IOException {
            BlockTable table = new BlockTable(codec, rawEnd, lengths, crcs);
            SegmentHeader header = segment.header().asCompressed();
            target.write(table.encode(header), end);
            target.write(table.encode(header), SegmentHeader.BYTES);
            target.write(header.encode(), 0);
            target.force();
            io.setLastWrittenMillis(unfinished, io.lastWrittenMillis(segment.path())); // records do not get younger
            boolean unused = segment.replace(io, unfinished, table);
        }

        /** Closes the files; the one from before loses its space here, where nobody waits for it. */
        @Override
        public void close() throws IOException {
            try (source;
                    target) {
                io.delete(unfinished); // gone if it was renamed
            }
        }
    }
}
