package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.queue.log.FaultyFileIo;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The storage beside a list of entries, under random changes and openings. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SegmentLogStorageModelTest {
    private static final int ROUNDS = Integer.getInteger("touchstone.rounds", 60);
    private static final int STEPS = 200;

    @Test
    void steps_random_leaveWhatTheListHas() {
        long seed = Long.getLong("seed", System.nanoTime());
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = new SplittableRandom(seed + round);
            FaultyFileIo disk = new FaultyFileIo();
            LogSteps steps = new LogSteps(random);
            SegmentLogStorage storage = LogEntries.open(disk);
            for (int step = 0; step < STEPS; step++) {
                String what = "seed=" + seed + " round=" + round + " step=" + step;
                assertThat(steps.step(storage))
                        .as(what + " " + steps.lastStep())
                        .isTrue();
                what += " after " + steps.lastStep();
                assertThat(storage.getFirstLogIndex())
                        .as(what)
                        .isEqualTo(steps.content().first());
                assertThat(storage.getLastLogIndex())
                        .as(what)
                        .isEqualTo(steps.content().last());
                if (random.nextInt(10) == 0) {
                    assertThat(LogContent.of(storage, what)).as(what).isEqualTo(steps.content());
                }
                if (random.nextInt(20) == 0) {
                    storage.shutdown();
                    storage = LogEntries.open(disk, what);
                }
            }
            storage.shutdown();
        }
    }
}
