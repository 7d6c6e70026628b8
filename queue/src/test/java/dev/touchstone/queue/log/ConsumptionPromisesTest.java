package dev.touchstone.queue.log;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.consume.LogLease;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cells of the table of guarantees in docs/queue.md that no sweep has: delivery counts, delays, cursors, and the bound of batched logs. */
@Tag("sweep")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsumptionPromisesTest {
    private static final int CUTS = 40;
    private static final Duration LONG = Duration.ofHours(1);

    private static void assertDeliveries(FaultyFileIo image, Commit commit, int expected, String what)
            throws IOException {
        try (RecordLog log = RecordLog.open(Logs.options(commit), image)) {
            LogCursor own = log.cursors().own();
            assertThat(own.size()).as(what).isGreaterThanOrEqualTo(2);
            LogLease first = requireNonNull(own.lease());
            if (expected == 0) { // given back with a delay, so another comes first
                assertThat(first.sequence()).as(what).isEqualTo(2);
            } else {
                assertThat(first.sequence()).as(what).isEqualTo(1);
                assertThat(first.deliveries()).as(what).isEqualTo(expected);
            }
        }
    }

    /** Leases the first record {@code times} times, the last of them without an end. */
    private static LogLease leaseFirst(RecordLog log, int times) throws IOException {
        Logs.append(log, new byte[100]);
        Logs.append(log, new byte[100]);
        LogLease lease = requireNonNull(log.cursors().own().lease());
        for (int i = 1; i < times; i++) {
            assertThat(lease.giveBack(Duration.ZERO)).isTrue();
            lease = requireNonNull(log.cursors().own().lease());
        }
        return lease;
    }

    @ParameterizedTest
    @EnumSource(names = {"DEVICE", "PAGE_CACHE"})
    void kill_afterALease_keepsItsCountAndDelay(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            LogLease lease = leaseFirst(log, 3);
            assertDeliveries(disk.afterKill(), commit, 4, "on lease");
            assertThat(lease.giveBack(LONG)).isTrue();
            assertDeliveries(disk.afterKill(), commit, 0, "given back");
        }
    }

    @ParameterizedTest
    @EnumSource
    void powerCut_afterALeaseAndAForce_keepsItsCountAndDelay(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            LogLease lease = leaseFirst(log, 3);
            force(log, commit);
            for (int cut = 0; cut < CUTS; cut++) {
                assertDeliveries(disk.afterPowerCut(random), commit, 4, commit + " on lease, seed=" + seed);
            }
            assertThat(lease.giveBack(LONG)).isTrue();
            force(log, commit);
            for (int cut = 0; cut < CUTS; cut++) {
                assertDeliveries(disk.afterPowerCut(random), commit, 0, commit + " given back, seed=" + seed);
            }
        }
    }

    /** An append to a log that writes through carries consumption to the device; any other needs a flush. */
    private static void force(RecordLog log, Commit commit) throws IOException {
        if (commit == Commit.DEVICE) {
            Logs.append(log, new byte[100]);
        } else {
            log.flush();
        }
    }

    @ParameterizedTest
    @EnumSource
    void powerCut_afterACursorIsMadeOrDropped_knowsIt(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            Logs.append(log, new byte[100]);
            LogCursor unused = log.cursors().get("audit");
            assertNames(disk, commit, random, List.of("audit"), seed);
            assertThat(log.cursors().drop("audit")).isTrue();
            assertNames(disk, commit, random, List.of(), seed);
        }
    }

    private static void assertNames(
            FaultyFileIo disk, Commit commit, SplittableRandom random, List<String> names, long seed)
            throws IOException {
        for (int cut = 0; cut < CUTS; cut++) {
            try (RecordLog log = RecordLog.open(Logs.options(commit), disk.afterPowerCut(random))) {
                assertThat(log.cursors().names())
                        .as("%s seed=%d", commit, seed)
                        .containsExactlyInAnyOrderElementsOf(names);
            }
        }
    }

    @Test
    void kill_ofALogThatDefers_undoesABoundedNumberOfAcknowledgements() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        FaultyFileIo disk = new FaultyFileIo();
        int count = 3000;
        int most = 0;
        try (RecordLog log = RecordLog.open(Logs.options(Commit.MEMORY), disk)) {
            List<LogLease> leases = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Logs.append(log, new byte[16]);
                leases.add(requireNonNull(log.cursors().own().lease()));
            }
            Collections.shuffle(leases, random);
            for (int acknowledged = 1; acknowledged <= count; acknowledged++) {
                assertThat(leases.get(acknowledged - 1).acknowledge()).isTrue();
                if (acknowledged % 97 == 0) {
                    try (RecordLog killed = RecordLog.open(Logs.options(Commit.MEMORY), disk.afterKill())) {
                        long back = killed.cursors().own().size() - (count - acknowledged);
                        assertThat(back)
                                .as("seed=%d acknowledged=%d", seed, acknowledged)
                                .isBetween(0L, 1024L);
                        most = (int) Math.max(most, back);
                    }
                }
            }
        }
        assertThat(most).as("seed=%d", seed).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void poll_ofWhichAWriteFails_leavesTheRecord(Commit commit) throws IOException {
        int count = 2200;
        int failures = 0;
        for (int failAt = 1; failAt <= 8; failAt++) {
            FaultyFileIo disk = new FaultyFileIo();
            Set<Integer> got = new HashSet<>();
            try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
                for (int i = 0; i < count; i++) {
                    Logs.append(
                            log, ByteBuffer.allocate(Integer.BYTES).putInt(i).array());
                }
                log.flush();
                disk.failAt((failAt + 1) / 2, failAt % 2 == 0);
                for (int i = 0; i < count - 100; i++) {
                    try {
                        byte[] polled = Logs.poll(log);
                        assertThat(got.add(
                                        ByteBuffer.wrap(requireNonNull(polled)).getInt()))
                                .isTrue();
                    } catch (IOException injected) {
                        failures++;
                    }
                }
            } catch (IOException failedLog) {
                failures++;
            }
            try (RecordLog again = RecordLog.open(Logs.options(commit), disk.afterKill())) {
                for (byte[] left = Logs.poll(again); left != null; left = Logs.poll(again)) {
                    got.add(ByteBuffer.wrap(left).getInt());
                }
            }
            assertThat(got).as("failAt=%d", failAt).hasSize(count);
        }
        assertThat(failures).isPositive();
    }

    @Test
    void checkpoint_thatCannotBeForced_endsTheLog() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        RecordLog log = RecordLog.open(Logs.options(Commit.DEVICE), disk);
        Logs.append(log, new byte[1]);
        boolean failed = false;
        for (int n = 1; n <= 4 && !failed; n++) {
            disk.failAt(n, false);
            try {
                log.cursors().get("named" + n);
            } catch (LogFailedException forced) {
                failed = true;
                assertThatThrownBy(() -> Logs.append(log, new byte[1])).isInstanceOf(LogFailedException.class);
                assertThatThrownBy(() -> Logs.poll(log)).isInstanceOf(LogFailedException.class);
                assertThatThrownBy(() -> log.cursors().get("another")).isInstanceOf(LogFailedException.class);
            } catch (LogRefusedException written) {
                assertThat(log.cursors().names()).doesNotContain("named" + n);
            }
        }
        assertThat(failed).isTrue();
        assertThatThrownBy(log::close).isInstanceOf(IOException.class);
    }

    /** More than one batch carries: what has no room there is forced before the append returns. */
    @Test
    void powerCut_afterASyncedAppend_keepsMoreAcknowledgementsThanABatchCarries() throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        int count = 900;
        List<FaultyFileIo> cuts = new ArrayList<>();
        try (RecordLog log = RecordLog.open(Logs.options(Commit.DEVICE), disk)) {
            List<LogLease> leases = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Logs.append(log, new byte[16]);
                leases.add(requireNonNull(log.cursors().own().lease()));
            }
            for (int i = 1; i < count; i += 2) {
                assertThat(leases.get(i).acknowledge()).isTrue();
            }
            Logs.append(log, new byte[16]);
            for (int seed = 0; seed < 20; seed++) {
                cuts.add(disk.afterPowerCut(new SplittableRandom(seed)));
            }
        }
        for (int seed = 0; seed < cuts.size(); seed++) {
            try (RecordLog again = RecordLog.open(Logs.options(Commit.DEVICE), cuts.get(seed))) {
                assertThat(again.cursors().own().size()).as("seed=%d", seed).isEqualTo(count / 2 + 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_afterACleanCloseWithEitherCursorFileLost_knowsAll(Commit commit) throws IOException {
        for (String lost : List.of("CURSOR-a", "CURSOR-b")) {
            FaultyFileIo disk = new FaultyFileIo();
            try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
                for (int i = 0; i < 10; i++) {
                    Logs.append(log, new byte[16]);
                }
                LogCursor named = log.cursors().get("named");
                for (int i = 1; i < 10; i += 2) {
                    assertThat(log.cursors().own().remove(i)).isTrue();
                    assertThat(named.poll()).isNotNull();
                }
            }
            try (FileIo.DataFile file = disk.open(Logs.FOLDER.resolve(lost), FileIo.Access.WRITE)) {
                file.truncate(100);
            }
            LogOptions skipping = Logs.onDamage(Logs.options(commit), damage -> LogOptions.OnDamage.SKIP);
            try (RecordLog again = RecordLog.open(skipping, disk)) {
                assertThat(again.outcome().damagedPlaces()).as(lost).isEqualTo(1);
                assertThat(again.cursors().own().size()).as(lost).isEqualTo(5);
                assertThat(again.cursors().names()).as(lost).containsExactly("named");
                assertThat(again.cursors().get("named").size()).as(lost).isEqualTo(5);
            }
        }
    }

    /** A cut checkpoint is told in either file; cut entries only in the newer one, as those of the older are not needed. */
    @ParameterizedTest
    @EnumSource
    void open_afterAKillWithACutCursorFile_tellsWhatItMayHaveCost(Commit commit) throws IOException {
        FaultyFileIo disk = new FaultyFileIo();
        try (RecordLog log = RecordLog.open(Logs.options(commit), disk)) {
            for (int i = 0; i < 10; i++) {
                Logs.append(log, new byte[16]);
            }
            LogCursor named = log.cursors().get("named");
            for (int i = 1; i < 10; i += 2) {
                assertThat(log.cursors().own().remove(i)).isTrue();
                assertThat(named.poll()).isNotNull();
            }
            log.flush();
            for (String cut : List.of("CURSOR-a", "CURSOR-b")) {
                for (int bytes : new int[] {0, 1, 100, 520, 600, 5000, 60_000}) {
                    FaultyFileIo killed = disk.afterKill();
                    try (FileIo.DataFile file = killed.open(Logs.FOLDER.resolve(cut), FileIo.Access.WRITE)) {
                        file.truncate(bytes);
                    }
                    List<CorruptLogException> told = new ArrayList<>();
                    LogOptions telling = Logs.onDamage(Logs.options(commit), damage -> {
                        told.add(damage);
                        return LogOptions.OnDamage.SKIP;
                    });
                    try (RecordLog again = RecordLog.open(telling, killed)) {
                        boolean whole = again.cursors().names().contains("named")
                                && again.cursors().own().size() == 5
                                && again.cursors().get("named").size() == 5;
                        assertThat(!told.isEmpty() || (whole && bytes > 100))
                                .as("%s cut to %d: told %s", cut, bytes, told)
                                .isTrue();
                        assertThat(again.outcome().damagedPlaces()).isEqualTo(told.size());
                    }
                }
            }
        }
    }
}
