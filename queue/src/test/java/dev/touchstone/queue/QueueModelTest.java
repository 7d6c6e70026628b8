package dev.touchstone.queue;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random sequences of all operations, compared with a model in memory after each; {@code -Dseed} repeats one. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueueModelTest {
    private static final int STEPS = 1500;
    private static final int MAX_LEASES = 12;
    private static final int WIDE_WINDOW = 1000;

    @TempDir
    Path folder;

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .batch(64, 16 << 10, Duration.ofMillis(5))
                .leases(MAX_LEASES, Duration.ofHours(1))
                .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                .codec(Codec.utf8());
    }

    private static long seed() {
        return Long.getLong("seed", System.nanoTime());
    }

    private static QueueModel unlimited() {
        return new QueueModel(Long.MAX_VALUE, false, MAX_LEASES);
    }

    @ParameterizedTest
    @EnumSource
    void anyOperations_withoutLimits_agreeWithTheModel(Durability durability) {
        try (ModelRun run = new ModelRun(builder(durability), unlimited(), false, seed())) {
            run.steps(STEPS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOperations_withRetention_agreeWithTheModelAndReplayEverything(Durability durability) {
        DiskQueueBuilder<String> retaining = builder(durability).retain(1L << 40, Duration.ofDays(1000));
        try (ModelRun run = new ModelRun(retaining, unlimited(), true, seed())) {
            run.steps(STEPS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOperations_whereAFullQueueRejects_agreeWithTheModel(Durability durability) {
        DiskQueueBuilder<String> limited = builder(durability).maxElements(30).whenFull(WhenFull.REJECT);
        try (ModelRun run = new ModelRun(limited, new QueueModel(30, false, MAX_LEASES), false, seed())) {
            run.steps(STEPS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOperations_whereAFullQueueDropsItsOldest_agreeWithTheModel(Durability durability) {
        DiskQueueBuilder<String> limited = builder(durability).maxElements(30).whenFull(WhenFull.DROP_OLDEST);
        try (ModelRun run = new ModelRun(limited, new QueueModel(30, true, MAX_LEASES), false, seed())) {
            run.steps(STEPS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOperations_wideLeaseWindow_agreeWithTheModel(Durability durability) {
        DiskQueueBuilder<String> wide = builder(durability).leases(WIDE_WINDOW, Duration.ofHours(1));
        QueueModel model = new QueueModel(Long.MAX_VALUE, false, WIDE_WINDOW);
        try (ModelRun run = new ModelRun(wide, model, false, seed())) {
            run.steps(STEPS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOperations_withCompression_agreeWithTheModelAndReplayEverything(Durability durability) {
        DiskQueueBuilder<String> compressing = builder(durability).compression(Compression.deflate());
        DiskQueueBuilder<String> retaining = compressing.retain(1L << 40, Duration.ofDays(1000));
        try (ModelRun run = new ModelRun(compressing, unlimited(), false, seed())) {
            run.steps(STEPS);
        }
        try (ModelRun run = new ModelRun(retaining.folder(folder.resolve("retaining")), unlimited(), true, seed())) {
            run.steps(STEPS);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void anyOperations_manyMore_agreeWithTheModel(Durability durability) {
        try (ModelRun run = new ModelRun(builder(durability), unlimited(), false, seed())) {
            run.steps(40 * STEPS);
        }
    }
}
