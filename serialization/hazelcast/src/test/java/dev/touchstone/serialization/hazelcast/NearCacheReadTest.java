package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.nearcache.NearCacheStats;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads through a near cache: the second one makes no request, both views of a map share the entries, and whoever writes invalidates them. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NearCacheReadTest {
    private static final String NAME = "near";
    private static final Duration PROMPTLY = Duration.ofSeconds(30);

    private final Cluster cluster = new Cluster();

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Two members, of which the second or a client has the near cache; the first is everybody else. */
    private List<HazelcastInstance> start(boolean isClient, InMemoryFormat format, boolean serializeKeys) {
        NearCacheConfig near = new NearCacheConfig(NAME)
                .setInMemoryFormat(format)
                .setSerializeKeys(serializeKeys)
                .setCacheLocalEntries(!isClient);
        List<Integer> ports = Cluster.freePorts(2);
        HazelcastInstance other = cluster.member(configured(Cluster.memberConfig(cluster.name, ports.get(0), ports)));
        Config config = configured(Cluster.memberConfig(cluster.name, ports.get(1), ports));
        config.getMapConfig(NAME).setNearCacheConfig(isClient ? null : near);
        HazelcastInstance member = cluster.member(config);
        if (!isClient) {
            return List.of(member, other);
        }
        ClientConfig client = Cluster.clientConfig(cluster.name, ports).addNearCacheConfig(near);
        return List.of(cluster.client(client), other);
    }

    /** Members that count reads of each entry, and do not collect invalidations for ten seconds before they send them. */
    private static Config configured(Config config) {
        config.setProperty("hazelcast.map.invalidation.batch.enabled", "false");
        config.getMapConfig(NAME).setPerEntryStatsEnabled(true);
        return config;
    }

    private static NearCacheStats stats(CompactMap<Integer, Trade> map) {
        return map.map().getLocalMapStats().getNearCacheStats();
    }

    /** Returns the number of reads that members have answered. */
    private static long hits(HazelcastInstance other, int key) {
        return Objects.requireNonNull(other.getMap(NAME).getEntryView(key)).getHits();
    }

    /** A near cache keeps what other members have, unless it is configured to keep the member's own entries, too. */
    @Test
    void entriesOfTheMemberItself_areNotKept() {
        List<Integer> ports = Cluster.freePorts(1);
        Config config = configured(Cluster.memberConfig(cluster.name, ports.get(0), ports));
        config.getMapConfig(NAME).setNearCacheConfig(new NearCacheConfig(NAME));
        CompactMap<Integer, Trade> map = CompactMap.of(cluster.member(config), NAME, new Trade.Codec());
        for (int key = 0; key < 20; key++) {
            map.set(key, Trade.of(key));
            assertThat(map.get(key)).isEqualTo(Trade.of(key));
            assertThat(map.getAll(Set.of(key))).isEqualTo(Map.of(key, Trade.of(key)));
        }
        assertThat(map.get(20)).isNull();
        assertThat(stats(map).getOwnedEntryCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "true, BINARY, true",
        "true, BINARY, false",
        "true, OBJECT, true",
        "true, OBJECT, false",
        "false, BINARY, true",
        "false, BINARY, false",
        "false, OBJECT, true",
        "false, OBJECT, false"
    })
    void secondRead_makesNoRequest_inEitherView(boolean isClient, InMemoryFormat format, boolean serializeKeys) {
        List<HazelcastInstance> instances = start(isClient, format, serializeKeys);
        HazelcastInstance other = instances.get(1);
        CompactMap<Integer, Trade> map = CompactMap.of(instances.get(0), NAME, new Trade.Codec());
        IMap<Integer, GenericRecord> theirs = instances.get(0).getMap(NAME);
        for (int key = 0; key < 20; key++) {
            map.set(key, Trade.of(key));
            long none = hits(other, key);
            // In turn the first read is ours or theirs; whatever comes then is in the near cache.
            assertThat(key % 2 == 0 ? map.get(key) : Trade.of(Objects.requireNonNull(theirs.get(key))))
                    .isEqualTo(Trade.of(key));
            assertThat(hits(other, key)).isEqualTo(none + 1);
            for (int i = 0; i < 3; i++) {
                assertThat(map.get(key)).isEqualTo(Trade.of(key));
                assertThat(Trade.of(Objects.requireNonNull(theirs.get(key)))).isEqualTo(Trade.of(key));
                assertThat(map.getAsync(key).toCompletableFuture().join()).isEqualTo(Trade.of(key));
                assertThat(map.getAll(Set.of(key))).isEqualTo(Map.of(key, Trade.of(key)));
                assertThat(Objects.requireNonNull(map.getView(key)).value("number"))
                        .isEqualTo(key);
                assertThat(map.getBytes(key)).isNotNull();
            }
            assertThat(hits(other, key)).isEqualTo(none + 1);
        }
        assertThat(stats(map).getOwnedEntryCount()).isEqualTo(20);
        assertThat(stats(map).getHits()).isEqualTo(20 * 18);
        for (int key = 20; key < 40; key++) {
            map.set(key, Trade.of(key));
        }
        Set<Integer> keys = IntStream.range(10, 50).boxed().collect(Collectors.toSet());
        Map<Integer, Trade> expected = IntStream.range(10, 40).boxed().collect(Collectors.toMap(key -> key, Trade::of));
        long before = hits(other, 30);
        for (int i = 0; i < 3; i++) {
            assertThat(map.getAll(keys)).isEqualTo(expected);
        }
        assertThat(hits(other, 30)).isEqualTo(before + 1);
        assertThat(stats(map).getOwnedEntryCount()).isEqualTo(40);
        long hits = stats(map).getHits();
        assertThat(map.get(1000)).isNull();
        assertThat(map.get(1000)).isNull();
        assertThat(theirs.get(1000)).isNull();
        assertThat(stats(map).getHits()).isEqualTo(hits + 2);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void writesHere_areReadAtOnce(boolean isClient, boolean serializeKeys) {
        CompactMap<Integer, Trade> map = CompactMap.of(
                start(isClient, InMemoryFormat.BINARY, serializeKeys).get(0), NAME, new Trade.Codec());
        List<BiConsumer<Trade, Trade>> writes = List.of(
                (former, next) -> map.set(1, next),
                (former, next) -> map.set(1, next, 1, TimeUnit.HOURS),
                (former, next) -> map.set(1, next, 1, TimeUnit.HOURS, 1, TimeUnit.HOURS),
                (former, next) -> map.setAll(Map.of(1, next)),
                (former, next) -> map.putAll(Map.of(1, next)),
                (former, next) -> map.put(1, next),
                (former, next) -> map.put(1, next, 1, TimeUnit.HOURS),
                (former, next) -> map.put(1, next, 1, TimeUnit.HOURS, 1, TimeUnit.HOURS),
                (former, next) -> map.replace(1, next),
                (former, next) -> assertThat(map.replace(1, former, next)).isTrue(),
                (former, next) -> map.compute(1, (key, value) -> next),
                (former, next) -> map.computeIfPresent(1, (key, value) -> next),
                (former, next) -> map.setAsync(1, next).toCompletableFuture().join(),
                (former, next) -> map.putAsync(1, next).toCompletableFuture().join(),
                (former, next) ->
                        map.setAllAsync(Map.of(1, next)).toCompletableFuture().join(),
                (former, next) ->
                        map.putAllAsync(Map.of(1, next)).toCompletableFuture().join());
        List<Runnable> removals = List.of(
                () -> map.remove(1),
                () -> map.delete(1),
                () -> map.removeAsync(1).toCompletableFuture().join(),
                () -> map.deleteAsync(1).toCompletableFuture().join(),
                () -> map.removeAll(FieldPredicate.greaterEqual("number", 0)),
                () -> map.evict(1),
                map::evictAll,
                map::clear);
        Trade former = Trade.of(0);
        map.set(1, former);
        for (int i = 1; i <= 3 * writes.size(); i++) {
            assertThat(map.get(1)).isEqualTo(former);
            assertThat(map.get(1)).isEqualTo(former);
            Trade next = Trade.of(i);
            writes.get(i % writes.size()).accept(former, next);
            assertThat(map.get(1)).as("write %d", i % writes.size()).isEqualTo(next);
            former = next;
        }
        for (Runnable removal : removals) {
            map.set(1, former);
            assertThat(map.get(1)).isEqualTo(former);
            removal.run();
            assertThat(map.get(1)).as("removal %d", removals.indexOf(removal)).isNull();
            assertThat(map.putIfAbsent(1, former)).isNull();
            assertThat(map.get(1)).isEqualTo(former);
        }
        assertThat(stats(map).getHits()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"true, BINARY", "true, OBJECT", "false, BINARY", "false, OBJECT"})
    void writesOfOthers_invalidate(boolean isClient, InMemoryFormat format) {
        List<HazelcastInstance> instances = start(isClient, format, false);
        CompactMap<Integer, Trade> map = CompactMap.of(instances.get(0), NAME, new Trade.Codec());
        CompactMap<Integer, Trade> others = CompactMap.of(instances.get(1), NAME, new Trade.Codec());
        for (int i = 0; i < 10; i++) {
            Trade next = Trade.of(i);
            if (i % 2 == 0) {
                others.put(1, next);
            } else {
                others.map().set(1, next.generic());
            }
            long end = System.nanoTime() + PROMPTLY.toNanos();
            while (!next.equals(map.get(1)) && System.nanoTime() < end) {
                LockSupport.parkNanos(100_000);
            }
            assertThat(map.get(1)).isEqualTo(next);
        }
        assertThat(stats(map).getHits()).isPositive();
    }
}
