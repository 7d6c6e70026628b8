package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a queue may grow to, and what it keeps. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LimitTest {
    private static final int HEADER_BYTES = 16;

    @TempDir
    Path folder;

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .codec(Codec.utf8());
    }

    @ParameterizedTest
    @EnumSource
    void offer_byManyThreadsToARejectingQueue_neverGoesOverTheLimit(Durability durability) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (DiskQueue<String> queue =
                builder(durability).maxElements(10).whenFull(WhenFull.REJECT).open()) {
            List<Future<Integer>> stored = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                stored.add(threads.submit(() -> {
                    int count = 0;
                    for (int i = 0; i < 300; i++) {
                        count += queue.offer("e" + i) ? 1 : 0;
                        assertThat(queue.longSize()).isLessThanOrEqualTo(10);
                        if (i % 3 == 0) {
                            queue.poll();
                        }
                    }
                    return count;
                }));
            }
            long sum = 0;
            for (Future<Integer> count : stored) {
                sum += count.get(60, TimeUnit.SECONDS);
            }
            QueueStats stats = queue.stats();
            assertThat(stats.appended()).isEqualTo(sum);
            assertThat(stats.rejected()).isEqualTo(1200 - sum);
            assertThat(stats.appended() - stats.polled()).isEqualTo(queue.size());
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void offer_toAFullQueueThatRejects_tellsTheHandler(Durability durability) {
        List<Object> told = new ArrayList<>();
        try (DiskQueue<String> queue = builder(durability)
                .maxElements(2)
                .whenFull(WhenFull.REJECT)
                .onRejected(told::add)
                .open()) {
            assertThat(queue.offerAll(List.of("a", "b"))).isTrue();
            assertThat(queue.offer("c")).isFalse();
            assertThat(queue.offerAsync("d").toCompletableFuture().join()).isFalse();
            assertThat(queue.offerAll(List.of("e", "f"))).isFalse();
            assertThatThrownBy(() -> queue.add("g")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> queue.addAll(List.of("h"))).isInstanceOf(IllegalStateException.class);
            assertThat(told).containsExactly("c", "d", List.of("e", "f"), "g", List.of("h"));
            assertThat(queue.stats().rejected()).isEqualTo(5);
            assertThat(queue).containsExactly("a", "b");
        }
    }

    @ParameterizedTest
    @EnumSource
    void offer_toAFullQueueThatDrops_keepsTheNewestAndWhatIsOnLease(Durability durability) {
        try (DiskQueue<String> queue = builder(durability)
                .maxElements(3)
                .whenFull(WhenFull.DROP_OLDEST)
                .open()) {
            for (int i = 0; i < 100; i++) {
                assertThat(queue.offer("e" + i)).isTrue();
            }
            assertThat(queue).containsExactly("e97", "e98", "e99");
            assertThat(queue.stats().dropped()).isEqualTo(97);
            for (int i = 0; i < 3; i++) {
                requireNonNull(queue.lease());
            }
            assertThat(queue.offer("late")).isFalse();
            assertThat(queue).containsExactly("e97", "e98", "e99");
        }
    }

    @ParameterizedTest
    @EnumSource
    void dropOldest_beforeElementsThatWaitForTheirTime_dropsThese(Durability durability) {
        try (DiskQueue<String> queue = builder(durability)
                .maxElements(3)
                .whenFull(WhenFull.DROP_OLDEST)
                .open()) {
            assertThat(queue.offer("later", Duration.ofHours(1))).isTrue();
            assertThat(queue.offerAll(List.of("b", "c", "d"))).isTrue();
            assertThat(queue).containsExactly("b", "c", "d");
            assertThat(queue.stats().dropped()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(WhenFull.class)
    void offerAll_ofMoreThanTheLimit_isRefusedAndRemovesNothing(WhenFull policy) {
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).maxElements(2).whenFull(policy).open()) {
            queue.add("a");
            assertThatThrownBy(() -> queue.offerAll(List.of("b", "c", "d")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(queue).containsExactly("a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void maxBytes_countsHeadersAndPadding(Durability durability) {
        int each = HEADER_BYTES + 24; // 20 bytes of payload, padded
        try (DiskQueue<String> queue = builder(durability)
                .maxBytes(5L * each)
                .whenFull(WhenFull.REJECT)
                .open()) {
            for (int i = 0; i < 5; i++) {
                assertThat(queue.offer("x".repeat(20))).isTrue();
            }
            assertThat(queue.offer("")).isFalse();
            queue.remove();
            assertThat(queue.offer("x".repeat(25))).isFalse();
            assertThat(queue.offer("x".repeat(24))).isTrue();
        }
        try (DiskQueue<String> queue = builder(durability)
                .maxBytes(5L * each)
                .whenFull(WhenFull.REJECT)
                .open()) {
            assertThat(queue.offer("")).isFalse();
            queue.remove();
            assertThat(queue.offer("")).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void maxBytes_overOpensBehindAnElementThatStays_isKept(Durability durability) {
        long limit = 300L << 10;
        String element = "x".repeat(1000);
        for (int opened = 0; opened < 5; opened++) {
            try (DiskQueue<String> queue = builder(durability)
                    .maxBytes(limit)
                    .whenFull(WhenFull.REJECT)
                    .open()) {
                long accepted = 0;
                while (queue.offer(element)) {
                    accepted++;
                }
                assertThat(accepted)
                        .as("opened " + opened)
                        .isEqualTo(opened == 0 ? limit / (HEADER_BYTES + element.length()) : 0);
                for (long sequence = 2; sequence < queue.stats().nextSequence(); sequence++) {
                    queue.remove(sequence);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(WhenFull.class)
    void maxBytes_ofAnEmptyQueue_takesOneElementWhateverItsLength(WhenFull policy) {
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).maxBytes(100).whenFull(policy).open()) {
            assertThat(queue.offer("x".repeat(5000))).isTrue();
            assertThat(queue.poll()).hasSize(5000);
            assertThat(queue.offer("x".repeat(6000))).isTrue();
            if (policy == WhenFull.REJECT) {
                assertThat(queue.offer("y")).isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void offer_byManyThreadsThatBlock_losesNothingAndKeepsToTheLimits(Durability durability) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(5);
        try (DiskQueue<String> queue =
                builder(durability).maxElements(4).maxBytes(2000).open()) {
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int length = 100 + 400 * t;
                done.add(threads.submit(() -> {
                    for (int i = 0; i < 100; i++) {
                        assertThat(queue.offer("x".repeat(length))).isTrue();
                    }
                }));
            }
            for (int taken = 0; taken < 400; taken++) {
                assertThat(queue.poll(Duration.ofSeconds(60)))
                        .as("element %d", taken)
                        .isNotNull();
                assertThat(queue.size()).isLessThanOrEqualTo(4);
            }
            for (Future<?> each : done) {
                each.get(60, TimeUnit.SECONDS);
            }
            assertThat(queue).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void minFreeBytes_thatNoDiskHas_countsAsFull(Durability durability) {
        try (DiskQueue<String> queue = builder(durability)
                .minFreeBytes(Long.MAX_VALUE)
                .whenFull(WhenFull.REJECT)
                .open()) {
            assertThat(queue.offer("a")).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void retain_ofSomeBytes_replaysWhatWasRemovedLast(Durability durability) {
        int count = 300;
        DiskQueueBuilder<String> builder = builder(durability).retain(4 * (64L << 10), Duration.ofDays(1));
        try (DiskQueue<String> queue = builder.open()) {
            for (int i = 0; i < count; i++) {
                queue.add(i + ":" + "x".repeat(4000));
                queue.remove();
            }
            Waits.until("segments taken back", () -> queue.stats().segments() <= 5);
            checkReplay(queue, count);
        }
        try (DiskQueue<String> queue = builder.open()) {
            assertThat(queue).isEmpty();
            Waits.until("segments taken back", () -> queue.stats().segments() <= 5);
            checkReplay(queue, count);
        }
    }

    private static void checkReplay(DiskQueue<String> queue, int count) {
        long oldest = queue.stats().oldestSequence();
        assertThat(oldest).isBetween(2L, count - 30L);
        Iterator<String> replay = queue.iterator(oldest);
        for (long sequence = oldest; sequence <= count; sequence++) {
            assertThat(replay.next()).startsWith((sequence - 1) + ":");
        }
        assertThat(replay.hasNext()).isFalse();
        assertThatThrownBy(replay::remove).isInstanceOf(UnsupportedOperationException.class);
        List<Long> visited = new ArrayList<>();
        assertThat(queue.visit(count - 4L, (sequence, payload) -> {
                    assertThat(payload.remaining()).isEqualTo(4004);
                    return visited.add(sequence) && visited.size() < 3;
                }))
                .isEqualTo(3);
        assertThat(visited).containsExactly(count - 4L, count - 3L, count - 2L);
    }

    /** A consumer that keeps up takes the last element of a file before anybody knows that it is the last. */
    @ParameterizedTest
    @EnumSource
    void files_ofAConsumerThatKeepsUp_areTakenBack(Durability durability) {
        try (DiskQueue<String> queue = builder(durability).open()) {
            for (int i = 0; i < 500; i++) {
                queue.add("x".repeat(4000));
                queue.remove();
            }
            Waits.until("segments taken back", () -> queue.stats().segments() <= 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void retain_forAShortTime_givesTheFilesBack(Durability durability) {
        try (DiskQueue<String> queue =
                builder(durability).retain(1L << 40, Duration.ofMillis(50)).open()) {
            for (int i = 0; i < 100; i++) {
                queue.add("x".repeat(4000));
                queue.remove();
            }
            Waits.until("segments taken back", () -> queue.stats().segments() <= 2);
        }
    }
}
