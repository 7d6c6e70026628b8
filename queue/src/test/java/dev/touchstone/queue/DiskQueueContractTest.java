package dev.touchstone.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Spliterator;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every durability promises alike. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DiskQueueContractTest {
    private static final int SEGMENT_BYTES = 64 << 10;

    @TempDir
    Path folder;

    private DiskQueue<String> open(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(SEGMENT_BYTES)
                .codec(Codec.utf8())
                .open();
    }

    @ParameterizedTest
    @EnumSource
    void poll_afterOffers_givesElementsInOrder(Durability durability) {
        try (DiskQueue<String> queue = open(durability)) {
            for (int i = 0; i < 5000; i++) {
                assertThat(queue.offer("element-" + i)).isTrue();
            }
            assertThat(queue).hasSize(5000);
            for (int i = 0; i < 5000; i++) {
                assertThat(queue.peek()).isEqualTo("element-" + i);
                assertThat(queue.poll()).isEqualTo("element-" + i);
            }
            assertThat(queue.poll()).isNull();
            assertThat(queue.peek()).isNull();
            assertThat(queue.isEmpty()).isTrue();
        }
    }

    @Test
    void open_folderThatIsAFile_saysWhatToDo() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "not a queue");
        assertThatThrownBy(() -> DiskQueue.written().folder(file).open())
                .isInstanceOf(QueueException.class)
                .hasMessage("not a folder: path=" + file
                        + " expected=folder got=file; move the file away, or give another folder");
        assertThatThrownBy(
                        () -> DiskQueue.written().folder(file.resolve("below")).open())
                .isInstanceOf(QueueException.class)
                .hasMessageStartingWith("not a folder: path=" + file + " ");
    }

    @ParameterizedTest
    @EnumSource
    void open_afterEveryElementWasTaken_findsACleanEnd(Durability durability) {
        try (DiskQueue<String> queue = open(durability)) {
            queue.add("only");
            assertThat(queue.remove()).isEqualTo("only");
        }
        for (int session = 0; session < 4; session++) { // the second open finds no segment any more
            try (DiskQueue<String> queue = open(durability)) {
                assertThat(queue.recovery().clean()).as("session %d", session).isTrue();
                assertThat(queue.stats().nextSequence()).isEqualTo(2);
            }
        }
    }

    /**
     * The last element carries the leases before it to the device. With some numbers of elements they fill the segment, so that the next
     * one is begun and holds nothing when the queue is closed.
     */
    @ParameterizedTest
    @EnumSource
    void open_afterASegmentFilledByLeases_findsACleanEnd(Durability durability) {
        byte[] element = new byte[1000];
        for (int elements = 48; elements < 60; elements++) {
            DiskQueueBuilder<byte[]> builder = DiskQueueBuilder.of(durability)
                    .folder(folder.resolve("of-" + elements))
                    .segmentBytes(64 << 10);
            try (DiskQueue<byte[]> queue = builder.open()) {
                for (int i = 0; i < elements; i++) {
                    queue.add(element);
                }
                for (int i = 0; i < elements; i++) {
                    assertThat(queue.lease()).isNotNull();
                }
                queue.add(element);
            }
            try (DiskQueue<byte[]> queue = builder.open()) {
                assertThat(queue.recovery().clean()).as("elements %d", elements).isTrue();
                assertThat(queue).hasSize(elements + 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_afterClose_goesOnWhereItEnded(Durability durability) {
        int next = 0;
        int expected = 0;
        for (int session = 0; session < 8; session++) {
            try (DiskQueue<String> queue = open(durability)) {
                assertThat(queue.size()).isEqualTo(next - expected);
                for (int i = 0; i < 700; i++) {
                    queue.add("e" + next++);
                }
                for (int i = 0; i < 500 + 30 * session; i++) {
                    assertThat(queue.remove()).isEqualTo("e" + expected++);
                }
            }
        }
        try (DiskQueue<String> queue = open(durability)) {
            while (expected < next) {
                assertThat(queue.poll()).isEqualTo("e" + expected++);
            }
            assertThat(queue.poll()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyOperations_comparedWithArrayDeque_agree(Durability durability) {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        Queue<String> model = new ArrayDeque<>();
        DiskQueue<String> queue = open(durability);
        try {
            for (int i = 0; i < 4000; i++) {
                int choice = random.nextInt(100);
                if (choice < 50) {
                    String element = "x".repeat(random.nextInt(random.nextInt(50) == 0 ? 40_000 : 300)) + i;
                    model.add(element);
                    queue.add(element);
                } else if (choice < 90) {
                    assertThat(queue.poll()).as("seed=%d step=%d", seed, i).isEqualTo(model.poll());
                } else if (choice < 97) {
                    assertThat(queue.peek()).as("seed=%d step=%d", seed, i).isEqualTo(model.peek());
                } else if (choice < 98) {
                    assertThat(new ArrayList<>(queue))
                            .as("seed=%d step=%d", seed, i)
                            .isEqualTo(new ArrayList<>(model));
                } else if (choice < 99) {
                    queue.flush();
                } else {
                    queue.close();
                    queue = open(durability);
                }
                assertThat(queue.size()).as("seed=%d step=%d", seed, i).isEqualTo(model.size());
            }
        } finally {
            queue.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void offer_byManyThreadsWithOneConsumer_losesNothingAndKeepsEachProducersOrder(Durability durability)
            throws Exception {
        int producers = 8;
        int each = durability.compareTo(Durability.SYNCED) >= 0 ? 1500 : 20_000;
        ExecutorService threads = Executors.newFixedThreadPool(producers);
        try (DiskQueue<String> queue = open(durability)) {
            CyclicBarrier start = new CyclicBarrier(producers + 1);
            List<Future<?>> done = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                int producer = p;
                done.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < each; i++) {
                        queue.add(producer + ":" + i);
                    }
                    return null;
                }));
            }
            start.await();
            int[] next = new int[producers];
            for (int taken = 0; taken < producers * each; ) {
                String element = queue.poll();
                if (element == null) {
                    Thread.onSpinWait();
                    continue;
                }
                int colon = element.indexOf(':');
                int producer = Integer.parseInt(element, 0, colon, 10);
                assertThat(Integer.parseInt(element.substring(colon + 1))).isEqualTo(next[producer]++);
                taken++;
            }
            for (Future<?> future : done) {
                future.get(60, TimeUnit.SECONDS);
            }
            assertThat(queue.poll()).isNull();
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void poll_byManyThreads_givesEachElementOnce(Durability durability) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (DiskQueue<String> queue = open(durability)) {
            for (int i = 0; i < 4000; i++) {
                queue.add("e" + i);
            }
            var seen = ConcurrentHashMap.<String>newKeySet();
            List<Future<Integer>> counts = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                counts.add(threads.submit(() -> {
                    int count = 0;
                    for (String e = queue.poll(); e != null; e = queue.poll()) {
                        seen.add(e);
                        count++;
                    }
                    return count;
                }));
            }
            int total = 0;
            for (Future<Integer> count : counts) {
                total += count.get(60, TimeUnit.SECONDS);
            }
            assertThat(total).isEqualTo(4000);
            assertThat(seen).hasSize(4000);
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void offer_byInterruptedThread_acceptsAndKeepsTheInterrupt(Durability durability) {
        try (DiskQueue<String> queue = open(durability)) {
            for (int i = 0; i < 200; i++) { // over several segments
                Thread.currentThread().interrupt();
                queue.add("e".repeat(1000) + i);
                assertThat(queue.poll()).isEqualTo("e".repeat(1000) + i);
                if (i % 50 == 0) {
                    queue.flush();
                }
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_ofAnInterruptedThread_opens(Durability durability) {
        for (int i = 0; i < 2; i++) {
            Thread.currentThread().interrupt();
            try (DiskQueue<String> queue = open(durability)) {
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                assertThatThrownBy(() -> open(durability)).isInstanceOf(QueueLockedException.class);
                assertThat(queue.offer("element")).isTrue();
                assertThat(queue.poll()).isEqualTo("element");
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @Test
    void open_withACodecWhoseEqualsThrows_opens() {
        Codec<String> codec = new Codec<>() {
            @Override
            public byte[] encode(String element) {
                return element.getBytes(UTF_8);
            }

            @Override
            public String decode(byte[] payload) {
                return new String(payload, UTF_8);
            }

            @Override
            public boolean equals(@Nullable Object other) {
                throw new IllegalStateException("no two are compared");
            }

            @Override
            public int hashCode() {
                return 1;
            }
        };
        try (DiskQueue<String> queue =
                DiskQueue.written().folder(folder).codec(codec).open()) {
            queue.add("element");
            assertThat(queue.poll()).isEqualTo("element");
        }
        open(Durability.WRITTEN).close();
    }

    @ParameterizedTest
    @EnumSource
    void open_withSmallerLimits_keepsWhatIsThere(Durability durability) {
        try (DiskQueue<String> queue = open(durability)) {
            queue.add("x".repeat(30_000));
            queue.add("y");
        }
        try (DiskQueue<String> queue = DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(SEGMENT_BYTES)
                .maxRecordBytes(10)
                .codec(Codec.utf8())
                .open()) {
            assertThat(queue.poll()).hasSize(30_000);
            assertThat(queue.poll()).isEqualTo("y");
        }
    }

    @Test
    void offer_ofLargeAndSmallElementsThroughTinyBatches_losesNothing() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try (DiskQueue<byte[]> queue = DiskQueue.batched()
                .folder(folder)
                .segmentBytes(256 << 10)
                .batch(4, 16 << 10, Duration.ofMillis(1))
                .open()) {
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < 6; t++) {
                int size = t < 2 ? 30_000 : 20 + t;
                done.add(threads.submit(() -> {
                    for (int i = 0; i < 3000; i++) {
                        queue.add(new byte[size]);
                    }
                }));
            }
            int taken = 0;
            while (taken < 18_000) {
                taken += queue.poll() == null ? 0 : 1;
            }
            for (Future<?> future : done) {
                future.get(60, TimeUnit.SECONDS);
            }
            assertThat(queue.poll()).isNull();
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void iterator_whileElementsAreRemoved_skipsThemAndEnds(Durability durability) {
        try (DiskQueue<String> queue = open(durability)) {
            for (int i = 0; i < 3000; i++) {
                queue.add("element with some length to fill several segments " + i);
            }
            Iterator<String> iterator = queue.iterator();
            String first = iterator.next();
            for (int i = 0; i < 2000; i++) {
                queue.remove();
            }
            queue.add("later");
            int rest = 0;
            while (iterator.hasNext()) {
                iterator.next();
                rest++;
            }
            assertThat(first).endsWith(" 0");
            assertThat(rest).isBetween(1000, 1001);
            assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
            iterator.remove();
            assertThatThrownBy(iterator::remove).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void stream_besideAProducer_givesWhatWasThere(Durability durability) {
        try (DiskQueue<String> queue = open(durability)) {
            for (Collection<String> each : List.of(queue, queue.blocking())) {
                queue.add("there");
                Spliterator<String> begun = each.spliterator();
                assertThat(begun.hasCharacteristics(Spliterator.SIZED)).isFalse();
                assertThat(begun.getExactSizeIfKnown()).isNegative();
                List<String> given =
                        each.stream().peek(element -> queue.add("later")).toList();
                assertThat(given).containsOnlyOnce("there").hasSize(queue.size() / 2);
                queue.clear();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void elements_ofAnyLength_comeBackWhole(Durability durability) {
        try (DiskQueue<byte[]> queue = DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(2 << 20)
                .open()) {
            int[] lengths = {0, 1, 7, 8, 9, 511, 512, 513, 262_127, 262_128, 262_144, 262_145, 1_000_000, 2_088_960};
            for (int length : lengths) {
                queue.add("q".repeat(length).getBytes(UTF_8));
            }
            for (int length : lengths) {
                assertThat(queue.poll()).isEqualTo("q".repeat(length).getBytes(UTF_8));
            }
        }
    }

    @SuppressWarnings("NullAway") // null is what is tested
    @ParameterizedTest
    @EnumSource
    void badArguments_areNamed(Durability durability) {
        assertThatThrownBy(() -> DiskQueueBuilder.of(durability).open()).hasMessageContaining("folder");
        assertThatThrownBy(() -> DiskQueueBuilder.of(durability)
                        .folder(folder)
                        .segmentBytes(5)
                        .open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("segmentBytes=5");
        try (DiskQueue<String> queue = open(durability)) {
            assertThatThrownBy(() -> queue.add("x".repeat(SEGMENT_BYTES)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bytes=65536");
            assertThatThrownBy(() -> queue.offer(null)).isInstanceOf(NullPointerException.class);
            assertThat(queue).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void open_ofOpenQueue_isRefusedWithThePid(Durability durability) {
        try (DiskQueue<String> queue = open(durability)) {
            queue.add("mine");
            assertThatThrownBy(() -> DiskQueueBuilder.of(durability)
                            .folder(folder)
                            .lockTimeout(Duration.ofMillis(50))
                            .open())
                    .isInstanceOf(QueueLockedException.class)
                    .hasMessageContaining("pid=" + ProcessHandle.current().pid());
            assertThat(queue.poll()).isEqualTo("mine");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anyCall_afterClose_isRefused(Durability durability) {
        DiskQueue<String> queue = open(durability);
        queue.add("kept");
        queue.close();
        queue.close();
        assertThatThrownBy(() -> queue.add("late")).isInstanceOf(QueueClosedException.class);
        assertThatThrownBy(queue::poll).isInstanceOf(QueueClosedException.class);
        assertThatThrownBy(queue::flush).isInstanceOf(QueueClosedException.class);
        assertThatThrownBy(queue::iterator).isInstanceOf(QueueClosedException.class);
        assertThat(queue.size()).isEqualTo(1);
        try (DiskQueue<String> again = open(durability)) {
            assertThat(again).containsExactly("kept");
        }
    }

    @ParameterizedTest
    @EnumSource
    void clear_ofManyElements_leavesTheLaterOnes(Durability durability) {
        for (int session = 0; session < 3; session++) {
            try (DiskQueue<String> queue = open(durability)) {
                for (int round = 0; round < 5; round++) {
                    for (int i = 0; i < 300; i++) {
                        queue.add("z".repeat(1000));
                    }
                    queue.clear();
                    assertThat(queue).isEmpty();
                    assertThat(queue.poll()).isNull();
                    queue.add("after " + round);
                    assertThat(queue).containsExactly("after " + round);
                    assertThat(queue.poll()).isEqualTo("after " + round);
                }
                queue.add("last");
                queue.clear();
            }
        }
        try (DiskQueue<String> queue = open(durability)) {
            assertThat(queue.poll()).isNull();
            queue.add("first");
            assertThat(queue.poll()).isEqualTo("first");
        }
    }

    @ParameterizedTest
    @EnumSource
    void files_ofConsumedElements_areTakenBack(Durability durability) {
        try (DiskQueue<String> queue = open(durability)) {
            for (int round = 0; round < 20; round++) {
                for (int i = 0; i < 600; i++) {
                    queue.add("y".repeat(500));
                }
                for (int i = 0; i < 600; i++) {
                    queue.remove();
                }
            }
        }
        try (DiskQueue<String> queue = open(durability)) {
            assertThat(queue).isEmpty();
            Waits.until("segments taken back", () -> queue.stats().segments() <= 2);
        }
    }
}
