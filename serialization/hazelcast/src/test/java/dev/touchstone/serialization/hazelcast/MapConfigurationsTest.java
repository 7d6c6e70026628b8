package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.RoutingMode;
import com.hazelcast.config.Config;
import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.MapStore;
import com.hazelcast.nearcache.NearCacheStats;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.query.Predicates;
import dev.touchstone.serialization.exception.CompactFormatException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Maps that are configured otherwise: formats, indexes, stores, kinds of clients, near caches that evict or load beforehand. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MapConfigurationsTest {
    private final Cluster cluster = new Cluster();

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** With a serializer the store has objects, without one generic records. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void objectFormat_hasTheSameValues(boolean hasSerializer) {
        List<Integer> ports = Cluster.freePorts(1);
        Config config = Cluster.memberConfig(cluster.name, ports.get(0), ports);
        config.getMapConfig("objects")
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .addIndexConfig(new IndexConfig(IndexType.SORTED, "number"));
        if (hasSerializer) {
            config.getSerializationConfig().getCompactSerializationConfig().addSerializer(new Trade.Serializer());
        }
        HazelcastInstance member = cluster.member(config);
        for (HazelcastInstance side : List.of(member, cluster.client(ports))) {
            CompactMap<Integer, Trade> map = CompactMap.of(side, "objects", new Trade.Codec());
            map.set(1, Trade.of(1));
            assertThat(map.get(1)).isEqualTo(Trade.of(1));
            assertThat(map.put(1, Trade.of(2))).isEqualTo(Trade.of(1));
            assertThat(map.replace(1, Trade.of(2), Trade.of(3))).isTrue();
            assertThat(map.remove(1, Trade.of(2))).isFalse();
            assertThat(map.compute(
                            1,
                            (key, trade) ->
                                    Trade.of(Objects.requireNonNull(trade).number() + 1)))
                    .isEqualTo(Trade.of(4));
            assertThat(map.values(FieldPredicate.equal("number", 4))).containsExactly(Trade.of(4));
            assertThat(map.values(Predicates.equal("number", 4))).containsExactly(Trade.of(4));
            assertThat(map.entrySet(FieldPredicate.equal("number", 4))).containsExactly(Map.entry(1, Trade.of(4)));
            assertThat(map.getAll(Set.of(1, 2))).isEqualTo(Map.of(1, Trade.of(4)));
            assertThat(map.containsValue(Trade.of(4))).isTrue();
            assertThat(Objects.requireNonNull(map.getView(1)).value("volume")).isEqualTo(4000L);
            assertThat(map.remove(1)).isEqualTo(Trade.of(4));
        }
    }

    /** A program's store, which sees what the member deserializes. */
    private static final class Store implements MapStore<Integer, Object> {
        private static final int UNREADABLE = 666;
        private final Map<Integer, Object> stored = new ConcurrentHashMap<>();

        @Override
        public void store(Integer key, Object value) {
            stored.put(key, value);
        }

        @Override
        public void storeAll(Map<Integer, Object> values) {
            stored.putAll(values);
        }

        @Override
        public void delete(Integer key) {
            stored.remove(key);
        }

        @Override
        public void deleteAll(Collection<Integer> keys) {
            keys.forEach(stored::remove);
        }

        @Override
        public @Nullable Object load(Integer key) {
            if (key == UNREADABLE) {
                throw new IllegalStateException("store is down");
            }
            return stored.get(key);
        }

        @Override
        public Map<Integer, Object> loadAll(Collection<Integer> keys) {
            Map<Integer, Object> loaded = new HashMap<>(stored);
            loaded.keySet().retainAll(keys);
            return loaded;
        }

        @Override
        public Iterable<Integer> loadAllKeys() {
            return List.of();
        }
    }

    @Test
    void store_hasAndGivesRecords() {
        Store store = new Store();
        List<Integer> ports = Cluster.freePorts(1);
        Config config = Cluster.memberConfig(cluster.name, ports.get(0), ports);
        config.getMapConfig("stored").getMapStoreConfig().setEnabled(true).setImplementation(store);
        HazelcastInstance member = cluster.member(config);
        for (HazelcastInstance side : List.of(member, cluster.client(ports))) {
            CompactMap<Integer, Trade> map = CompactMap.of(side, "stored", new Trade.Codec());
            map.set(1, Trade.of(1));
            map.put(2, Trade.of(2));
            map.setAll(Map.of(3, Trade.of(3)));
            assertThat(store.stored).hasSize(3);
            assertThat(Trade.of((GenericRecord) Objects.requireNonNull(store.stored.get(3))))
                    .isEqualTo(Trade.of(3));
            map.evictAll();
            assertThat(map.size()).isZero();
            assertThat(map.get(1)).as("loaded").isEqualTo(Trade.of(1));
            assertThat(map.getAll(Set.of(2, 3, 4))).isEqualTo(Map.of(2, Trade.of(2), 3, Trade.of(3)));
            assertThat(map.evict(1)).isTrue();
            assertThat(map.put(1, Trade.of(5))).as("loaded").isEqualTo(Trade.of(1));
            store.stored.put(9, Trade.of(9).generic());
            store.stored.put(10, "no record");
            assertThat(map.keySet(FieldPredicate.greaterEqual("number", 3))).containsExactlyInAnyOrder(1, 3);
            assertThat(map.get(9)).isEqualTo(Trade.of(9));
            assertThatThrownBy(() -> map.get(10)).isInstanceOf(CompactFormatException.class);
            assertThatThrownBy(() -> map.get(Store.UNREADABLE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("store is down");
            assertThatThrownBy(() ->
                            map.getAsync(Store.UNREADABLE).toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("store is down");
            assertThatThrownBy(() -> map.keySet(FieldPredicate.equal("number", 9)))
                    .isInstanceOf(DamagedEntryException.class)
                    .hasMessageContaining("key=10");
            map.delete(10);
            assertThat(map.remove(9)).isEqualTo(Trade.of(9));
            map.clear();
            assertThat(store.stored).isEmpty();
        }
    }

    /** A client with one connection, which goes to one of two members. */
    @Test
    void clientWithOneConnection_reachesAllEntries() {
        List<Integer> ports = Cluster.freePorts(2);
        cluster.sides(ports);
        ClientConfig config = Cluster.clientConfig(cluster.name, List.of(ports.get(1)))
                .addNearCacheConfig(new NearCacheConfig("near"));
        config.getNetworkConfig().getClusterRoutingConfig().setRoutingMode(RoutingMode.SINGLE_MEMBER);
        HazelcastInstance client = cluster.client(config);
        for (String name : List.of("plain", "near")) {
            CompactMap<Integer, Trade> map = CompactMap.of(client, name, new Trade.Codec());
            Map<Integer, Trade> expected = new HashMap<>();
            for (int key = 0; key < 100; key++) {
                expected.put(key, Trade.of(key));
                map.set(key, Trade.of(key));
            }
            for (int i = 0; i < 2; i++) {
                assertThat(map.getAll(expected.keySet())).isEqualTo(expected);
                assertThat(map.get(77)).isEqualTo(Trade.of(77));
            }
            assertThat(map.entrySet()).isEqualTo(expected.entrySet());
            assertThat(map.values(FieldPredicate.between("number", 10, 19))).hasSize(10);
            assertThat(map.put(5, Trade.of(6))).isEqualTo(Trade.of(5));
            assertThat(map.get(5)).isEqualTo(Trade.of(6));
        }
    }

    @Test
    void nearCacheThatEvicts_givesPresentValues() {
        List<Integer> ports = Cluster.freePorts(1);
        cluster.member(ports.get(0), ports);
        NearCacheConfig near = new NearCacheConfig("near")
                .setEvictionConfig(new EvictionConfig()
                        .setMaxSizePolicy(MaxSizePolicy.ENTRY_COUNT)
                        .setEvictionPolicy(EvictionPolicy.RANDOM)
                        .setSize(20));
        HazelcastInstance client =
                cluster.client(Cluster.clientConfig(cluster.name, ports).addNearCacheConfig(near));
        CompactMap<Integer, Trade> map = CompactMap.of(client, "near", new Trade.Codec());
        for (int round = 0; round < 3; round++) {
            for (int key = 0; key < 300; key++) {
                map.set(key, Trade.of(key + round));
                assertThat(map.get(key)).isEqualTo(Trade.of(key + round));
            }
            for (int key = 0; key < 300; key++) {
                assertThat(map.get(key)).isEqualTo(Trade.of(key + round));
            }
        }
        assertThat(stats(map).getOwnedEntryCount()).isLessThanOrEqualTo(21);
    }

    @Test
    void nearCacheThatLoadsBeforehand_isReadByBothViews(@TempDir Path folder) {
        List<Integer> ports = Cluster.freePorts(1);
        cluster.member(ports.get(0), ports);
        for (boolean isFirst : new boolean[] {true, false}) {
            NearCacheConfig near = new NearCacheConfig("near").setInvalidateOnChange(true);
            near.getPreloaderConfig()
                    .setEnabled(true)
                    .setDirectory(folder.toString())
                    .setStoreInitialDelaySeconds(1)
                    .setStoreIntervalSeconds(1);
            HazelcastInstance client =
                    cluster.client(Cluster.clientConfig(cluster.name, ports).addNearCacheConfig(near));
            CompactMap<Integer, Trade> map = CompactMap.of(client, "near", new Trade.Codec());
            if (isFirst) {
                for (int key = 0; key < 50; key++) {
                    map.set(key, Trade.of(key));
                    map.get(key);
                }
                awaitAll(() -> stats(map).getLastPersistenceKeyCount());
            } else {
                awaitAll(() -> stats(map).getOwnedEntryCount());
                IMap<Integer, GenericRecord> theirs = client.getMap("near");
                for (int key = 0; key < 50; key++) {
                    assertThat(map.get(key)).isEqualTo(Trade.of(key));
                    assertThat(Trade.of(Objects.requireNonNull(theirs.get(key))))
                            .isEqualTo(Trade.of(key));
                }
                assertThat(stats(map).getHits()).isEqualTo(100);
            }
            client.shutdown();
        }
    }

    private static NearCacheStats stats(CompactMap<Integer, Trade> map) {
        return map.map().getLocalMapStats().getNearCacheStats();
    }

    private static void awaitAll(LongSupplier count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (count.getAsLong() < 50 && System.nanoTime() < end) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(count.getAsLong()).isEqualTo(50);
    }
}
