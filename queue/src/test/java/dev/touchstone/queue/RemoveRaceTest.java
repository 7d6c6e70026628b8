package dev.touchstone.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several threads remove the same element: one of them is told that it did. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoveRaceTest {
    private static final int THREADS = 3;
    private static final int ELEMENTS = 400;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void remove_ofOneElementByManyThreads_isTrueOnce(Durability durability) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (DiskQueue<String> queue = DiskQueueBuilder.of(durability)
                .folder(folder)
                .codec(Codec.utf8())
                .open()) {
            for (int i = 0; i < ELEMENTS; i++) {
                queue.add("e" + i);
            }
            CyclicBarrier together = new CyclicBarrier(THREADS);
            List<Future<Integer>> counts = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                counts.add(threads.submit(() -> {
                    int removed = 0;
                    for (int i = 0; i < ELEMENTS; i++) {
                        together.await(60, TimeUnit.SECONDS);
                        removed += queue.remove("e" + i) ? 1 : 0;
                    }
                    return removed;
                }));
            }
            int sum = 0;
            for (Future<Integer> count : counts) {
                sum += count.get(90, TimeUnit.SECONDS);
            }
            assertThat(sum).isEqualTo(ELEMENTS);
            assertThat(queue).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }
}
