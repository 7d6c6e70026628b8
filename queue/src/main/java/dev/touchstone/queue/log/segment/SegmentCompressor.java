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

/** Compresses ended segments in the background, on a thread that may stay in a user's codec for ever. Thread-safe. */
public final class SegmentCompressor implements Closeable {
    /*
     * Who calls:  add() whoever has brought a segment to the device; run() a thread of the log's own, one at a time, which ends when nothing waits;
     *             close() the thread that closes the log.
     * Invariants: the codec may be the user's code, so it runs outside the monitor and on no thread that other work needs. Files are touched under
     *             the monitor, by the current job alone. Everything in a segment that is added is on the device, and nobody writes to its file again.
     * Ordering:   the compressed file is whole and on the device before it gets the segment's name. The folder is not forced: both files hold the
     *             same records, so either name is right after a power cut. close() ends the job and does not wait for the codec: a thread that
     *             comes back from the codec finds no job, and none begins after close().
     * Failure:    a segment that cannot be compressed, whatever the codec throws, is left as it is, and the next one is tried; its unfinished file is deleted, by the next open at the latest. Where no
     *             thread can be started, segments wait for the next add().
     */
    private static final int STEP_BLOCKS = 16; // between two looks at whether the file is wanted
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

    @GuardedBy("this")
    private boolean closed;

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
        if (!waiting.isEmpty() && isScheduled.compareAndSet(false, true)) {
            try {
                background.execute(this::run);
            } catch (OutOfMemoryError noThread) {
                isScheduled.set(false); // see Failure above
            }
        }
    }

    private void run() {
        try {
            for (Segment next = waiting.poll(); next != null; next = waiting.poll()) {
                compress(next);
            }
        } finally {
            isScheduled.set(false);
            schedule();
        }
    }

    private void compress(Segment segment) {
        try {
            byte[] block = begin(segment);
            while (block != null) {
                block = put(block, codec.compress(block));
            }
        } catch (Throwable notThisOne) { // also a checked exception: no compiler sees what other languages throw
            // no room, no descriptor, or a codec that does not work: the segment stays as it is
        } finally {
            endJob();
        }
    }

    /** Begins a job; returns its first block, or null where the segment stays as it is. */
    private synchronized byte @Nullable [] begin(Segment segment) throws IOException {
        if (closed || segment.isCompressed() || segment.endSequence() == Long.MAX_VALUE) {
            return null;
        }
        long room = io.usableBytes(options.folder()) - options.limits().minFreeBytes();
        if (room < segment.bytes() || !isLive(segment)) {
            return null;
        }
        Job begun = new Job(segment);
        job = begun;
        return begun.next();
    }

    /** Stores a block; returns the next one, or null where the job has ended. */
    private synchronized byte @Nullable [] put(byte[] block, byte[] compressed) throws IOException {
        Job current = job;
        if (current == null) {
            return null;
        }
        current.put(block, compressed);
        return current.next();
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

    /** Ends the work without waiting for the codec; a segment that is half compressed stays as it was. */
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

        /** Returns the next block to compress; null where there is none, and the file is finished if it is wanted. */
        byte @Nullable [] next() throws IOException {
            boolean isWhole = done == lengths.length;
            if ((isWhole || done % STEP_BLOCKS == 0) && !isWanted()) {
                return null;
            }
            if (isWhole) {
                finish();
                return null;
            }
            long at = SegmentHeader.BYTES + (long) done * BlockTable.BLOCK_BYTES;
            byte[] raw = new byte[(int) Math.min(BlockTable.BLOCK_BYTES, rawEnd - at)];
            if (source.read(ByteBuffer.wrap(raw), at) < raw.length) {
                throw new IOException("segment became shorter: file=" + segment.path() + " offset=" + at);
            }
            return raw;
        }

        /** Stores a block, compressed if that is shorter. */
        void put(byte[] raw, byte[] compressed) throws IOException {
            ByteBuffer stored =
                    ByteBuffer.wrap(compressed.length > 0 && compressed.length < raw.length ? compressed : raw);
            lengths[done] = stored.remaining();
            crcs[done] = BlockTable.crc(stored.duplicate());
            target.write(stored, end);
            end += lengths[done];
            done++;
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
