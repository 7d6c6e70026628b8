package dev.touchstone.queue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lincheck runs of a queue on real files: concurrent calls must agree with some order of the same calls one after the other. Lincheck
 * constructs its subject thousands of times, so the queue is opened once and emptied instead.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinearizabilityTest {
    private static volatile @Nullable DiskQueue<String> shared;

    @TempDir
    Path folder;

    /** Operations on the open queue. */
    @Param(name = "value", gen = IntGen.class, conf = "1:9")
    @Param(name = "thread", gen = ThreadIdGen.class)
    public static final class Subject {
        private final DiskQueue<String> queue;
        private final Map<Integer, ArrayDeque<Lease<String>>> held = new ConcurrentHashMap<>();

        public Subject() {
            DiskQueue<String> open = shared;
            if (open == null) {
                throw new IllegalStateException("no queue is open");
            }
            queue = open;
            queue.clear();
        }

        @Operation
        public boolean offer(@Param(name = "value") int value) {
            return queue.offer(Integer.toString(value));
        }

        @Operation
        public @Nullable String poll() {
            return queue.poll();
        }

        @Operation
        public @Nullable String peek() {
            return queue.peek();
        }

        @Operation
        public int size() {
            return queue.size();
        }

        @Operation
        public @Nullable String lease(@Param(name = "thread") int thread) {
            Lease<String> lease = queue.lease();
            if (lease == null) {
                return null;
            }
            leases(thread).add(lease);
            return lease.element();
        }

        /** Acknowledges the oldest lease of this thread. */
        @Operation
        public boolean ack(@Param(name = "thread") int thread) {
            Lease<String> oldest = leases(thread).pollFirst();
            return oldest != null && oldest.ack();
        }

        /** Acknowledges the newest lease of this thread, so out of order where it holds several. */
        @Operation
        public boolean ackNewest(@Param(name = "thread") int thread) {
            Lease<String> newest = leases(thread).pollLast();
            return newest != null && newest.ack();
        }

        @Operation
        public boolean nack(@Param(name = "thread") int thread) {
            Lease<String> oldest = leases(thread).pollFirst();
            return oldest != null && oldest.nack();
        }

        /** Extends the oldest lease of this thread. */
        @Operation
        public boolean extend(@Param(name = "thread") int thread) {
            Lease<String> oldest = leases(thread).peekFirst();
            return oldest != null && oldest.extend(Duration.ofHours(2));
        }

        @Operation
        public int leased() {
            return queue.leased();
        }

        private ArrayDeque<Lease<String>> leases(int thread) {
            return held.computeIfAbsent(thread, none -> new ArrayDeque<>());
        }
    }

    /** Sequential specification of {@link Subject}. */
    public static final class Sequential {
        private final TreeMap<Integer, String> left = new TreeMap<>();
        private final Map<Integer, ArrayDeque<Integer>> held = new TreeMap<>();
        private int accepted;

        public boolean offer(int value) {
            left.put(accepted++, Integer.toString(value));
            return true;
        }

        private @Nullable Integer next() {
            for (int sequence : left.keySet()) {
                if (held.values().stream().noneMatch(leases -> leases.contains(sequence))) {
                    return sequence;
                }
            }
            return null;
        }

        public @Nullable String poll() {
            Integer next = next();
            return next == null ? null : left.remove(next);
        }

        public @Nullable String peek() {
            Integer next = next();
            return next == null ? null : left.get(next);
        }

        public int size() {
            return left.size();
        }

        public @Nullable String lease(int thread) {
            Integer next = next();
            if (next == null) {
                return null;
            }
            leases(thread).add(next);
            return left.get(next);
        }

        public boolean ack(int thread) {
            Integer oldest = leases(thread).pollFirst();
            return oldest != null && left.remove(oldest) != null;
        }

        public boolean ackNewest(int thread) {
            Integer newest = leases(thread).pollLast();
            return newest != null && left.remove(newest) != null;
        }

        public boolean nack(int thread) {
            return leases(thread).pollFirst() != null;
        }

        public boolean extend(int thread) {
            return leases(thread).peekFirst() != null;
        }

        public int leased() {
            return held.values().stream().mapToInt(ArrayDeque::size).sum();
        }

        private ArrayDeque<Integer> leases(int thread) {
            return held.computeIfAbsent(thread, none -> new ArrayDeque<>());
        }
    }

    private void check(Durability durability, int iterations, int invocations) {
        shared = DiskQueueBuilder.of(durability)
                .folder(folder)
                .segmentBytes(64 << 10)
                .batch(16, 16 << 10, Duration.ofMillis(1))
                .leases(100, Duration.ofHours(1))
                .codec(Codec.utf8())
                .redeliveryDelay(Duration.ZERO, Duration.ZERO)
                .open();
        new StressOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(3)
                .actorsPerThread(4)
                .actorsBefore(2)
                .actorsAfter(3)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Sequential.class)
                .check(Subject.class);
    }

    @AfterEach
    void close() {
        DiskQueue<String> open = shared;
        if (open != null) {
            open.close();
            shared = null;
        }
    }

    @ParameterizedTest
    @EnumSource
    void operations_byThreeThreads_areLinearizable(Durability durability) {
        check(durability, 10, durability == Durability.SYNCED ? 30 : 150);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void operations_byThreeThreadsForLonger_areLinearizable(Durability durability) {
        check(durability, 100, durability == Durability.SYNCED ? 200 : 2000);
    }
}
