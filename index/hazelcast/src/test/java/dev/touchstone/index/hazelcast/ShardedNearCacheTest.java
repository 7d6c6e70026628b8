package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of shards at a member and at a client: searched at home, never behind their own updates, and at last up to date with those of others. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShardedNearCacheTest {
    private static final int UPDATES = 1500;
    private static final String PERIOD = "hazelcast.map.invalidation.batchfrequency.seconds";

    private static PriceBatch change(int number) {
        return new PriceBatch().put(Price.of("p", "o", Map.of(), BigDecimal.valueOf(number)));
    }

    private static int value(SearchResult result) {
        return result instanceof SearchResult.Found found ? found.value(0).intValueExact() : -1;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void ownUpdates_areSeenAtOnce_whileOthersSearch(boolean isClient) throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(2)) {
            List<Integer> ports = List.of(cluster.port(0), cluster.port(1));
            HazelcastInstance member =
                    cluster.member(cluster.memberConfig(0, ports, 10).setProperty(PERIOD, "1"));
            ShardedPriceIndex others = ShardedCluster.index(
                    cluster.member(cluster.memberConfig(1, ports, 0).setProperty(PERIOD, "1")));
            ShardedPriceIndex index = ShardedCluster.index(isClient ? cluster.client(10) : member);
            AtomicBoolean isOver = new AtomicBoolean();
            List<CompletableFuture<Void>> readers = IntStream.range(0, 2)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> {
                        PriceQuery query = index.query().offering("o");
                        int last = -1;
                        while (!isOver.get()) {
                            int seen = value(index.search(query));
                            last = Math.max(last, seen);
                        }
                    }))
                    .toList();
            try {
                PriceQuery query = index.query().offering("o");
                for (int i = 0; i < UPDATES; i++) {
                    index.update(change(i));
                    assertThat(value(index.search(query))).as("update=%d", i).isEqualTo(i);
                }
            } finally {
                isOver.set(true);
                readers.forEach(CompletableFuture::join);
            }
            long misses = index.stats().nearCacheMisses();
            for (int i = 0; i < 1000; i++) {
                assertThat(value(index.search(index.query().offering("o")))).isEqualTo(UPDATES - 1);
            }
            assertThat(index.stats().nearCacheMisses() - misses).isLessThan(1000);
            others.update(change(UPDATES));
            while (value(index.search(index.query().offering("o"))) != UPDATES) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    /** An update that waits, as one does that is sent again when a member has left, and a search that brings the old prices back meanwhile. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void updateThatWaits_isSeenWhenItReturns(boolean isClient) throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(2)) {
            List<Integer> ports = List.of(cluster.port(0), cluster.port(1));
            HazelcastInstance member = cluster.member(cluster.memberConfig(0, ports, 10));
            HazelcastInstance other = cluster.member(cluster.memberConfig(1, ports, 0));
            ShardedPriceIndex index = ShardedCluster.index(isClient ? cluster.client(10) : member);
            index.update(change(1));
            PriceQuery query = index.query().offering("o");
            assertThat(value(index.search(query))).isEqualTo(1);
            long misses = index.stats().nearCacheMisses();
            IMap<String, Object> map = other.getMap(ShardedCluster.INDEX + ".offerings");
            map.lock("o");
            CompletableFuture<Map<String, Long>> update = CompletableFuture.supplyAsync(() -> updated(index));
            while (index.stats().nearCacheMisses() == misses) {
                assertThat(value(index.search(query))).isEqualTo(1);
            }
            map.unlock("o");
            assertThat(update.join()).isEqualTo(Map.of("o", 3L));
            assertThat(value(index.search(query))).isEqualTo(2);
        }
    }

    private static Map<String, Long> updated(ShardedPriceIndex index) {
        try {
            return index.update(change(2));
        } catch (ShardUpdateException e) {
            throw new UncheckedIOException(e);
        }
    }
}
