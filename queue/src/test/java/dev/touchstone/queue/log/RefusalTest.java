package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A disk that is full for a while, and what acknowledgements are worth when the power is cut. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusalTest {
    private static final int WRITERS = 4;

    private static byte[] record(int writer, int number, int bytes) {
        return ByteBuffer.allocate(8 + bytes).putInt(writer).putInt(number).array();
    }

    @ParameterizedTest
    @EnumSource
    void append_onAFullDisk_isRefusedUntilThereIsRoom(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        List<Integer> accepted = new ArrayList<>();
        int number = 0;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            for (int round = 0; round < 5; round++) {
                disk.setFull(true);
                int refusals = 0;
                while (refusals < 3) {
                    try {
                        Logs.append(log, record(0, number, 500));
                        accepted.add(number);
                    } catch (LogRefusedException refused) {
                        assertThat(refused).hasMessageMatching("(?s).*(No space left|no room).*");
                        refusals++;
                    }
                    number++;
                }
                disk.setFull(false);
                Logs.append(log, record(0, number, 500));
                accepted.add(number++);
            }
            List<Integer> found = new ArrayList<>();
            for (byte[] record = Logs.poll(log); record != null; record = Logs.poll(log)) {
                found.add(ByteBuffer.wrap(record).getInt(4));
            }
            assertInOrder(found, accepted, "one writer");
        }
    }

    @ParameterizedTest
    @EnumSource
    void append_byManyWhileTheDiskFillsUpAndIsFreed_losesNothingAndKeepsOrder(Commit commit) throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        FaultyFileIo disk = new FaultyFileIo();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        AtomicBoolean stop = new AtomicBoolean();
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            List<Future<List<Integer>>> writers = new ArrayList<>();
            for (int w = 0; w < WRITERS; w++) {
                int writer = w;
                writers.add(threads.submit(() -> appendAll(log, writer, stop)));
            }
            for (int i = 0; i < 300; i++) {
                disk.setFull(i % 2 == 0);
                long until = log.counts().appended() + random.nextInt(200);
                long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5);
                while (log.counts().appended() < until && System.nanoTime() < deadline) {
                    Thread.onSpinWait();
                }
            }
            disk.setFull(false);
            stop.set(true);
            List<List<Integer>> found = new ArrayList<>();
            for (int w = 0; w < WRITERS; w++) {
                found.add(new ArrayList<>());
            }
            List<List<Integer>> accepted = new ArrayList<>();
            for (Future<List<Integer>> writer : writers) {
                accepted.add(writer.get(60, TimeUnit.SECONDS));
            }
            for (byte[] record = Logs.poll(log); record != null; record = Logs.poll(log)) {
                ByteBuffer fields = ByteBuffer.wrap(record);
                found.get(fields.getInt()).add(fields.getInt());
            }
            for (int w = 0; w < WRITERS; w++) {
                assertInOrder(found.get(w), accepted.get(w), "writer=" + w + " seed=" + seed);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Checks that the numbers found grow strictly and have all accepted ones among them. AssertJ's containsAll compares each element of a list with
     * all others, which takes minutes for the numbers of a writer.
     */
    private static void assertInOrder(List<Integer> found, List<Integer> accepted, String what) {
        TreeSet<Integer> distinct = new TreeSet<>(found);
        assertThat(found).as(what).isEqualTo(List.copyOf(distinct));
        List<Integer> lost = new ArrayList<>(accepted);
        lost.removeAll(distinct);
        assertThat(lost).as("accepted and not found: " + what).isEmpty();
    }

    private static List<Integer> appendAll(RecordLog log, int writer, AtomicBoolean stop) throws IOException {
        List<Integer> accepted = new ArrayList<>();
        for (int number = 0; number < 20_000 && !stop.get(); number++) {
            try {
                Logs.append(log, record(writer, number, 100 + number % 300));
                accepted.add(number);
            } catch (LogRefusedException full) {
                Thread.onSpinWait();
            }
        }
        return accepted;
    }

    @Test
    void removal_beforeAnAppend_isOnTheDeviceWithIt() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        for (int round = 0; round < 200; round++) {
            SplittableRandom random = new SplittableRandom(seed + round);
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(Logs.options(Commit.DEVICE), disk);
            LogCursor named = log.cursors().get("audit");
            int appended = 0;
            int removed = 0;
            int read = 0;
            for (int i = 0; i < 1 + random.nextInt(40); i++) {
                Logs.append(log, record(0, appended++, random.nextInt(3000)));
                removed += random.nextInt(3) > 0 && Logs.poll(log) != null ? 1 : 0;
                read += random.nextInt(3) == 0 && named.poll() != null ? 1 : 0;
            }
            Logs.append(log, record(0, appended++, 10));
            FaultyFileIo after = disk.afterPowerCut(random);
            log.close();
            try (RecordLog again = RecordLog.open(Logs.options(Commit.DEVICE), after)) {
                String what = "seed=" + seed + " round=" + round;
                assertThat(again.size()).as(what).isEqualTo(appended - removed);
                assertThat(number(Logs.poll(again))).as(what).isEqualTo(removed);
                LogCursor other = again.cursors().get("audit");
                assertThat(other.size()).as(what).isEqualTo(appended - read);
                assertThat(number(other.poll())).as(what).isEqualTo(read);
            }
        }
    }

    private static int number(byte @Nullable [] record) {
        return record == null ? -1 : ByteBuffer.wrap(record).getInt(4);
    }

    @Test
    void force_thatFails_endsTheLogForEverybody() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        RecordLog log = RecordLog.open(Logs.options(Commit.PAGE_CACHE), disk);
        Logs.append(log, record(0, 0, 10));
        assertThat(log.iterator().next()).isNotNull(); // so that it is written, and only the force is left
        disk.failAt(1, true);
        assertThatThrownBy(log::flush).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Logs.append(log, record(0, 1, 10))).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(log::close).isInstanceOf(IOException.class);
    }
}
