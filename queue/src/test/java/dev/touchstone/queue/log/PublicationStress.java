package dev.touchstone.queue.log;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.touchstone.queue.log.commit.Batch;
import dev.touchstone.queue.log.commit.ConsumptionRecords;
import dev.touchstone.queue.log.commit.GroupCommitter;
import dev.touchstone.queue.log.consume.AckedRanges;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What one thread of a log writes and another reads without a lock. Run by {@code PublicationStressTest} and {@code scripts/queue-stress}. */
public final class PublicationStress {
    private static final int PAYLOAD_BYTES = 24;
    private static final int RECORD_BYTES = RecordFormat.recordBytes(PAYLOAD_BYTES);
    private static final Segment SEGMENT =
            new Segment(Path.of("segment"), new SegmentHeader(64 << 10, new UUID(1, 2), 1, 1, 0, false));

    private PublicationStress() {}

    private static Batch batch() {
        Batch batch = new Batch(4 * RECORD_BYTES, 8, true);
        batch.prepare(SEGMENT, SegmentHeader.BYTES, 1, 0, 0);
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
        batch.put(claim, RECORD_BYTES, payload, true);
        return claim;
    }

    private static Counting counted(Batch batch) {
        Counting file = new Counting();
        try {
            batch.writeTo(file);
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

    /** Who waits for a commit sees what the owner wrote, and nobody waits for ever. */
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
            sealed.release();
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

    /** A signal that is raised after the change wakes who waits for the change, or finds that nobody has to be woken. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "woken, or never slept")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "slept until the deadline")
    @State
    public static class SignalWakeUp {
        private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(20);

        private final Signal signal = new Signal();
        private volatile boolean changed;

        @Actor
        public void changer() {
            changed = true;
            signal.raise();
        }

        @Actor
        public void waiter(I_Result result) {
            long start = System.nanoTime();
            try {
                signal.await(() -> changed, start + MAX_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            result.r1 = System.nanoTime() - start < MAX_NANOS ? 1 : 0;
        }
    }

    /** Who is certain without the lock that a sequence is not consumed is right, if it was not consumed before it asked. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "0, 2", "1, 1", "1, 2"},
            expect = ACCEPTABLE,
            desc = "right, or not certain")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "consumed before, and certain that it is not")
    @State
    public static class CertainlyConsumed {
        private static final int UNCERTAIN = 2;

        private final AckedRanges consumed = new AckedRanges();
        private volatile boolean third;

        /** Begins with nothing consumed. */
        public CertainlyConsumed() {
            consumed.moveFloor(1, 0);
        }

        @Actor
        public void consumer() {
            consumed.add(3, 3 + 1);
            third = true;
            consumed.add(1, 1 + 1);
            consumed.moveFloor(2, 40);
            consumed.add(2, 2 + 1);
            consumed.moveFloor(4, 120);
        }

        @Actor
        public void reader(II_Result result) {
            result.r1 = third ? 1 : 0;
            if (!consumed.isCertain(3)) {
                result.r2 = UNCERTAIN;
            } else {
                result.r2 = consumed.floor() > 3 ? 1 : 0;
            }
        }
    }

    /** An arming that finds the timer about to fire is seen by that firing, or schedules another. */
    @JCStressTest
    @Outcome(
            id = {"1, 1", "1, 2", "0, 2"},
            expect = ACCEPTABLE,
            desc = "seen, or scheduled again")
    @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "lost")
    @State
    public static class TimerArming {
        private final List<Runnable> scheduled = new ArrayList<>(); // guarded by the timer's lock
        private final OneShotTimer timer;
        private final Runnable due;
        private volatile boolean changed;
        private int seen;

        /** Begins with a timer that is due. */
        public TimerArming() {
            timer = new OneShotTimer(
                    (task, nanos) -> {
                        scheduled.add(task);
                        return CompletableFuture.completedFuture(null);
                    },
                    () -> seen = changed ? 1 : 0,
                    failure -> {
                        throw new IllegalStateException(failure);
                    });
            timer.arm(1);
            due = scheduled.get(0);
        }

        @Actor
        public void appender() {
            changed = true;
            timer.arm(1);
        }

        @Actor
        public void timerThread() {
            due.run();
        }

        @Arbiter
        public void count(II_Result result) {
            result.r1 = seen;
            result.r2 = scheduled.size();
        }
    }
}
