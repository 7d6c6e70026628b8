package dev.touchstone.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.queue.log.LogOptions.Commit;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left of a log after the power was cut, the process killed, or a write refused, at any operation. */
@Tag("sweep")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PowerCutTest {
    private static final int ROUNDS = Integer.getInteger("touchstone.rounds", 150);
    private static final int CUTS = 4;

    /** Compresses segments in every other round. */
    private static LogOptions options(Commit commit, int round) {
        return Logs.compressing(Logs.options(commit), round % 2 == 0);
    }

    /** A run of appends and removals until the disk refuses, and what was acknowledged by then. */
    private static final class Run {
        final SplittableRandom random;
        final List<Integer> accepted = new ArrayList<>();
        int appended;
        int acknowledged;
        int removed;
        /** One more where the removal itself was refused: it may have been written all the same. */
        int mayBeRemoved;

        Run(SplittableRandom random) {
            this.random = random;
        }

        void go(RecordLog log, int steps) {
            try {
                for (int i = 0; i < steps; i++) {
                    if (random.nextInt(4) > 0) {
                        Logs.append(log, record(appended++));
                        acknowledged = appended;
                        accepted.add(appended - 1);
                    } else {
                        mayBeRemoved = removed + 1;
                        removed += Logs.poll(log) == null ? 0 : 1;
                        mayBeRemoved = removed;
                    }
                }
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("injected");
            }
        }

        private byte[] record(int number) {
            return ByteBuffer.allocate(Integer.BYTES + random.nextInt(2000))
                    .putInt(number)
                    .array();
        }
    }

    private static RecordLog reopen(Commit commit, FaultyFileIo disk, String what) {
        try {
            return RecordLog.open(options(commit, 1), disk);
        } catch (IOException e) {
            throw new AssertionError(what, e);
        }
    }

    private static List<Integer> drain(RecordLog log, String what) {
        List<Integer> numbers = new ArrayList<>();
        try {
            for (byte[] p = Logs.poll(log); p != null; p = Logs.poll(log)) {
                numbers.add(ByteBuffer.wrap(p).getInt());
            }
            return numbers;
        } catch (IOException e) {
            throw new AssertionError(what + ": read " + numbers, e);
        }
    }

    /** Ends the threads of a log whose disk is gone. */
    private static void closeQuietly(RecordLog log) {
        try {
            log.close();
        } catch (IOException expected) {
            assertThat(expected).hasMessageContaining("injected");
        }
    }

    private static void assertConsecutive(List<Integer> numbers, String what) {
        for (int i = 1; i < numbers.size(); i++) {
            assertThat(numbers.get(i)).as(what).isEqualTo(numbers.get(i - 1) + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void powerCut_atAnyOperation_keepsWhatWasPromised(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        for (int round = 0; round < ROUNDS; round++) {
            String what = "seed=" + seed + " round=" + round + " " + commit;
            Run run = new Run(new SplittableRandom(seed + round));
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(options(commit, round), disk);
            disk.failAt(1 + run.random.nextInt(300), true);
            run.go(log, 400);
            List<FaultyFileIo> cuts = new ArrayList<>();
            for (int cut = 0; cut < CUTS; cut++) {
                cuts.add(disk.afterPowerCut(run.random));
            }
            closeQuietly(log);
            for (FaultyFileIo after : cuts) {
                assertKept(commit, run, after, what + " at " + after + " from " + disk);
            }
        }
    }

    private static void assertKept(Commit commit, Run run, FaultyFileIo after, String what) throws IOException {
        List<Integer> left;
        try (RecordLog again = reopen(commit, after, what)) {
            Logs.append(again, run.record(run.appended));
            left = drain(again, what);
        }
        assertThat(left).as(what).endsWith(run.appended);
        left = left.subList(0, left.size() - 1);
        assertConsecutive(left, what);
        if (commit == Commit.DEVICE && run.mayBeRemoved < run.acknowledged) {
            assertThat(left).as(what).contains(run.acknowledged - 1);
            assertThat(left.get(0)).as(what).isLessThanOrEqualTo(run.mayBeRemoved);
        }
        if (!left.isEmpty()) {
            assertThat(left.get(0)).as(what).isLessThanOrEqualTo(Math.max(run.mayBeRemoved, run.acknowledged));
        }
    }

    @ParameterizedTest
    @EnumSource
    void kill_atAnyOperation_keepsWhatWasWrittenAndRemoved(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        for (int round = 0; round < ROUNDS; round++) {
            String what = "seed=" + seed + " round=" + round + " " + commit;
            Run run = new Run(new SplittableRandom(seed + round));
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(options(commit, round), disk);
            run.go(log, run.random.nextInt(300));
            FaultyFileIo after = disk.afterKill();
            closeQuietly(log);
            try (RecordLog again = reopen(commit, after, what)) {
                List<Integer> left = drain(again, what);
                assertConsecutive(left, what);
                if (commit != Commit.MEMORY && run.removed < run.acknowledged) {
                    assertThat(left.get(0)).as(what).isEqualTo(run.removed);
                    assertThat(left).as(what).hasSize(run.acknowledged - run.removed);
                } else if (commit == Commit.MEMORY && run.acknowledged - run.removed > 64) {
                    assertThat(left.get(left.size() - 1)).as(what).isGreaterThanOrEqualTo(run.acknowledged - 65);
                }
            }
        }
    }

    /** A synced log must be opened again; the others go on, because a write to the page cache can be repeated. */
    @ParameterizedTest
    @EnumSource
    void append_afterAnythingWasRefusedOnce_losesNothingThatWasAccepted(Commit commit) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        int wentOn = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String what = "seed=" + seed + " round=" + round + " " + commit;
            Run run = new Run(new SplittableRandom(seed + round));
            FaultyFileIo disk = new FaultyFileIo();
            RecordLog log = RecordLog.open(options(commit, round), disk);
            disk.failAt(1 + run.random.nextInt(40), false);
            run.go(log, 400);
            List<Integer> accepted = new ArrayList<>(run.accepted);
            try {
                Logs.append(log, run.record(1_000_000));
                log.flush();
                accepted.add(1_000_000);
                wentOn++;
            } catch (LogFailedException ended) {
                assertThatThrownBy(() -> Logs.append(log, run.record(0)))
                        .as(what)
                        .isInstanceOf(LogFailedException.class);
                assertThatThrownBy(log::flush).as(what).isInstanceOf(LogFailedException.class);
            }
            assertThat(log.size()).as(what).isNotNegative();
            FaultyFileIo after = disk.afterKill();
            closeQuietly(log);
            try (RecordLog again = reopen(commit, after, what)) {
                List<Integer> left = drain(again, what);
                assertThat(left).as(what).isSorted().doesNotHaveDuplicates();
                if (commit != Commit.MEMORY) {
                    accepted.removeIf(number -> number < run.mayBeRemoved);
                    assertThat(left).as(what).containsAll(accepted);
                }
            }
        }
        if (commit != Commit.DEVICE) {
            assertThat(wentOn).as("seed=%d", seed).isPositive();
        }
    }
}
