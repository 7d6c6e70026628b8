package dev.touchstone.queue.log.commit;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Stress of what appenders share without a lock. Run by {@code PublicationStressTest} and {@code scripts/queue-stress}. */
public final class CommitPublicationStress {
    private static final int PAYLOAD_BYTES = 24;
    private static final int RECORD_BYTES = RecordFormat.recordBytes(PAYLOAD_BYTES);
    private static final Segment SEGMENT =
            new Segment(Path.of("segment"), new SegmentHeader(64 << 10, new UUID(1, 2), 1, 1, 0, false));

    private CommitPublicationStress() {}

    private static Batch batch() {
        Batch batch = new Batch(8, true);
        int limit = 4 * RECORD_BYTES;
        batch.prepare(SEGMENT, SegmentHeader.BYTES, 1, 0, limit, new BufferPool().take(limit), false);
        batch.admit(0);
        return batch;
    }

    /** Puts a record of equal bytes; returns its claim, or -1 where the batch was sealed by then. */
    private static long put(Batch batch, int value) {
        byte[] payload = new byte[PAYLOAD_BYTES];
        Arrays.fill(payload, (byte) value);
        long claim = batch.claim(RECORD_BYTES);
        if (!batch.granted(claim, RECORD_BYTES)) {
            return -1;
        }
        batch.put(claim, RECORD_BYTES, RecordFormat.APPENDED, payload, true);
        return claim;
    }

    private static Counting counted(Batch batch) {
        Counting file = new Counting();
        try {
            batch.writeTo(file, () -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }

    /** A file that counts the whole records of what is written to it. */
    private static final class Counting implements FileIo.DataFile {
        int whole;
        boolean torn;

        @Override
        public void write(ByteBuffer source, long position) {
            ByteBuffer bytes = source.order(ByteOrder.LITTLE_ENDIAN);
            int end = bytes.limit();
            for (int at = 0; at + RECORD_BYTES <= end; at += RECORD_BYTES) {
                int first = at + RecordFormat.HEADER_BYTES;
                byte value = bytes.get(first);
                boolean same = value != 0;
                for (int i = 0; i < PAYLOAD_BYTES; i++) {
                    same &= bytes.get(first + i) == value;
                }
                whole += same ? 1 : 0;
                torn |= !same;
            }
        }

        @Override
        public int read(ByteBuffer target, long position) {
            return 0;
        }

        @Override
        public ByteBuffer mapForWriting(int bytes) {
            return ByteBuffer.allocate(bytes);
        }

        @Override
        public void force() {}

        @Override
        public void truncate(long bytes) {}

        @Override
        public long size() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** Nothing is consumed. */
    private static final class NoConsumption implements ConsumptionRecords {
        @Override
        public int put(ByteBuffer target, int offset, long sequence, long salt) {
            return 0;
        }

        @Override
        public void forceOverflow() {}

        @Override
        public void force() {}

        @Override
        public void checkpoint(long sequence) {}
    }

    /** The writer of a batch sees every record that was granted, whole. */
    @JCStressTest
    @Outcome(
            id = {"0", "1", "2"},
            expect = ACCEPTABLE,
            desc = "what was claimed before the seal")
    @Outcome(id = "-1", expect = FORBIDDEN, desc = "a record that is not whole, or was put behind the seal")
    @State
    public static class BatchRecords {
        private final Batch batch = batch();

        @Actor
        public void appender() {
            put(batch, 1);
            put(batch, 2);
        }

        @Actor
        public void writer(I_Result result) {
            if (batch.seal(false, new NoConsumption())) {
                Counting file = counted(batch);
                result.r1 = file.torn || file.whole != batch.records() ? -1 : file.whole;
            }
        }
    }

    /** Waiters of a commit see what the owner wrote, and none waits for ever. */
    @JCStressTest
    @Outcome(
            id = {"1, 1", "1, 2", "2, 1"},
            expect = ACCEPTABLE,
            desc = "committed and seen, or sealed out")
    @Outcome(expect = FORBIDDEN, desc = "told that it is committed, and not there")
    @State
    public static class GroupCommit implements GroupCommitter.Work {
        private final Batch batch = batch();
        private final ConsumptionRecords floors = new NoConsumption();
        private final GroupCommitter committer = new GroupCommitter(this, false, 0);
        private int written; // plain: published by the commit

        private int append(int value) {
            long claim = put(batch, value);
            if (claim < 0) {
                return 2;
            }
            long sequence = 1L + Batch.index(claim);
            try {
                committer.await(sequence, true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return written >= sequence ? 1 : 0;
        }

        @Actor
        public void first(II_Result result) {
            result.r1 = append(1);
        }

        @Actor
        public void second(II_Result result) {
            result.r2 = append(2);
        }

        @Override
        public boolean sealOpen() {
            return batch.seal(false, floors);
        }

        @Override
        public @Nullable Batch nextSealed() {
            return batch.isSealed() ? batch : null;
        }

        @Override
        public void write(Batch sealed) {
            written = counted(sealed).whole;
        }

        @Override
        public void written(Batch sealed) {
            ByteBuffer unused = sealed.release();
        }

        @Override
        public int openRecords() {
            return 0;
        }

        @Override
        public @Nullable Thread anyWaiter() {
            return batch.anyWaiter();
        }

        @Override
        public void wakeAll() {
            batch.wakeAllEver();
        }
    }

    /** Whoever adds last moves the end over all, in whatever order the records were copied. */
    @JCStressTest
    @Outcome(id = "4", expect = ACCEPTABLE, desc = "behind all four")
    @Outcome(expect = FORBIDDEN, desc = "stopped in front of a record that was added")
    @State
    public static class PrefixGrows {
        private final CopiedPrefix prefix = new CopiedPrefix(0);

        @Actor
        public void first() {
            prefix.add(1);
            prefix.add(3);
        }

        @Actor
        public void second() {
            prefix.add(2);
            prefix.add(4);
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = (int) prefix.end();
        }
    }

    /** Whoever sees that the prefix reaches its own record sees every record before it. */
    @JCStressTest
    @Outcome(id = "0, -1", expect = ACCEPTABLE, desc = "the record before is not copied yet")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the record before is copied, its thread about to move on")
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "both are covered, and seen")
    @Outcome(expect = FORBIDDEN, desc = "the prefix covers what is not seen")
    @State
    public static class PrefixPublishes {
        private final CopiedPrefix prefix = new CopiedPrefix(0);
        private int copy; // plain: published by the prefix

        @Actor
        public void first() {
            copy = 1;
            prefix.add(1);
        }

        @Actor
        public void second(II_Result result) {
            prefix.add(2);
            result.r1 = (int) prefix.end();
            result.r2 = result.r1 == 0 ? -1 : copy;
        }
    }
}
