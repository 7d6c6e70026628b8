package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.log.FaultyFileIo;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Looks at the log that is left after the power was cut, the process killed, or a write refused, at any operation, several times in turn. */
@Tag("sweep")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SegmentLogStoragePowerCutTest {
    private static final int ROUNDS = Integer.getInteger("touchstone.rounds", 400);
    private static final int GENERATIONS = 6;
    private static final int MAX_STEPS = 60;

    @Test
    void powerCut_atAnyOperation_keepsWhatWasAcknowledged() {
        long seed = Long.getLong("seed", System.nanoTime());
        int failedSteps = 0;
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = new SplittableRandom(seed + round);
            LogSteps steps = new LogSteps(random);
            FaultyFileIo disk = new FaultyFileIo();
            for (int generation = 0; generation < GENERATIONS; generation++) {
                String what = "seed=" + seed + " round=" + round + " generation=" + generation;
                disk.failAt(1 + random.nextInt(random.nextBoolean() ? 12 : 80), true);
                SegmentLogStorage storage = LogEntries.storage(disk);
                if (LogEntries.init(storage)) {
                    int left = MAX_STEPS;
                    while (left > 0 && steps.step(storage)) {
                        left--;
                    }
                    failedSteps += left > 0 ? 1 : 0;
                }
                disk = disk.afterPowerCut(random);
                what += " after " + steps.lastStep() + " at " + disk;
                SegmentLogStorage again = LogEntries.open(disk, what);
                LogContent found = LogContent.of(again, what);
                assertThat(steps.possible()).as(what).contains(found);
                steps.settle(found);
                if (random.nextBoolean()) {
                    again.shutdown();
                } else {
                    disk = disk.afterPowerCut(random);
                }
            }
        }
        assertThat(failedSteps).as("seed=%d", seed).isGreaterThan(ROUNDS);
    }

    @Test
    void step_afterAnythingWasRefusedOnce_losesNothingThatWasAcknowledged() {
        long seed = Long.getLong("seed", System.nanoTime());
        int refused = 0;
        int ended = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String what = "seed=" + seed + " round=" + round;
            SplittableRandom random = new SplittableRandom(seed + round);
            LogSteps steps = new LogSteps(random);
            FaultyFileIo disk = new FaultyFileIo();
            SegmentLogStorage storage = LogEntries.open(disk, what);
            disk.failAt(1 + random.nextInt(150), false);
            for (int step = 0; step < MAX_STEPS && storage.failure() == null; step++) {
                if (!steps.step(storage) && storage.failure() == null) {
                    assertThat(LogContent.of(storage, what)).as(what).isEqualTo(steps.content());
                    steps.settle(steps.content());
                    refused++;
                }
            }
            if (storage.failure() != null) {
                ended++;
                int operations = disk.operations();
                assertRefusesAll(storage, what);
                assertThat(disk.operations()).as(what).isEqualTo(operations);
            }
            FaultyFileIo after = random.nextBoolean() ? disk.afterKill() : disk.afterPowerCut(random);
            LogContent found = LogContent.of(LogEntries.open(after, what), what);
            assertThat(steps.possible()).as(what + " " + steps.lastStep()).contains(found);
        }
        assertThat(refused).as("seed=%d", seed).isPositive();
        assertThat(ended).as("seed=%d", seed).isGreaterThan(ROUNDS / 4);
    }

    private static void assertRefusesAll(SegmentLogStorage storage, String what) {
        long next = storage.getLastLogIndex() + 1;
        assertThat(storage.failure()).as(what).hasMessageContaining("injected");
        assertThat(storage.appendEntries(LogEntries.data(next, 2, 1_000)))
                .as(what)
                .isZero();
        assertThat(storage.appendEntry(LogEntries.data(next, 1_000))).as(what).isFalse();
        assertThat(storage.truncateSuffix(next - 2)).as(what).isFalse();
        assertThat(storage.truncatePrefix(next)).as(what).isFalse();
        assertThat(storage.reset(next)).as(what).isFalse();
    }
}
