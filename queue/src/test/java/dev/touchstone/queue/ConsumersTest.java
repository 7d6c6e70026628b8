package dev.touchstone.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Consumers beside each other and beside producers: waiting, leasing, reading on, making and dropping cursors. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsumersTest {
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final long WINDOW_MILLIS = 500;

    @TempDir
    Path folder;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private DiskQueueBuilder<String> builder(Durability durability) {
        return DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                .codec(Codec.utf8());
    }

    private static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    /** That a thread uses less than half of a processor for a while; never fails because the machine is busy. */
    private static void assertIdle(Thread thread) throws Exception {
        long start = System.nanoTime();
        long used = Measured.cpuNanos(thread);
        thread.join(WINDOW_MILLIS);
        assertThat(thread.isAlive()).isTrue();
        assertThat(Measured.cpuNanos(thread) - used).isLessThan((System.nanoTime() - start) / 2);
    }

    @ParameterizedTest
    @EnumSource
    void offer_withTheOldestOnLease_isRefusedAndDropsNothing(Durability durability) {
        try (DiskQueue<String> queue = builder(durability)
                .maxElements(10)
                .whenFull(WhenFull.DROP_OLDEST)
                .open()) {
            for (int i = 0; i < 10; i++) {
                assertThat(queue.offer("e" + i)).isTrue();
            }
            Lease<String> oldest = requireNonNull(queue.lease());
            assertThat(queue.offer("late")).isFalse();
            assertThat(queue.size()).isEqualTo(10);
            assertThat(queue.stats().dropped()).isZero();
            assertThat(queue).containsExactly("e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9");
            assertThat(oldest.nack()).isTrue();
            assertThat(queue.offer("e10")).isTrue();
            assertThat(queue.stats().dropped()).isEqualTo(1);
            for (int i = 1; i <= 10; i++) {
                assertThat(queue.poll()).isEqualTo("e" + i);
            }
            assertThat(queue.poll()).isNull();
        }
    }

    @Test
    void dropCursor_besideFlushesAndRolls_neverEndsTheQueue() throws Exception {
        String element = "x".repeat(2000);
        AtomicBoolean stop = new AtomicBoolean();
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            Future<?> flushing = threads.submit(() -> {
                while (!stop.get()) {
                    queue.flush();
                }
            });
            Future<?> rolling = threads.submit(() -> {
                while (!stop.get()) {
                    assertThat(queue.offer(element)).isTrue();
                    assertThat(queue.poll()).isEqualTo(element);
                }
            });
            for (int i = 0; i < 100; i++) {
                queue.cursor("c").poll();
                assertThat(queue.dropCursor("c")).isTrue();
            }
            stop.set(true);
            flushing.get(60, TimeUnit.SECONDS);
            rolling.get(60, TimeUnit.SECONDS);
            assertThat(queue.offer(element)).isTrue();
            assertThat(queue.poll()).isEqualTo(element);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wait_forAnElementThatAnotherHasOnLease_endsWithTheLease(boolean leases) throws Exception {
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).leases(10, Duration.ofMillis(100)).open()) {
            assertThat(queue.offer("e")).isTrue();
            Lease<String> mine = requireNonNull(queue.lease());
            assertThat(threads.submit(() -> consume(queue, leases)).get(30, TimeUnit.SECONDS))
                    .isEqualTo("e");
            assertThat(mine.ack()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wait_thatWakesForAnElementThatAnotherWasFasterToTake_endsWithTheLease(boolean leases) throws Exception {
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).leases(10, Duration.ofMillis(100)).open()) {
            int expired = 0;
            for (int round = 0; round < 300 && expired < 3; round++) {
                CompletableFuture<Thread> thread = new CompletableFuture<>();
                Future<String> waiter = threads.submit(() -> {
                    thread.complete(Thread.currentThread());
                    return consume(queue, leases);
                });
                awaitState(thread.get(), Thread.State.TIMED_WAITING);
                assertThat(queue.offer("e")).isTrue();
                Lease<String> mine =
                        queue.lease(); // null where the waiter was faster, which a loaded machine may always be
                assertThat(waiter.get(30, TimeUnit.SECONDS)).isEqualTo("e");
                if (mine != null) {
                    expired++;
                    assertThat(mine.ack()).isFalse();
                }
            }
        }
    }

    private static String consume(DiskQueue<String> queue, boolean leases) throws InterruptedException {
        if (!leases) {
            return requireNonNull(queue.poll(Duration.ofHours(1)));
        }
        Lease<String> lease = requireNonNull(queue.lease(Duration.ofHours(1)));
        assertThat(lease.ack()).isTrue();
        return lease.element();
    }

    @Test
    void lease_withAsManyOutAsMayBe_waitsIdlyAndWakesOnAnAcknowledgement() throws Exception {
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).leases(1, Duration.ofMinutes(5)).open()) {
            queue.add("a");
            queue.add("b");
            Lease<String> held = requireNonNull(queue.lease());
            CompletableFuture<String> next = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                try {
                    next.complete(requireNonNull(queue.lease(LONG)).element());
                } catch (InterruptedException | RuntimeException e) {
                    next.completeExceptionally(e);
                }
            });
            waiter.start();
            assertIdle(waiter);
            assertThat(held.ack()).isTrue();
            assertThat(next.get(20, TimeUnit.SECONDS)).isEqualTo("b");
        }
    }

    @Test
    void offer_withTooLittleRoomOnTheDisk_waitsIdlyAndEndsWhenInterrupted() throws Exception {
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).minFreeBytes(Long.MAX_VALUE / 2).open()) {
            CompletableFuture<List<Boolean>> answer = new CompletableFuture<>();
            Thread producer = new Thread(() -> {
                boolean offered = queue.offer("a");
                answer.complete(List.of(offered, Thread.currentThread().isInterrupted()));
            });
            producer.start();
            assertIdle(producer);
            producer.interrupt();
            assertThat(answer.get(20, TimeUnit.SECONDS)).containsExactly(false, true);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITTEN", "SYNCED"})
    void offerAsync_withADependentThatInterrupts_answersAllOthersAndRests(Durability durability) throws Exception {
        AtomicReference<Thread> answering = new AtomicReference<>(Thread.currentThread());
        Thread caller = Thread.currentThread();
        try (DiskQueue<String> queue = builder(durability).open()) {
            for (int i = 0; i < 1_000_000 && answering.get().equals(caller); i++) { // until an answer is slower than us
                queue.offerAsync("e" + i).thenRun(() -> {
                    if (!Thread.currentThread().equals(caller)) {
                        answering.set(Thread.currentThread());
                        Thread.currentThread().interrupt();
                    }
                });
            }
            assertThat(answering.get()).isNotEqualTo(caller);
            List<CompletableFuture<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(queue.offerAsync("f" + i).toCompletableFuture());
            }
            for (CompletableFuture<Boolean> each : answers) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isTrue();
            }
            assertIdle(answering.get());
            assertThat(queue.offerAsync("last").toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void contains_calledOften_leavesNoFilesOpen() throws Exception {
        assumeTrue(Measured.countsOpenFiles(), "counting open files needs a Unix: run it on Linux or macOS");
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            queue.add("a");
            queue.add("b");
            long before = Measured.openFiles();
            for (int i = 0; i < 400; i++) {
                assertThat(queue.contains("a")).isTrue();
            }
            assertThat(Measured.openFiles() - before).isLessThanOrEqualTo(50);
        }
    }

    @Test
    void size_whileCursorsAreMadeAndDropped_isRight() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        try (DiskQueue<String> queue =
                builder(Durability.WRITTEN).namedCursorsOnly().open()) {
            queue.addAll(List.of("a", "b", "c"));
            Future<Long> asking = threads.submit(() -> {
                long asked = 0;
                for (; !stop.get(); asked++) {
                    assertThat(queue.size()).isEqualTo(3);
                }
                return asked;
            });
            for (int i = 0; i < 200; i++) {
                queue.cursor("c");
                assertThat(queue.dropCursor("c")).isTrue();
            }
            stop.set(true);
            assertThat(asking.get(60, TimeUnit.SECONDS)).isPositive();
        }
    }

    private static byte[] payload(long number) {
        SplittableRandom random = new SplittableRandom(number);
        byte[] bytes = new byte[200 + random.nextInt(1000)];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes).putLong(0, number).array();
    }

    @Test
    void readers_whileFilesAreUsedAgain_areGivenWhatWasOffered() throws Exception {
        int count = 8000;
        try (DiskQueue<byte[]> queue =
                builder(Durability.WRITTEN).codec(Codec.bytes()).open()) {
            AtomicBoolean stop = new AtomicBoolean();
            Future<Long> visiting = threads.submit(() -> {
                long visited = 0;
                while (!stop.get()) {
                    visited += queue.visit(0, (sequence, bytes) -> {
                        assertThat(bytes).isEqualTo(ByteBuffer.wrap(payload(sequence - 1)));
                        return true;
                    });
                }
                return visited;
            });
            Future<Long> iterating = threads.submit(() -> {
                long read = 0;
                while (!stop.get()) {
                    long last = -1;
                    for (Iterator<byte[]> all = queue.iterator(0); all.hasNext(); read++) {
                        byte[] bytes = all.next();
                        long number = ByteBuffer.wrap(bytes).getLong();
                        assertThat(number).isGreaterThan(last);
                        assertThat(bytes).isEqualTo(payload(number));
                        last = number;
                    }
                }
                return read;
            });
            for (int i = 0; i < count; i++) {
                assertThat(queue.offer(payload(i))).isTrue();
                if (i >= 300) {
                    assertThat(queue.poll()).isEqualTo(payload(i - 300));
                }
            }
            stop.set(true);
            assertThat(visiting.get(60, TimeUnit.SECONDS)).isPositive();
            assertThat(iterating.get(60, TimeUnit.SECONDS)).isPositive();
        }
    }

    @Test
    void open_withDurationsForEver_keepsAndWaits() throws Exception {
        DiskQueue<String> first =
                builder(Durability.BATCHED).retain(1 << 20, FOR_EVER).open();
        first.addAll(List.of("a", "b"));
        assertThat(first.poll()).isEqualTo("a");
        first.flush();
        CompletableFuture<Thread> opener = new CompletableFuture<>();
        Future<String> second = threads.submit(() -> {
            opener.complete(Thread.currentThread());
            try (DiskQueue<String> queue = builder(Durability.BATCHED)
                    .retain(1 << 20, FOR_EVER)
                    .lockTimeout(FOR_EVER)
                    .leases(1, FOR_EVER)
                    .batch(100, 1 << 16, FOR_EVER)
                    .open()) {
                assertThat(queue.iterator(0).next()).isEqualTo("a");
                return requireNonNull(queue.lease()).element();
            }
        });
        awaitState(opener.get(), Thread.State.TIMED_WAITING); // for the lock
        assertThat(second.isDone()).isFalse();
        first.close();
        assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("b");
    }

    @Test
    void poll_withTheLongestAndShortestTimes_behaves() throws Exception {
        Duration never = Duration.ofSeconds(Long.MIN_VALUE);
        try (DiskQueue<String> queue = builder(Durability.WRITTEN).open()) {
            assertThat(queue.poll(never)).isNull();
            assertThat(queue.lease(never)).isNull();
            assertThat(queue.blocking().poll(Long.MIN_VALUE, TimeUnit.NANOSECONDS))
                    .isNull();
            assertThat(queue.blocking().poll(Long.MIN_VALUE, TimeUnit.DAYS)).isNull();
            assertThat(queue.blocking().offer("a", Long.MIN_VALUE, TimeUnit.DAYS))
                    .isTrue();
            assertThat(queue.poll(never)).isEqualTo("a");
            assertThat(queue.blocking().offer("b", Long.MAX_VALUE, TimeUnit.DAYS))
                    .isTrue();
            assertThat(queue.blocking().poll(Long.MIN_VALUE, TimeUnit.NANOSECONDS))
                    .isEqualTo("b");
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            Future<String> waiter = threads.submit(() -> {
                thread.complete(Thread.currentThread());
                return requireNonNull(queue.poll(FOR_EVER));
            });
            awaitState(thread.get(), Thread.State.TIMED_WAITING);
            queue.add("c");
            assertThat(waiter.get(30, TimeUnit.SECONDS)).isEqualTo("c");
            assertThatThrownBy(
                            () -> builder(Durability.WRITTEN).lockTimeout(never).open())
                    .isInstanceOf(QueueLockedException.class);
        }
    }
}
