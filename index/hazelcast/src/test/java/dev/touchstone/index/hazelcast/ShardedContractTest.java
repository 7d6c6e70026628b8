package dev.touchstone.index.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastInstance;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds a sharded index to what one local index with the same prices answers. */
@Tag("sweep")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ShardedContractTest {
    private static final int OFFERINGS = 9;
    private static final int VERSIONS = 120;

    /** The sharded index, and what it should hold. */
    private static final class Pair {
        final ShardedPrices prices = new ShardedPrices("o", OFFERINGS);
        final PriceIndex local = ShardedPrices.schema();
        final Map<String, Long> versions = new HashMap<>(); // of offerings with prices

        long version(PriceQuery query) {
            String offering = query.offering();
            return offering == null
                    ? versions.values().stream()
                            .mapToLong(Long::longValue)
                            .max()
                            .orElse(1)
                    : versions.getOrDefault(offering, 1L);
        }

        void update(ShardedPriceIndex sharded, String what) throws ShardUpdateException {
            PriceBatch batch = prices.batch(12, local);
            local.update(batch);
            Map<String, Long> expected = new HashMap<>();
            for (String offering : offerings(batch)) {
                if (local.prices(offering).isEmpty()) {
                    versions.remove(offering);
                } else {
                    versions.merge(offering, 2L, (old, two) -> old + 1);
                }
                expected.put(offering, versions.getOrDefault(offering, 1L));
            }
            assertThat(sharded.update(batch)).as(what).isEqualTo(expected);
        }

        private static Set<String> offerings(PriceBatch batch) {
            Set<String> offerings = new HashSet<>();
            batch.visit(new PriceBatch.Visitor() {
                @Override
                public void put(Price price) {
                    offerings.add(price.offering());
                }

                @Override
                public void remove(String offering, String id) {
                    offerings.add(offering);
                }
            });
            return offerings;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, MEMBER, 0",
        "2, MEMBER, 0",
        "3, MEMBER, 0",
        "2, MEMBER, 4",
        "1, CLIENT, 0",
        "3, CLIENT, 0",
        "2, CLIENT, 4"
    })
    void answers_areThoseOfOneIndex(int members, String side, int nearCacheOfferings) throws Exception {
        try (ShardedCluster cluster = new ShardedCluster(members)) {
            HazelcastInstance first = start(cluster, members, side.equals("MEMBER") ? nearCacheOfferings : 0);
            HazelcastInstance user = side.equals("MEMBER") ? first : cluster.client(nearCacheOfferings);
            ShardedPriceIndex sharded = ShardedCluster.index(user);
            Pair pair = new Pair();
            for (int version = 0; version < VERSIONS; version++) {
                String what = "seed=" + pair.prices.seed + " version=" + version;
                pair.update(sharded, what);
                check(sharded, pair, what);
            }
            assertThat(sharded.stats().offerings()).isEqualTo(pair.local.stats().offerings());
            assertThat(sharded.stats().failures()).isZero();
        }
    }

    private static HazelcastInstance start(ShardedCluster cluster, int members, int nearCacheOfferings) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            ports.add(cluster.port(i));
        }
        HazelcastInstance first = cluster.member(cluster.memberConfig(0, ports, nearCacheOfferings));
        for (int i = 1; i < members; i++) {
            cluster.member(cluster.memberConfig(i, ports, nearCacheOfferings));
        }
        assertThat(first.getCluster().getMembers()).hasSize(members);
        return first;
    }

    private static void check(ShardedPriceIndex sharded, Pair pair, String what) {
        List<PriceQuery> queries = new ArrayList<>();
        List<SearchResult> expected = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            long seed = pair.prices.random.nextLong();
            PriceQuery local = pair.prices.query(pair.local::query, seed);
            PriceQuery query = pair.prices.query(sharded::query, seed);
            String shown = what + " policy=" + local.policy() + " " + local;
            expected.add(pair.local.search(local));
            queries.add(query);
            SearchResult result = sharded.search(query);
            ShardedPrices.assertSame(result, expected.get(i), shown);
            assertThat(result.version()).as(shown).isEqualTo(pair.version(query));
            assertThat(sharded.count(query)).as(shown).isEqualTo(pair.local.count(local));
        }
        List<SearchResult> all = sharded.searchAll(queries);
        List<SearchResult> each = new ArrayList<>();
        assertThat(sharded.searchEach(queries.iterator(), 3, each::add)).isEqualTo(queries.size());
        for (int i = 0; i < queries.size(); i++) {
            ShardedPrices.assertSame(all.get(i), expected.get(i), what + " searchAll " + queries.get(i));
            ShardedPrices.assertSame(each.get(i), expected.get(i), what + " searchEach " + queries.get(i));
        }
        String offering = pair.prices.offering();
        List<Price> prices = pair.local.prices(offering);
        assertThat(sharded.prices(offering)).as(what).isEqualTo(prices);
        assertThat(sharded.copyOf(offering).prices(offering)).as(what).isEqualTo(prices);
        for (int id = 0; id < 12; id++) {
            assertThat(sharded.price(offering, "p" + id)).as(what).isEqualTo(pair.local.price(offering, "p" + id));
        }
    }
}
