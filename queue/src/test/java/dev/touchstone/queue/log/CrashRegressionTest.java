package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.consume.ConsumptionJournal;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Crashes between a log and its cursors: one of them is older than the other, or half made. */
@Tag("sweep")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrashRegressionTest {
    private static final Path SEGMENT = Logs.FOLDER.resolve("0000000000000001.seg");
    private static final int RECORD_BYTES = RecordFormat.recordBytes(Integer.BYTES);

    private static byte[] record(int number, int moreBytes) {
        return ByteBuffer.allocate(Integer.BYTES + moreBytes).putInt(number).array();
    }

    private static void append(RecordLog log, int from, int to) throws IOException {
        for (int number = from; number < to; number++) {
            Logs.append(log, record(number, 0));
        }
    }

    private static void remove(LogCursor cursor, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] removed = cursor.poll();
            assertThat(removed).isNotNull();
        }
    }

    /** The number of the cursor's next record, which stays; {@code ifNone} where there is none. */
    private static int peek(LogCursor cursor, int ifNone) throws IOException {
        byte[] payload = cursor.peek();
        return payload == null ? ifNone : ByteBuffer.wrap(payload).getInt();
    }

    private static List<Integer> drain(LogCursor cursor) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        for (byte[] p = cursor.poll(); p != null; p = cursor.poll()) {
            numbers.add(ByteBuffer.wrap(p).getInt());
        }
        return numbers;
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.range(from, to).boxed().collect(Collectors.toList());
    }

    private static void closeQuietly(RecordLog log) {
        try {
            log.close();
        } catch (IOException expected) {
            assertThat(expected).hasMessageContaining("injected");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PAGE_CACHE", "MEMORY"})
    void open_withAcknowledgementsBehindTheLogsEnd_forgetsThem(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo image;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            append(log, 0, 20);
            LogCursor own = log.cursors().own();
            assertThat(own.lease()).isNotNull();
            for (int i = 1; i < 20; i++) {
                assertThat(Objects.requireNonNull(own.lease()).acknowledge()).isTrue();
            }
            log.cursors().force();
            image = disk.afterKill();
        }
        try (FileIo.DataFile file = image.open(SEGMENT, FileIo.Access.WRITE)) {
            file.truncate(SegmentHeader.BYTES + 9 * RECORD_BYTES);
        }
        try (RecordLog again = RecordLog.open(Logs.options(commit), image)) {
            append(again, 100, 115);
            List<Integer> expected = numbers(100, 115);
            expected.add(0, 0); // out on lease when the power was cut
            assertThat(again.size()).isEqualTo(expected.size());
            assertThat(drain(again.cursors().own())).isEqualTo(expected);
            assertThat(again.size()).isZero();
        }
    }

    /** Opens what a power cut kept: a segment that was used again, and none of the names of the segments before it. */
    @Test
    void powerCut_thatKeepsALaterSegmentOnly_endsTheLogAtItsCheckpoint() throws IOException {
        int perSegment = Logs.recordsPerSegment(Commit.PAGE_CACHE, Integer.BYTES);
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo image;
        FaultyFileIo later;
        try (RecordLog log = RecordLog.open(Logs.options(Commit.PAGE_CACHE), disk)) {
            append(log, 0, 20);
            log.flush();
            append(log, 20, 30);
            remove(log.cursors().own(), 25);
            log.cursors().force();
            image = disk.afterKill();
            append(log, 30, 3 * perSegment);
            later = disk.afterKill();
        }
        copy(later, Logs.FOLDER.resolve("0000000000000003.seg"), image);
        image.delete(Logs.FOLDER.resolve("BUFFER"));
        try (FileIo.DataFile file = image.open(SEGMENT, FileIo.Access.WRITE)) {
            file.truncate(SegmentHeader.BYTES + 9 * RECORD_BYTES);
        }
        try (RecordLog again = RecordLog.open(Logs.options(Commit.PAGE_CACHE), image)) {
            append(again, 100, 115);
            assertThat(again.size()).isEqualTo(15);
            assertThat(drain(again.cursors().own())).isEqualTo(numbers(100, 115));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PAGE_CACHE", "MEMORY"})
    void open_withRemovalsBehindTheLogsEnd_forgetsThem(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo image;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            LogCursor audit = log.cursors().get("audit");
            append(log, 0, 20);
            remove(audit, 20);
            log.cursors().force();
            image = disk.afterKill();
        }
        try (FileIo.DataFile file = image.open(SEGMENT, FileIo.Access.WRITE)) {
            file.truncate(SegmentHeader.BYTES + 9 * RECORD_BYTES);
        }
        try (RecordLog again = RecordLog.open(Logs.options(commit), image)) {
            append(again, 100, 115);
            assertThat(drain(again.cursors().get("audit"))).isEqualTo(numbers(100, 115));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PAGE_CACHE", "MEMORY"})
    void open_withRemovalsOfAllCursorsBehindTheLogsEnd_leavesNoHole(Commit commit) throws IOException {
        LogOptions defaults = Logs.options(commit);
        LogOptions options = new LogOptions(
                defaults.folder(),
                commit,
                defaults.segmentBytes(),
                defaults.batch(),
                defaults.lockTimeout(),
                defaults.limits(),
                new LogOptions.Retention(Long.MAX_VALUE, Duration.ofNanos(Long.MAX_VALUE)),
                defaults.leases(),
                true,
                defaults.onDamage());
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo image;
        try (RecordLog log = RecordLog.open(options, disk)) {
            append(log, 0, 20);
            remove(log.cursors().get("audit"), 20);
            log.cursors().force();
            image = disk.afterKill();
        }
        if (commit == Commit.PAGE_CACHE) {
            image.delete(Logs.FOLDER.resolve("BUFFER")); // as a power cut does; it holds the records, too
        }
        try (FileIo.DataFile file = image.open(SEGMENT, FileIo.Access.WRITE)) {
            file.truncate(SegmentHeader.BYTES + 9 * RECORD_BYTES);
        }
        try (RecordLog again = RecordLog.open(options, image)) {
            append(again, 100, 115);
            List<Integer> all = numbers(0, 9);
            all.addAll(numbers(100, 115));
            assertThat(again.cursors().get("late").size()).isEqualTo(all.size());
            assertThat(drain(again.cursors().get("late"))).isEqualTo(all);
            assertThat(drain(again.cursors().get("audit"))).isEqualTo(numbers(100, 115));
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_cutOffAtAnyOperationBehindARecordThatStays_knowsTheBytesOfTheLog(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        int bytes = 1000;
        int count = 3 * Logs.recordsPerSegment(commit, bytes);
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            for (int number = 0; number < count; number++) {
                Logs.append(log, record(number, bytes - Integer.BYTES));
            }
            for (int sequence = 2; sequence <= count; sequence++) {
                assertThat(log.cursors().own().remove(sequence)).isTrue();
            }
        }
        RecordLog.open(Logs.options(commit), disk).close();
        FaultyFileIo begun = disk;
        for (int at = 1; begun == disk || begun.operations() >= at; at++) {
            begun = disk.afterKill();
            begun.failAt(at, true);
            try {
                closeQuietly(RecordLog.open(Logs.options(commit), begun));
            } catch (IOException expected) {
                assertThat(expected).hasMessageContaining("injected");
            }
            for (FaultyFileIo image : List.of(begun.afterKill(), begun.afterPowerCut(random))) {
                try (RecordLog again = RecordLog.open(Logs.options(commit), image)) {
                    List<Segment> segments = List.copyOf(again.segments().live());
                    assertThat(segments.get(segments.size() - 1).offset())
                            .as("seed=" + seed + " operation=" + at + " " + image)
                            .isEqualTo((long) count * RecordFormat.recordBytes(bytes));
                }
            }
        }
    }

    @Test
    void open_withCursorsOlderThanTheLog_keepsTheRemovalsAlsoAfterTheNextCrash() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo image;
        try (RecordLog log = RecordLog.open(Logs.options(Commit.DEVICE), disk)) {
            LogCursor audit = log.cursors().get("audit");
            append(log, 0, 10);
            FaultyFileIo before = disk.afterKill();
            remove(log.cursors().own(), 5);
            remove(audit, 4);
            append(log, 10, 11);
            image = disk.afterKill();
            copyCursors(before, image);
        }
        image = image.afterKill();
        List<FaultyFileIo> crashes = new ArrayList<>();
        try (RecordLog again = RecordLog.open(Logs.options(Commit.DEVICE), image)) {
            append(again, 11, 12);
            crashes.add(image.afterKill());
            for (int i = 0; i < 50; i++) {
                crashes.add(image.afterPowerCut(new SplittableRandom(seed + i)));
            }
        }
        for (int i = 0; i < crashes.size(); i++) {
            String what = "seed=" + seed + " crash=" + i;
            try (RecordLog last = RecordLog.open(Logs.options(Commit.DEVICE), crashes.get(i))) {
                assertThat(drain(last.cursors().own())).as(what).isEqualTo(numbers(5, 12));
                assertThat(drain(last.cursors().get("audit"))).as(what).isEqualTo(numbers(4, 12));
            }
        }
    }

    private static void copyCursors(FaultyFileIo from, FaultyFileIo to) throws IOException {
        int copied = 0;
        for (Path path : from.list(Logs.FOLDER)) {
            if (!SegmentStore.isSegment(path)) {
                copy(from, path, to);
                copied++;
            }
        }
        assertThat(copied).isEqualTo(2);
    }

    private static void copy(FaultyFileIo from, Path path, FaultyFileIo to) throws IOException {
        try (FileIo.DataFile source = from.open(path, FileIo.Access.READ);
                FileIo.DataFile target = to.create(path, FileIo.Access.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            assertThat(source.read(bytes, 0)).isEqualTo(bytes.capacity());
            target.write(bytes.flip(), 0);
        }
    }

    @Test
    void powerCut_ofASyncedLogOfSeveralSegments_bringsBackRemovalsSinceTheLastAppendOnly() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        int most = 0;
        for (int round = 0; round < 150; round++) {
            String what = "seed=" + seed + " round=" + round;
            SplittableRandom random = new SplittableRandom(seed + round);
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(Logs.options(Commit.DEVICE), disk);
            List<LogCursor> cursors = List.of(
                    log.cursors().own(),
                    log.cursors().get("audit"),
                    log.cursors().get("slow"));
            int[] removed = new int[cursors.size()];
            int[] firm = removed.clone();
            int appended = 10 + random.nextInt(100);
            boolean[] busy = new boolean[cursors.size()];
            for (int number = 0; number < appended; number++) {
                firm = removed.clone();
                Logs.append(log, record(number, random.nextInt(6000)));
                for (int c = 0; c < busy.length; c++) {
                    busy[c] ^=
                            random.nextInt(12) == 0; // at rest for some segments, so that only an early one tells of it
                    for (int i = random.nextInt(4); busy[c] && i > 0; i--) {
                        removed[c] += cursors.get(c).poll() == null ? 0 : 1;
                    }
                }
            }
            most = Math.max(most, log.counts().segments());
            FaultyFileIo after = disk.afterPowerCut(random);
            log.close();
            try (RecordLog again = RecordLog.open(Logs.options(Commit.DEVICE), after)) {
                List<LogCursor> found = List.of(
                        again.cursors().own(),
                        again.cursors().get("audit"),
                        again.cursors().get("slow"));
                for (int c = 0; c < found.size(); c++) {
                    int first = peek(found.get(c), appended);
                    assertThat(first).as("%s cursor=%d", what, c).isBetween(firm[c], removed[c]);
                    assertThat(found.get(c).size()).as("%s cursor=%d", what, c).isEqualTo(appended - first);
                }
            }
        }
        assertThat(most).as("seed=%d", seed).isGreaterThan(2);
    }

    @ParameterizedTest
    @EnumSource
    void crash_atAnyOperationThatMakesACursor_leavesAWholeCursorOrNone(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        boolean made = false;
        int failAt = 0;
        while (!made) {
            failAt++;
            String what = "seed=" + seed + " failAt=" + failAt;
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(Logs.options(commit), disk);
            append(log, 0, 10);
            remove(log.cursors().own(), 3);
            log.flush();
            disk.failAt(failAt, true);
            try {
                made = peek(log.cursors().get("audit"), -1) == 3;
            } catch (IOException refused) {
                assertThat(refused).as(what).hasMessageContaining("injected");
            }
            List<FaultyFileIo> images = new ArrayList<>(List.of(disk.afterKill()));
            for (int i = 0; i < 20; i++) {
                images.add(disk.afterPowerCut(new SplittableRandom(seed + i)));
            }
            closeQuietly(log);
            for (FaultyFileIo image : images) {
                try (RecordLog again = RecordLog.open(Logs.options(commit), image)) {
                    assertThat(made && again.cursors().names().isEmpty())
                            .as(what)
                            .isFalse();
                    assertThat(drain(again.cursors().get("audit"))).as(what).isEqualTo(numbers(3, 10));
                    assertThat(drain(again.cursors().own())).as(what).isEqualTo(numbers(3, 10));
                }
            }
        }
        assertThat(failAt).isGreaterThan(2);
    }

    /** The segment is no longer forced, and the checkpoint passes it while its old name may be the one on the device. */
    @ParameterizedTest
    @EnumSource(names = {"PAGE_CACHE", "MEMORY"})
    void powerCut_afterASegmentWasTakenBackBeforeItsForce_keepsWhatFollows(Commit commit) throws Exception {
        int perSegment = Logs.recordsPerSegment(commit, 1004);
        int removed = 2 * perSegment;
        FaultyFileIo disk = new FaultyFileIo();
        RecordLog log = RecordLog.open(Logs.options(commit), disk);
        CountDownLatch firstForced = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        disk.afterFolderForce(() -> {
            firstForced.countDown();
            awaitQuietly(goOn);
        });
        for (int number = 0; number < perSegment + 40; number++) {
            Logs.append(log, record(number, 1000));
        }
        firstForced.await();
        for (int number = perSegment + 40; number < 3 * perSegment - 10; number++) {
            Logs.append(log, record(number, 1000));
        }
        remove(log.cursors().own(), removed);
        while (log.counts().spares() < 2) {
            LockSupport.parkNanos(100_000);
        }
        goOn.countDown();
        ConsumptionJournal seen = ConsumptionJournal.open(disk, Logs.FOLDER, false);
        while (seen.read().checkpoint() <= removed) {
            LockSupport.parkNanos(100_000);
        }
        List<FaultyFileIo> cuts = new ArrayList<>();
        for (int seed = 0; seed < 500; seed++) {
            cuts.add(disk.afterPowerCut(new SplittableRandom(seed)));
        }
        closeQuietly(log);
        long setAside = 0;
        for (int seed = 0; seed < cuts.size(); seed++) {
            boolean retains = seed % 2 == 0;
            LogOptions options = retains ? retaining(Logs.options(commit)) : Logs.options(commit);
            try (RecordLog again = RecordLog.open(options, cuts.get(seed))) {
                long kept = cuts.get(seed).list(Logs.FOLDER).stream()
                        .filter(file -> file.getFileName().toString().startsWith("damaged-"))
                        .count();
                assertThat(kept).as("seed=%d", seed).isLessThanOrEqualTo(retains ? 1 : 0);
                setAside += kept;
                List<Integer> left = drain(again.cursors().own());
                int first = left.isEmpty() ? removed : left.get(0);
                assertThat(first).as("seed=%d", seed).isLessThanOrEqualTo(removed);
                assertThat(left).as("seed=%d", seed).isEqualTo(numbers(first, first + left.size()));
            } catch (IOException e) {
                throw new AssertionError("seed=" + seed + ": " + cuts.get(seed), e);
            }
        }
        assertThat(setAside)
                .as("what may be damage to retained records is kept")
                .isPositive();
    }

    /** With the segments before the hole consumed, nothing but its header tells that the ones behind it do not follow. */
    @ParameterizedTest
    @EnumSource(names = {"PAGE_CACHE", "MEMORY"})
    void open_killedWhileItDeletesWhatIsBehindTheEnd_nextOpenFindsTheSameEnd(Commit commit) throws Exception {
        int perSegment = Logs.recordsPerSegment(commit, 1004);
        FaultyFileIo disk = new FaultyFileIo();
        RecordLog log = RecordLog.open(Logs.options(commit), disk);
        CountDownLatch goOn = new CountDownLatch(1);
        disk.afterFolderForce(() -> awaitQuietly(goOn));
        for (int number = 0; number < 4 * perSegment; number++) {
            Logs.append(log, record(number, 1000));
        }
        remove(log.cursors().own(), perSegment);
        while (log.counts().spares() == 0) {
            LockSupport.parkNanos(100_000);
        }
        FaultyFileIo cut = disk.afterKill();
        goOn.countDown();
        closeQuietly(log);
        try (FileIo.DataFile second = cut.open(Logs.FOLDER.resolve(SegmentStore.fileName(2)), FileIo.Access.WRITE)) {
            second.write(ByteBuffer.allocate(SegmentHeader.BYTES), 0); // did not reach the device
        }
        boolean opened = false;
        for (int operation = 1; !opened; operation++) {
            FaultyFileIo killed = cut.afterKill();
            killed.failAt(operation, true);
            try (RecordLog first = RecordLog.open(Logs.options(commit), killed)) {
                opened = first.size() == 0;
            } catch (IOException expected) {
                assertThat(expected).hasStackTraceContaining("injected");
            }
            try (RecordLog again = RecordLog.open(Logs.options(commit), killed.afterKill())) {
                assertThat(drain(again.cursors().own()))
                        .as("killed at operation %d", operation)
                        .isEmpty();
            }
        }
    }

    private static LogOptions retaining(LogOptions options) {
        return new LogOptions(
                options.folder(),
                options.commit(),
                options.segmentBytes(),
                options.batch(),
                options.lockTimeout(),
                options.limits(),
                new LogOptions.Retention(1, Duration.ofDays(1)),
                options.leases(),
                options.namedCursorsOnly(),
                options.onDamage());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void get_whileTheOwnConsumerPassesSegments_makesACursorThatCanBeRead(Commit commit) throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        AtomicBoolean stop = new AtomicBoolean();
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            append(log, 0, 40);
            Future<Integer> consumer = threads.submit(() -> {
                int number = 40;
                for (; !stop.get(); number++) {
                    Logs.append(log, record(number, 3000));
                    remove(log.cursors().own(), 1);
                }
                return number;
            });
            for (int made = 0; made < 200 && !consumer.isDone(); made++) {
                long before = log.cursors().own().floor();
                LogCursor cursor = log.cursors().get("c" + made);
                int first = peek(cursor, -1);
                assertThat(first + 1L)
                        .as("cursor %d", made)
                        .isBetween(before, log.cursors().own().floor());
                for (int number = first; number < first + 30; number++) {
                    assertThat(peek(cursor, -1)).as("cursor %d", made).isEqualTo(number);
                    remove(cursor, 1);
                }
                assertThat(log.cursors().drop("c" + made)).isTrue();
            }
            stop.set(true);
            assertThat(consumer.get(60, TimeUnit.SECONDS)).isGreaterThan(40);
        } finally {
            threads.shutdownNow();
        }
    }

    /** An empty last segment behind emptied ones alone tells where the log ends. */
    @ParameterizedTest
    @EnumSource
    void kill_whileTheLastSegmentIsEmptyBehindEmptiedOnes_nextOpensGoOn(Commit commit) throws Exception {
        FaultyFileIo disk = new FaultyFileIo();
        int emptyTails = 0;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            LogCursor own = log.cursors().own();
            Logs.append(log, record(0, 0));
            assertThat(own.lease()).isNotNull();
            for (int number = 1; number < 5000; number++) {
                Logs.append(log, record(number, 0));
                assertThat(own.poll()).isNotNull();
                log.cursors().release(log.segments());
                Segment newest = null;
                for (Segment segment : log.segments().live()) {
                    newest = segment;
                }
                boolean isEmpty = newest != null && newest.firstSequence() == number + 2;
                emptyTails += isEmpty ? 1 : 0;
                if (isEmpty || number % 500 == 0) {
                    goesOnAfterTwoOpens(disk.afterKill(), commit, number);
                }
            }
        }
        assertThat(emptyTails).as("segments that were begun and empty").isPositive();
    }

    private static void goesOnAfterTwoOpens(FaultyFileIo killed, Commit commit, int number) throws IOException {
        try (RecordLog again = RecordLog.open(Logs.options(commit), killed)) {
            assertThat(again.cursors().own().size()).as("number=%d", number).isBetween(1L, 1L + number);
            Logs.append(again, record(-1, 0));
        }
        try (RecordLog last = RecordLog.open(Logs.options(commit), killed.afterKill())) {
            List<Integer> left = drain(last.cursors().own());
            assertThat(left.get(0)).isZero();
            assertThat(left.get(left.size() - 1)).isEqualTo(-1);
        }
    }
}
