package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import com.hazelcast.query.Predicates;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each way to write beside threads that read the same key through the near cache. Members do not tell an instance of its own writes: a value
 * that a reader keeps while the write is under way must be gone when the write has returned, for nothing else would ever remove it.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NearCacheWritesTest {
    private static final String NAME = "near";
    private static final int READERS = 3;

    private final Cluster cluster = new Cluster();

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** The second of two members, or a client of both, with a near cache. */
    private CompactMap<Integer, Trade> start(boolean isClient, boolean serializeKeys) {
        NearCacheConfig near =
                new NearCacheConfig(NAME).setSerializeKeys(serializeKeys).setCacheLocalEntries(!isClient);
        List<Integer> ports = Cluster.freePorts(2);
        cluster.member(ports.get(0), ports);
        Config config = Cluster.memberConfig(cluster.name, ports.get(1), ports);
        config.getMapConfig(NAME).setNearCacheConfig(isClient ? null : near);
        HazelcastInstance instance = cluster.member(config);
        if (isClient) {
            ClientConfig client = Cluster.clientConfig(cluster.name, ports);
            instance = cluster.client(client.addNearCacheConfig(near));
        }
        return CompactMap.of(instance, NAME, new Trade.Codec());
    }

    /** Sets a trade's record; with or without an answer. */
    record Setter(int number, boolean hasAnswer) implements EntryProcessor<Integer, Object, Object>, Serializable {
        @Override
        public @Nullable Object process(Map.Entry<Integer, Object> entry) {
            entry.setValue(Trade.of(number).generic());
            return hasAnswer ? number : null;
        }
    }

    private static Map<String, Consumer<Integer>> writes(CompactMap<Integer, Trade> map) {
        Map<String, Consumer<Integer>> writes = new LinkedHashMap<>();
        writes.put("set", n -> map.set(1, Trade.of(n)));
        writes.put("put", n -> map.put(1, Trade.of(n)));
        writes.put("replace", n -> map.replace(1, Trade.of(n)));
        writes.put("replaceExpected", n -> map.replace(1, Trade.of(n - 1), Trade.of(n)));
        writes.put("compute", n -> map.compute(1, (key, value) -> Trade.of(n)));
        writes.put("putAll", n -> map.putAll(Map.of(1, Trade.of(n))));
        writes.put("setAll", n -> map.setAll(Map.of(1, Trade.of(n))));
        writes.put(
                "setAsync",
                n -> map.setAsync(1, Trade.of(n)).toCompletableFuture().join());
        writes.put(
                "putAsync",
                n -> map.putAsync(1, Trade.of(n)).toCompletableFuture().join());
        writes.put(
                "setAllAsync",
                n -> map.setAllAsync(Map.of(1, Trade.of(n)))
                        .toCompletableFuture()
                        .join());
        writes.put(
                "putAllAsync",
                n -> map.putAllAsync(Map.of(1, Trade.of(n)))
                        .toCompletableFuture()
                        .join());
        for (boolean hasAnswer : new boolean[] {true, false}) {
            String suffix = hasAnswer ? " answered" : " unanswered";
            writes.put("executeOnKey" + suffix, n -> map.executeOnKey(1, new Setter(n, hasAnswer)));
            writes.put("executeOnKeys" + suffix, n -> map.executeOnKeys(Set.of(1), new Setter(n, hasAnswer)));
            writes.put("executeOnEntries" + suffix, n -> map.executeOnEntries(new Setter(n, hasAnswer)));
            writes.put(
                    "executeOnEntriesThatFit" + suffix,
                    n -> map.executeOnEntries(new Setter(n, hasAnswer), FieldPredicate.greaterEqual("number", 0)));
            writes.put(
                    "submitToKey" + suffix,
                    n -> map.submitToKey(1, new Setter(n, hasAnswer))
                            .toCompletableFuture()
                            .join());
            writes.put(
                    "submitToKeys" + suffix,
                    n -> map.submitToKeys(Set.of(1), new Setter(n, hasAnswer))
                            .toCompletableFuture()
                            .join());
        }
        return writes;
    }

    private static Map<String, Runnable> removals(CompactMap<Integer, Trade> map) {
        Map<String, Runnable> removals = new LinkedHashMap<>();
        removals.put("remove", () -> map.remove(1));
        removals.put("delete", () -> map.delete(1));
        removals.put(
                "removeAsync", () -> map.removeAsync(1).toCompletableFuture().join());
        removals.put(
                "deleteAsync", () -> map.deleteAsync(1).toCompletableFuture().join());
        removals.put("evict", () -> map.evict(1));
        removals.put("evictAll", map::evictAll);
        removals.put("clear", map::clear);
        removals.put("removeAll", () -> map.removeAll(Predicates.alwaysTrue()));
        removals.put("setTtl", () -> {
            map.setTtl(1, 1, TimeUnit.MILLISECONDS);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (map.map().getEntryView(1) != null && System.nanoTime() < end) {
                LockSupport.parkNanos(100_000);
            }
            map.evict(1); // an entry that ends by itself stays in near caches for their own time to live
        });
        return removals;
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void writes_besideReaders_leaveNoFormerValue(boolean isClient, boolean serializeKeys) throws InterruptedException {
        check(isClient, serializeKeys, 15);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void manyWrites_besideReaders_leaveNoFormerValue(boolean isClient, boolean serializeKeys)
            throws InterruptedException {
        check(isClient, serializeKeys, 200);
    }

    private void check(boolean isClient, boolean serializeKeys, int rounds) throws InterruptedException {
        CompactMap<Integer, Trade> map = start(isClient, serializeKeys);
        AtomicBoolean isEnding = new AtomicBoolean();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            Thread reader = new Thread(() -> {
                while (!isEnding.get()) {
                    map.get(1);
                    map.getAll(Set.of(1));
                }
            });
            reader.start();
            readers.add(reader);
        }
        Map<String, Integer> stale = new LinkedHashMap<>();
        writes(map).forEach((name, write) -> {
            map.set(1, Trade.of(1));
            for (int i = 2; i < 2 + rounds; i++) {
                write.accept(i);
                count(stale, name, Trade.of(i).equals(map.get(1)));
            }
        });
        removals(map).forEach((name, removal) -> {
            for (int i = 0; i < rounds; i++) {
                map.set(1, Trade.of(i));
                map.get(1);
                removal.run();
                count(stale, name, map.get(1) == null);
            }
        });
        isEnding.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(stale).as("reads of a former value by operation").isEmpty();
        assertThat(map.map().getLocalMapStats().getNearCacheStats().getHits()).isPositive();
    }

    private static void count(Map<String, Integer> stale, String name, boolean isRight) {
        if (!isRight) {
            stale.merge(name, 1, Integer::sum);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void processorsWithoutAnswers_invalidateWhatTheyChange(boolean isClient, boolean serializeKeys) {
        CompactMap<Integer, Trade> map = start(isClient, serializeKeys);
        Map<Integer, Trade> before = new HashMap<>();
        for (int key = 0; key < 50; key++) {
            before.put(key, Trade.of(key));
        }
        map.setAll(before);
        assertThat(map.getAll(before.keySet())).isEqualTo(before);
        map.executeOnEntries(new Setter(1000, false));
        assertThat(map.getAll(before.keySet()).values()).hasSize(50).containsOnly(Trade.of(1000));
        map.executeOnEntries(new Setter(2000, false), FieldPredicate.equal("number", 1000));
        assertThat(map.getAll(before.keySet()).values()).hasSize(50).containsOnly(Trade.of(2000));
    }

    /** A key that was reserved in the near cache and never published would be read from the members for ever. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void readsThatFail_giveTheirKeysBack(boolean isClient, boolean serializeKeys) {
        CompactMap<Integer, Trade> map = start(isClient, serializeKeys);
        map.setAll(Map.of(1, Trade.of(1), 2, Trade.of(2)));
        Set<Integer> keys = Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList(1, 2, null)));
        assertThatThrownBy(() -> map.getAll(keys)).isInstanceOf(NullPointerException.class);
        map.map().set(3, GenericRecordBuilder.compact("other").build());
        assertThatThrownBy(() -> map.get(3)).isInstanceOf(RuntimeException.class);
        map.get(1);
        map.get(2);
        long hits = map.map().getLocalMapStats().getNearCacheStats().getHits();
        map.get(1);
        map.get(2);
        map.getBytes(3);
        assertThat(map.map().getLocalMapStats().getNearCacheStats().getHits()).isEqualTo(hits + 3);
    }
}
