package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.consume.LogLease;
import dev.touchstone.queue.log.engine.RecordLog;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Consumption on disk: kills, power cuts and damage between acknowledgements in any order. */
@Tag("sweep")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsumptionTest {
    private static final int ROUNDS = Integer.getInteger("touchstone.rounds", 60);
    private static final List<String> NAMES = List.of("", "audit", "slow");

    private static LogCursor cursor(RecordLog log, String name) throws IOException {
        return name.isEmpty() ? log.cursors().own() : log.cursors().get(name);
    }

    private static byte[] record(int number, int moreBytes) {
        return ByteBuffer.allocate(Integer.BYTES + moreBytes).putInt(number).array();
    }

    private static int number(byte[] payload) {
        return ByteBuffer.wrap(payload).getInt();
    }

    private static Set<Integer> drain(LogCursor cursor, String what) throws IOException {
        Set<Integer> numbers = new TreeSet<>();
        long size = cursor.size();
        for (byte[] payload = cursor.poll(); payload != null; payload = cursor.poll()) {
            assertThat(numbers.add(number(payload))).as(what).isTrue();
        }
        assertThat(size).as("%s: size", what).isEqualTo(numbers.size());
        assertThat(cursor.size()).as("%s: size after", what).isZero();
        return numbers;
    }

    /** Calls and answers of one cursor. */
    private static final class Told {
        final Set<Integer> acknowledged = new HashSet<>();
        final Set<Integer> promised = new HashSet<>();
        final List<LogLease> leases = new ArrayList<>();
    }

    @ParameterizedTest
    @EnumSource
    void crash_betweenAcknowledgementsInAnyOrder_bringsBackNoneThatWasPromised(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        for (int round = 0; round < ROUNDS; round++) {
            String what = "seed=" + seed + " round=" + round + " " + commit;
            SplittableRandom random = new SplittableRandom(seed + round);
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(Logs.options(commit), disk);
            List<Told> told = new ArrayList<>();
            for (String name : NAMES) {
                assertThat(cursor(log, name).size()).isZero();
                told.add(new Told());
            }
            int appended = 0;
            int promisedRecords = 0;
            for (int step = 0; step < 150; step++) {
                int act = random.nextInt(10);
                if (act < 4) {
                    for (int i = random.nextInt(12); i >= 0; i--) {
                        Logs.append(log, record(appended++, random.nextInt(300)));
                    }
                    if (commit == Commit.DEVICE) {
                        promisedRecords = appended;
                        told.forEach(each -> each.promised.addAll(each.acknowledged));
                        // the last append began after all acknowledgements
                    }
                } else if (act < 9) {
                    consume(log, told, random);
                } else if (random.nextInt(3) == 0) {
                    log.flush();
                    promisedRecords = appended;
                    told.forEach(each -> each.promised.addAll(each.acknowledged));
                }
            }
            List<FaultyFileIo> images = new ArrayList<>();
            for (int cut = 0; cut < 3; cut++) {
                images.add(disk.afterPowerCut(random));
            }
            FaultyFileIo killed = disk.afterKill();
            log.close();
            for (FaultyFileIo image : images) {
                assertPromised(commit, image, told, promisedRecords, appended, what + " power cut");
            }
            if (commit != Commit.MEMORY) {
                told.forEach(each -> each.promised.addAll(each.acknowledged));
                promisedRecords = appended;
            }
            assertPromised(commit, killed, told, promisedRecords, appended, what + " kill");
            told.forEach(each -> each.promised.addAll(each.acknowledged));
            assertPromised(commit, disk.afterKill(), told, appended, appended, what + " close");
        }
    }

    private static void consume(RecordLog log, List<Told> told, SplittableRandom random) throws IOException {
        int which = random.nextInt(told.size());
        LogCursor cursor = cursor(log, NAMES.get(which));
        Told each = told.get(which);
        for (int i = random.nextInt(20); i >= 0; i--) {
            if (random.nextBoolean() || each.leases.isEmpty()) {
                LogLease lease = cursor.lease();
                if (lease != null) {
                    each.leases.add(lease);
                }
            } else {
                LogLease lease = each.leases.remove(random.nextInt(each.leases.size()));
                if (random.nextInt(8) == 0) {
                    assertThat(lease.giveBack(Duration.ZERO)).isTrue();
                } else {
                    assertThat(lease.acknowledge()).isTrue();
                    each.acknowledged.add(number(lease.payload()));
                }
            }
        }
    }

    private static void assertPromised(
            Commit commit, FaultyFileIo image, List<Told> told, int promised, int appended, String what)
            throws IOException {
        try (RecordLog log = RecordLog.open(Logs.options(commit), image)) {
            assertThat(log.outcome().damagedPlaces()).as(what).isZero();
            for (int i = 0; i < NAMES.size(); i++) {
                Told each = told.get(i);
                Set<Integer> left = drain(cursor(log, NAMES.get(i)), what + " cursor=" + NAMES.get(i));
                Set<Integer> back = new TreeSet<>(each.promised);
                back.retainAll(left);
                assertThat(back).as("%s cursor=%s: back", what, NAMES.get(i)).isEmpty();
                for (int number = 0; number < promised; number++) {
                    assertThat(left.contains(number) || each.acknowledged.contains(number))
                            .as("%s cursor=%s: element %d is there", what, NAMES.get(i), number)
                            .isTrue();
                }
                assertThat(left).as(what).allMatch(number -> number < appended);
            }
        }
    }

    /** Fills a log of several segments, acknowledges two thirds at random, and returns the numbers that are left. */
    private static Set<Integer> fill(RecordLog log, int count, Random random) throws IOException {
        List<LogLease> leases = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            Logs.append(log, record(number, 500));
            leases.add(Objects.requireNonNull(log.cursors().own().lease()));
        }
        Collections.shuffle(leases, random);
        Set<Integer> left = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            if (i < count / 3) {
                left.add(number(leases.get(i).payload()));
            } else {
                assertThat(leases.get(i).acknowledge()).isTrue();
            }
        }
        return left;
    }

    @ParameterizedTest
    @EnumSource(names = {"DEVICE", "PAGE_CACHE"})
    void anyByteOfACursorFile_flipped_isReportedAndBringsBackOneAtMost(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo killed;
        Set<Integer> left;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            left = fill(log, 300, new Random(seed));
            killed = disk.afterKill();
        }
        int unreported = 0;
        for (FaultyFileIo source : List.of(killed, disk)) {
            for (String file : List.of("CURSOR-a", "CURSOR-b")) {
                for (int at = 0; at < 30_000; at += at < 2048 ? 5 : 37) {
                    FaultyFileIo image = source.afterKill();
                    String what = "seed=" + seed + " killed=" + (source == killed) + " file=" + file + " at=" + at;
                    boolean used = flip(image, Path.of("queue", file), at);
                    try (RecordLog log = RecordLog.open(Logs.options(commit), image)) {
                        Set<Integer> found = drain(log.cursors().own(), what);
                        assertThat(found).as(what).containsAll(left);
                        assertThat(found.size()).as(what).isLessThanOrEqualTo(left.size() + 1);
                        if (found.size() > left.size()) {
                            assertThat(log.outcome().damagedPlaces()).as(what).isPositive();
                        }
                        unreported += used && log.outcome().damagedPlaces() == 0 ? 1 : 0;
                    }
                }
            }
        }
        assertThat(unreported)
                .as("seed=%d: flips that nobody heard of, in a file that the other one replaces", seed)
                .isLessThan(2000);
    }

    @ParameterizedTest
    @EnumSource(names = {"PAGE_CACHE", "DEVICE"})
    void slot_thatAKilledProcessHadNotFinished_isNoDamage(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        FaultyFileIo killed;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            for (int number = 0; number < 20; number++) {
                Logs.append(log, record(number, 0));
            }
            for (int number = 0; number < 10; number++) {
                assertThat(number(Objects.requireNonNull(log.cursors().own().poll())))
                        .isEqualTo(number);
            }
            killed = disk.afterKill();
        }
        FaultyFileIo damaged = killed.afterKill();
        assertThat(clearStartOfSlot(damaged, 1)).isTrue();
        try (RecordLog log = RecordLog.open(Logs.options(commit), damaged)) {
            assertThat(log.outcome().damagedPlaces())
                    .as("a slot without a start, before a whole one")
                    .isOne();
        }
        assertThat(clearStartOfSlot(killed, 0)).isTrue();
        try (RecordLog log = RecordLog.open(Logs.options(commit), killed)) {
            assertThat(log.outcome().damagedPlaces()).isZero();
            assertThat(number(Objects.requireNonNull(log.cursors().own().poll())))
                    .isEqualTo(9);
        }
    }

    /**
     * Clears the 8 bytes that are stored last, of the last slot but {@code behind}; returns whether there was one, of 40 bytes and 12 in a
     * sector.
     */
    private static boolean clearStartOfSlot(FaultyFileIo image, int behind) throws IOException {
        int slots = 0;
        for (String name : List.of("CURSOR-a", "CURSOR-b")) {
            try (FileIo.DataFile file = image.open(Path.of("queue", name), FileIo.Access.WRITE)) {
                ByteBuffer start = ByteBuffer.allocate(Long.BYTES);
                for (int slot = 12 * 100; slot >= 12; slot--) {
                    long at = slot / 12 * 512L + slot % 12 * 40L;
                    int unused = file.read(start.clear(), at);
                    if (start.getLong(0) != 0 && slots++ == behind) {
                        file.write(start.putLong(0, 0).clear(), at);
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Flips a byte; returns whether it was not a zero. */
    private static boolean flip(FaultyFileIo image, Path path, int at) throws IOException {
        try (FileIo.DataFile file = image.open(path, FileIo.Access.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            if (file.read(one, at) < 1) {
                return false;
            }
            byte old = one.get(0);
            file.write(one.put(0, (byte) (old ^ 0x5A)).clear(), at);
            return old != 0;
        }
    }

    @ParameterizedTest
    @EnumSource
    void bothCursorFiles_lost_areFoundInTheLog(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        FaultyFileIo disk = new FaultyFileIo();
        Set<Integer> left;
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            left = fill(log, 300, new Random(seed));
            Logs.append(log, record(300, 0));
            left.add(300);
            log.flush();
        }
        for (String file : List.of("CURSOR-a", "CURSOR-b")) {
            disk.delete(Path.of("queue", file));
        }
        List<CorruptLogException> told = new ArrayList<>();
        LogOptions options = Logs.onDamage(Logs.options(commit), damage -> {
            told.add(damage);
            return LogOptions.OnDamage.SKIP;
        });
        try (RecordLog log = RecordLog.open(options, disk)) {
            assertThat(drain(log.cursors().own(), "seed=" + seed)).isEqualTo(left);
            assertThat(log.outcome().damagedPlaces()).isPositive();
        }
        assertThat(told).isNotEmpty();
    }

    @Test
    void damageHandler_thatAnswersAfterAnotherOwnerHasOpened_changesNothing() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        List<RecordLog> owners = new ArrayList<>();
        LogOptions next = Logs.onDamage(Logs.options(Commit.PAGE_CACHE), damage -> LogOptions.OnDamage.SKIP);
        LogOptions first = Logs.onDamage(Logs.options(Commit.PAGE_CACHE), damage -> {
            try {
                owners.get(0).close();
                owners.add(RecordLog.open(next, disk));
                for (int i = 0; i < 50; i++) {
                    assertThat(Logs.poll(owners.get(1))).isNotNull();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return LogOptions.OnDamage.SKIP;
        });
        owners.add(RecordLog.open(first, disk));
        for (int number = 0; number < 100; number++) {
            Logs.append(owners.get(0), record(number, 4));
        }
        owners.get(0).flush();
        Path segment = disk.list(Logs.FOLDER).stream()
                .filter(SegmentStore::isSegment)
                .findFirst()
                .orElseThrow();
        assertThat(flip(disk, segment, SegmentHeader.BYTES + 10 * RecordFormat.recordBytes(8) + 1))
                .isFalse();
        for (int number = 0; number < 10; number++) {
            assertThat(Logs.poll(owners.get(0))).isNotNull();
        }
        assertThatThrownBy(() -> Logs.poll(owners.get(0))).isInstanceOf(LogClosedException.class);
        FaultyFileIo killed = disk.afterKill();
        owners.get(1).close();
        try (RecordLog log = RecordLog.open(next, killed)) {
            assertThat(log.outcome().damagedPlaces()).isZero();
            assertThat(log.size()).isEqualTo(39);
        }
    }

    @Test
    void oneLeaseThatNobodyEnds_keepsItsOwnSegmentOnly() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        LogOptions options = Logs.options(Commit.DEVICE);
        int count = 1000;
        try (RecordLog log = RecordLog.open(options, disk)) {
            Logs.append(log, record(0, 500));
            LogLease stuck = Objects.requireNonNull(log.cursors().own().lease());
            for (int number = 1; number < count; number++) {
                Logs.append(log, record(number, 500));
                assertThat(Objects.requireNonNull(log.cursors().own().lease()).acknowledge())
                        .isTrue();
            }
            log.flush();
            while (segmentBytes(disk)
                    >= 6L * options.segmentBytes()) { // files are forced, and so cut, in the background
                log.cursors().release(log.segments());
                Thread.onSpinWait();
            }
            assertThat(stuck.sequence()).isEqualTo(1);
        }
        for (int opened = 0; opened < 3; opened++) {
            try (RecordLog log = RecordLog.open(options, disk)) {
                assertThat(log.outcome().damagedPlaces()).isZero();
                assertThat(log.cursors().own().size()).isEqualTo(1 + opened);
                Logs.append(log, record(count + opened, 0));
                assertThat(log.cursors().get("late" + opened).size()).isEqualTo(2 + opened);
            }
        }
        try (RecordLog log = RecordLog.open(options, disk)) {
            assertThat(drain(log.cursors().own(), "")).containsExactly(0, count, count + 1, count + 2);
        }
    }

    private static long segmentBytes(FaultyFileIo disk) throws IOException {
        long bytes = 0;
        for (Path file : disk.list(Logs.FOLDER)) {
            if (!SegmentStore.isSegment(file)) {
                continue;
            }
            try (FileIo.DataFile open = disk.open(file, FileIo.Access.READ)) {
                bytes += open.size();
            } catch (NoSuchFileException deleted) {
                // since the folder was listed
            }
        }
        return bytes;
    }
}
