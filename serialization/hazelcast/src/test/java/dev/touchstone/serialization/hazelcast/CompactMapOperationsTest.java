package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.EntryEventType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.query.Predicates;
import dev.touchstone.serialization.exception.CompactException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The operations that a map has of Hazelcast's, from a client and from a member. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CompactMapOperationsTest {
    private final Cluster cluster = new Cluster();
    private final List<Integer> ports = Cluster.freePorts(2);
    private final Map<Cluster.Side, HazelcastInstance> ours = new HashMap<>();

    @BeforeAll
    void start() {
        ours.putAll(cluster.sides(ports));
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private CompactMap<Integer, Trade> empty(Cluster.Side side) {
        return CompactMap.of(
                Objects.requireNonNull(ours.get(side)), "operations-" + UUID.randomUUID(), new Trade.Codec());
    }

    private CompactMap<Integer, Trade> filled(Cluster.Side side, int entries) {
        CompactMap<Integer, Trade> map = empty(side);
        Map<Integer, Trade> trades = new HashMap<>();
        IntStream.range(0, entries).forEach(i -> trades.put(i, Trade.of(i)));
        map.putAll(trades);
        return map;
    }

    @ParameterizedTest
    @EnumSource
    void singleEntries_areAsInAnyMap(Cluster.Side side) {
        CompactMap<Integer, Trade> map = empty(side);
        assertThat(map.isEmpty()).isTrue();
        assertThat(map.putIfAbsent(1, Trade.of(1))).isNull();
        assertThat(map.putIfAbsent(1, Trade.of(2))).isEqualTo(Trade.of(1));
        assertThat(map.replace(2, Trade.of(2))).isNull();
        assertThat(map.containsKey(2)).isFalse();
        assertThat(map.replace(1, Trade.of(10))).isEqualTo(Trade.of(1));
        assertThat(map.replace(1, Trade.of(1), Trade.of(11))).isFalse();
        assertThat(map.replace(1, Trade.of(10), Trade.of(11))).isTrue();
        assertThat(map.containsValue(Trade.of(11))).isTrue();
        assertThat(map.containsValue(Trade.of(10))).isFalse();
        assertThat(map.remove(1, Trade.of(10))).isFalse();
        assertThat(map.remove(1, Trade.of(11))).isTrue();
        assertThat(map.remove(1)).isNull();
        map.set(1, Trade.of(1));
        assertThat(map.remove(1)).isEqualTo(Trade.of(1));
        map.set(1, Trade.of(1));
        map.delete(1);
        assertThat(map.size()).isZero();
        map.set(1, Trade.of(1));
        assertThat(map.evict(1)).isTrue();
        map.set(1, Trade.of(1));
        map.clear();
        assertThat(map.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void computations_seeWhatIsThere(Cluster.Side side) {
        CompactMap<Integer, Trade> map = empty(side);
        assertThat(map.computeIfPresent(1, (key, value) -> Trade.of(9))).isNull();
        assertThat(map.computeIfAbsent(1, key -> null)).isNull();
        assertThat(map.computeIfAbsent(1, Trade::of)).isEqualTo(Trade.of(1));
        assertThat(map.computeIfAbsent(1, key -> Trade.of(2))).isEqualTo(Trade.of(1));
        assertThat(map.compute(
                        1,
                        (key, value) -> Trade.of(Objects.requireNonNull(value).number() + 1)))
                .isEqualTo(Trade.of(2));
        assertThat(map.compute(2, (key, value) -> value == null ? Trade.of(5) : null))
                .isEqualTo(Trade.of(5));
        assertThat(map.compute(2, (key, value) -> null)).isNull();
        assertThat(map.containsKey(2)).isFalse();
        assertThat(map.computeIfPresent(1, (key, value) -> null)).isNull();
        assertThat(map.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void computations_ofManyThreads_areAtomic(Cluster.Side side) throws InterruptedException {
        CompactMap<Integer, Trade> map = empty(side);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                for (int j = 0; j < 50; j++) {
                    map.compute(1, (key, value) -> Trade.of(value == null ? 1 : value.number() + 1));
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(map.get(1)).isEqualTo(Trade.of(200));
    }

    @ParameterizedTest
    @EnumSource
    void timesToLive_end(Cluster.Side side) {
        CompactMap<Integer, Trade> map = empty(side);
        map.set(1, Trade.of(1), 1, TimeUnit.SECONDS);
        map.put(2, Trade.of(2), 1, TimeUnit.SECONDS);
        map.putIfAbsent(3, Trade.of(3), 1, TimeUnit.SECONDS);
        map.put(4, Trade.of(4), 0, TimeUnit.SECONDS, 1, TimeUnit.SECONDS);
        map.putIfAbsent(5, Trade.of(5), 0, TimeUnit.SECONDS, 1, TimeUnit.SECONDS);
        map.set(6, Trade.of(6), 0, TimeUnit.SECONDS, 1, TimeUnit.SECONDS);
        map.putAsync(7, Trade.of(7), 1, TimeUnit.SECONDS).toCompletableFuture().join();
        map.setAsync(8, Trade.of(8), 1, TimeUnit.SECONDS).toCompletableFuture().join();
        map.set(9, Trade.of(9));
        assertThat(map.setTtl(9, 1, TimeUnit.SECONDS)).isTrue();
        map.put(10, Trade.of(10), 1, TimeUnit.NANOSECONDS);
        map.put(11, Trade.of(11), 1, TimeUnit.HOURS);
        map.put(12, Trade.of(12), 1, TimeUnit.HOURS, 1, TimeUnit.HOURS);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (map.keySet().size() > 2 && System.nanoTime() < end) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(map.keySet()).containsExactlyInAnyOrder(11, 12);
    }

    @ParameterizedTest
    @EnumSource
    void manyEntries_areFoundAndRemoved(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side, 50);
        FieldPredicate<Integer, Trade> few = FieldPredicate.lessThan("number", 3);
        assertThat(map.size()).isEqualTo(50);
        assertThat(map.getAll(IntStream.range(40, 1000).boxed().collect(Collectors.toSet())))
                .hasSize(10)
                .containsEntry(49, Trade.of(49));
        assertThat(map.getAll(Set.of())).isEmpty();
        assertThat(map.keySet()).hasSize(50);
        assertThat(map.values()).hasSize(50).contains(Trade.of(49));
        assertThat(map.entrySet()).hasSize(50).contains(Map.entry(49, Trade.of(49)));
        assertThat(map.keySet(few)).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(map.entrySet(few))
                .isEqualTo(
                        Map.of(0, Trade.of(0), 1, Trade.of(1), 2, Trade.of(2)).entrySet());
        assertThat(map.values(Predicates.equal("number", 4))).containsExactly(Trade.of(4));
        map.removeAll(FieldPredicate.not(few));
        assertThat(map.keySet()).containsExactlyInAnyOrder(0, 1, 2);
        assertThatThrownBy(() -> map.values(Predicates.pagingPredicate(2)))
                .isInstanceOf(IllegalArgumentException.class);
        map.evictAll();
        assertThat(map.isEmpty()).isTrue();
    }

    /** Sees a generic record: the members have no class of the values. */
    private static final class Doubling implements EntryProcessor<Integer, Object, Long> {
        private static final long serialVersionUID = 1;

        @Override
        public Long process(Map.Entry<Integer, Object> entry) {
            GenericRecord record = (GenericRecord) entry.getValue();
            long volume = 2 * record.getInt64("volume");
            entry.setValue(
                    record.newBuilderWithClone().setInt64("volume", volume).build());
            return volume;
        }
    }

    @ParameterizedTest
    @EnumSource
    void processors_runWhereTheEntriesAre(Cluster.Side side) {
        CompactMap<Integer, Trade> map = filled(side, 10);
        assertThat(map.executeOnKey(1, new Doubling())).isEqualTo(2000);
        assertThat(map.executeOnKeys(Set.of(1, 2), new Doubling())).isEqualTo(Map.of(1, 4000L, 2, 4000L));
        assertThat(map.executeOnEntries(new Doubling(), FieldPredicate.equal("number", 3)))
                .isEqualTo(Map.of(3, 6000L));
        assertThat(map.executeOnEntries(new Doubling())).hasSize(10);
        assertThat(map.submitToKey(1, new Doubling()).toCompletableFuture().join())
                .isEqualTo(16_000);
        assertThat(map.submitToKeys(Set.of(1), new Doubling())
                        .toCompletableFuture()
                        .join())
                .isEqualTo(Map.of(1, 32_000L));
        assertThat(Objects.requireNonNull(map.get(1)).volume()).isEqualTo(32_000);
    }

    @ParameterizedTest
    @EnumSource
    void asynchronousForms_doTheSame(Cluster.Side side) {
        CompactMap<Integer, Trade> map = empty(side);
        assertThat(map.putAsync(1, Trade.of(1)).toCompletableFuture().join()).isNull();
        assertThat(map.putAsync(1, Trade.of(2)).toCompletableFuture().join()).isEqualTo(Trade.of(1));
        map.setAllAsync(Map.of(2, Trade.of(2))).toCompletableFuture().join();
        map.putAllAsync(Map.of(3, Trade.of(3))).toCompletableFuture().join();
        assertThat(map.removeAsync(3).toCompletableFuture().join()).isEqualTo(Trade.of(3));
        assertThat(map.deleteAsync(2).toCompletableFuture().join()).isTrue();
        assertThat(map.getAsync(2).toCompletableFuture().join()).isNull();
        map.map().set(4, "no record");
        assertThatThrownBy(() -> map.getAsync(4).toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(CompactException.class);
    }

    @ParameterizedTest
    @EnumSource
    void locks_areForTheirThread(Cluster.Side side) throws InterruptedException {
        CompactMap<Integer, Trade> map = empty(side);
        map.lock(1);
        map.put(1, Trade.of(1));
        assertThat(map.isLocked(1)).isTrue();
        List<Object> seen = new ArrayList<>();
        Thread other = new Thread(() -> {
            try {
                seen.add(map.tryLock(1));
                seen.add(map.tryLock(1, 1, TimeUnit.MILLISECONDS));
                seen.add(map.tryLock(1, 1, TimeUnit.MILLISECONDS, 1, TimeUnit.HOURS));
                map.unlock(1);
            } catch (IllegalMonitorStateException | InterruptedException e) {
                seen.add(e.getClass());
            }
        });
        other.start();
        other.join();
        assertThat(seen).containsExactly(false, false, false, IllegalMonitorStateException.class);
        map.put(1, Trade.of(2)); // with the number of this thread, or it would wait for ever
        assertThat(map.remove(1)).isEqualTo(Trade.of(2));
        map.unlock(1);
        assertThat(map.tryLock(1)).isTrue();
        map.forceUnlock(1);
        map.lock(1, 1, TimeUnit.HOURS);
        map.unlock(1);
        assertThat(map.isLocked(1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void listeners_areToldWithDecodedValues(Cluster.Side side) throws InterruptedException {
        CompactMap<Integer, Trade> map = empty(side);
        BlockingQueue<List<Object>> events = new LinkedBlockingQueue<>();
        UUID id = map.addEntryListener(
                event -> events.add(Arrays.asList(event.type(), event.key(), event.oldValue(), event.value())));
        BlockingQueue<Integer> few = new LinkedBlockingQueue<>();
        map.addEntryListener(event -> few.add(event.key()), FieldPredicate.equal("number", 7));
        map.set(1, Trade.of(1));
        map.put(1, Trade.of(2));
        map.remove(1);
        assertThat(events.poll(30, TimeUnit.SECONDS)).containsExactly(EntryEventType.ADDED, 1, null, Trade.of(1));
        assertThat(events.poll(30, TimeUnit.SECONDS))
                .containsExactly(EntryEventType.UPDATED, 1, Trade.of(1), Trade.of(2));
        assertThat(events.poll(30, TimeUnit.SECONDS)).containsExactly(EntryEventType.REMOVED, 1, Trade.of(2), null);
        map.set(7, Trade.of(7)); // of another partition, whose events may come before those of others
        assertThat(few.poll(30, TimeUnit.SECONDS)).isEqualTo(7);
        map.remove(7);
        assertThat(few.poll(30, TimeUnit.SECONDS)).isEqualTo(7);
        map.set(7, Trade.of(7), 1, TimeUnit.SECONDS);
        assertThat(few.poll(30, TimeUnit.SECONDS)).isEqualTo(7);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (map.containsKey(7) && System.nanoTime() < end) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(few.poll(30, TimeUnit.SECONDS)).isEqualTo(7);
        assertThat(few).isEmpty();
        assertThat(map.removeEntryListener(id)).isTrue();
        assertThat(map.removeEntryListener(id)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("NullAway") // what a user does all the same
    void nulls_areRefusedAtOnce(Cluster.Side side) {
        CompactMap<Integer, Trade> map = empty(side);
        Integer none = null;
        Trade nothing = null;
        assertThatThrownBy(() -> map.get(none)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.put(none, Trade.of(1))).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.put(1, nothing)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.set(none, Trade.of(1))).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.setAsync(1, nothing)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.remove(none)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.delete(none)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.evict(none)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.lock(none)).isInstanceOf(NullPointerException.class);
        assertThat(map.isEmpty()).isTrue();
    }
}
