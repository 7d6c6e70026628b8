package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random operations of threads that have keys of their own, each with a model of its keys, through both views of a map with near caches, while
 * others read all keys and a member is killed. A thread must see its own writes at once, everybody in the end. {@code -Dmodel.seed} repeats.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MapModelTest {
    private static final String NAME = "near";
    private static final int WRITERS = 3;
    private static final int KEYS = 8; // of each writer

    private final Cluster cluster = new Cluster();

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static NearCacheConfig near(boolean isClient, InMemoryFormat format, boolean serializeKeys) {
        return new NearCacheConfig(NAME)
                .setInMemoryFormat(format)
                .setSerializeKeys(serializeKeys)
                .setCacheLocalEntries(!isClient);
    }

    @ParameterizedTest
    @CsvSource({"true, BINARY, false", "true, OBJECT, true", "false, BINARY, true", "false, OBJECT, false"})
    void ownWrites_areSeenAtOnce(boolean isClient, InMemoryFormat format, boolean serializeKeys) throws Exception {
        check(isClient, format, serializeKeys, 200, false);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "true, BINARY, false", "true, BINARY, true", "true, OBJECT, true",
        "false, BINARY, true", "false, BINARY, false", "false, OBJECT, false"
    })
    void ownWrites_areSeenAtOnce_whileAMemberIsKilled(boolean isClient, InMemoryFormat format, boolean serializeKeys)
            throws Exception {
        check(isClient, format, serializeKeys, 4000, true);
    }

    private void check(boolean isClient, InMemoryFormat format, boolean serializeKeys, int steps, boolean isKilling)
            throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("model.seed=" + seed);
        List<Integer> ports = Cluster.freePorts(2);
        Config config = Cluster.memberConfig(cluster.name, ports.get(0), ports);
        // Lost invalidations are found out by Hazelcast's own repair, which tolerates ten by default.
        config.setProperty("hazelcast.invalidation.max.tolerated.miss.count", "0");
        config.getMapConfig(NAME).setNearCacheConfig(isClient ? null : near(isClient, format, serializeKeys));
        HazelcastInstance instance = cluster.member(config);
        List<String> args = List.of(
                cluster.name,
                ports.get(1).toString(),
                ports.get(0).toString(),
                ports.get(1).toString());
        try (OwnJvm victim = OwnJvm.start(MemberMain.class, args.toArray(new String[0]))) {
            victim.await("up");
            if (isClient) {
                ClientConfig client = Cluster.clientConfig(cluster.name, ports);
                client.setProperty("hazelcast.invalidation.max.tolerated.miss.count", "0");
                instance = cluster.client(client.addNearCacheConfig(near(isClient, format, serializeKeys)));
            }
            HazelcastInstance other = cluster.client(ports);
            CountDownLatch half = new CountDownLatch(WRITERS * steps / 2);
            ExecutorService threads = Executors.newCachedThreadPool();
            List<Future<Map<Integer, Trade>>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Writer writer = new Writer(instance, i * KEYS, new Random(seed + i), half);
                writers.add(threads.submit(() -> writer.run(steps)));
            }
            if (isKilling) {
                half.await();
                victim.kill();
            }
            Map<Integer, Trade> expected = new HashMap<>();
            for (Future<Map<Integer, Trade>> each : writers) {
                expected.putAll(each.get());
            }
            threads.shutdown();
            checkAll(CompactMap.of(instance, NAME, new Trade.Codec()), expected, seed);
            checkAll(CompactMap.of(other, NAME, new Trade.Codec()), expected, seed);
            Map<Integer, Trade> changed = overwrite(other, expected);
            awaitAll(CompactMap.of(instance, NAME, new Trade.Codec()), changed, seed);
        }
    }

    private static void checkAll(CompactMap<Integer, Trade> map, Map<Integer, Trade> expected, long seed) {
        for (int key = 0; key < WRITERS * KEYS; key++) {
            assertThat(map.get(key)).as("seed=%d key=%d", seed, key).isEqualTo(expected.get(key));
        }
        assertThat(map.entrySet()).isEqualTo(expected.entrySet());
        assertThat(map.size()).isEqualTo(expected.size());
    }

    /** Changes all entries from elsewhere, by operations of each kind. */
    private static Map<Integer, Trade> overwrite(HazelcastInstance other, Map<Integer, Trade> entries) {
        CompactMap<Integer, Trade> map = CompactMap.of(other, NAME, new Trade.Codec());
        Map<Integer, Trade> changed = new HashMap<>();
        entries.forEach((key, trade) -> {
            Trade next = Trade.of(trade.number() + 1);
            switch (key % 4) {
                case 0 -> map.put(key, next);
                case 1 -> map.map().set(key, next.generic());
                case 2 -> map.setAll(Map.of(key, next));
                default -> map.delete(key);
            }
            if (key % 4 != 3) {
                changed.put(key, next);
            }
        });
        return changed;
    }

    /** Waits until others' writes are seen: longer than invalidations are collected, or lost ones are found out. */
    private static void awaitAll(CompactMap<Integer, Trade> map, Map<Integer, Trade> expected, long seed) {
        Map<Integer, Trade> seen = new LinkedHashMap<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
        do {
            seen.clear();
            for (int key = 0; key < WRITERS * KEYS; key++) {
                Trade value = map.get(key);
                if (value != null) {
                    seen.put(key, value);
                }
            }
        } while (!seen.equals(expected) && System.nanoTime() < end);
        assertThat(seen).as("seed=%d", seed).isEqualTo(expected);
    }

    /** A thread with keys that nobody else writes. */
    private static final class Writer {
        private final CompactMap<Integer, Trade> map;
        private final IMap<Integer, Object> theirs;
        private final int first;
        private final Random random;
        private final CountDownLatch steps;
        private final Map<Integer, Trade> model = new HashMap<>();

        Writer(HazelcastInstance instance, int first, Random random, CountDownLatch steps) {
            map = CompactMap.of(instance, NAME, new Trade.Codec());
            theirs = instance.getMap(NAME);
            this.first = first;
            this.random = random;
            this.steps = steps;
        }

        Map<Integer, Trade> run(int count) {
            for (int i = 0; i < count; i++) {
                int key = first + random.nextInt(KEYS);
                String step =
                        "step=" + i + " key=" + key + " operation=" + step(key, Trade.of(1 + random.nextInt(1000)));
                Trade expected = model.get(key);
                assertThat(map.get(key)).as(step).isEqualTo(expected);
                assertThat(read(theirs.get(key))).as(step).isEqualTo(expected);
                map.get(random.nextInt(WRITERS * KEYS)); // of others
                steps.countDown();
            }
            return model;
        }

        private static @Nullable Trade read(@Nullable Object value) {
            return value == null ? null : Trade.of((GenericRecord) value);
        }

        /** Does something in both, and returns what. A killed member may have done what is then done again: answers are not compared. */
        private int step(int key, Trade next) {
            int operation = random.nextInt(16);
            Trade former = model.get(key);
            switch (operation) {
                case 0 -> map.set(key, next);
                case 1 -> map.put(key, next);
                case 2 -> map.setAll(Map.of(key, next));
                case 3 -> map.setAsync(key, next).toCompletableFuture().join();
                case 4 ->
                    map.putAllAsync(Map.of(key, next)).toCompletableFuture().join();
                case 5 -> map.executeOnKey(key, new NearCacheWritesTest.Setter(next.number(), false));
                case 6 ->
                    map.submitToKeys(Set.of(key), new NearCacheWritesTest.Setter(next.number(), true))
                            .toCompletableFuture()
                            .join();
                case 7 -> theirs.set(key, next.generic());
                case 8 -> theirs.put(key, next.generic(), 1, TimeUnit.HOURS);
                case 9 -> map.compute(key, (any, value) -> next);
                case 10 -> map.delete(key);
                case 11 -> map.removeAsync(key).toCompletableFuture().join();
                case 12 -> theirs.remove(key);
                case 13 -> map.evict(key);
                case 14 -> map.putIfAbsent(key, next);
                default -> map.replace(key, next);
            }
            if (operation < 10) {
                model.put(key, next);
            } else if (operation < 14) {
                model.remove(key);
            } else if ((operation == 14) == (former == null)) {
                model.put(key, next);
            }
            return operation;
        }
    }
}
