package dev.touchstone.index.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.touchstone.index.EngineType;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.PriceQuery;
import dev.touchstone.index.SearchResult;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MixedPricesTest {
    private static final List<MatchPolicy> POLICIES = List.of(MatchPolicy.values());

    private final MixedPrices mixed = new MixedPrices(4000, 20, 9, 42);

    @Test
    void prices_ofTheSameSeed_areTheSame() {
        List<Price> prices = new ArrayList<>();
        mixed.forEach(prices::add);
        assertThat(prices).hasSize(4000).isEqualTo(list(new MixedPrices(4000, 20, 9, 42)));
        assertThat(prices.get(77)).isEqualTo(mixed.price(77));
        assertThat(prices.subList(0, 10)).doesNotContainAnyElementsOf(list(new MixedPrices(10, 20, 9, 43)));
        assertThat(new HashSet<>(prices.stream().map(Price::id).toList())).hasSize(4000);
    }

    private static List<Price> list(MixedPrices some) {
        List<Price> prices = new ArrayList<>();
        some.forEach(prices::add);
        return prices;
    }

    @Test
    void prices_haveWhatTheSeedLacks() {
        Map<String, Integer> sizes = new TreeMap<>();
        int defaults = 0;
        int open = 0;
        int wrong = 0;
        List<Set<Object>> values =
                IntStream.range(0, 9).mapToObj(MixedPricesTest::values).toList();
        for (Price price : mixed) {
            sizes.merge(price.offering(), 1, Integer::sum);
            defaults += price.isDefault() ? 1 : 0;
            open += price.conditions().containsKey("to") ? 0 : 1;
            for (int i = 0; i < 9; i++) {
                Object value = price.conditions().get("s" + i);
                wrong += value == null || values.get(i).contains(value) ? 0 : 1;
            }
        }
        assertThat(sizes).containsKeys(MixedPrices.offering(0), MixedPrices.offering(19));
        assertThat(sizes.getOrDefault(MixedPrices.offering(0), 0))
                .isGreaterThan(5 * sizes.getOrDefault(MixedPrices.offering(19), 0));
        assertThat(wrong).isZero();
        assertThat(defaults).isBetween(40, 160);
        assertThat(open).isBetween(130, 400);
    }

    private static Set<Object> values(int field) {
        Set<Object> values = new HashSet<>();
        for (int i = 0; i < MixedPrices.distinct(field); i++) {
            values.add(MixedPrices.value(field, i));
        }
        return values;
    }

    @Test
    void profile_thatCannotBe_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new MixedPrices(-1, 1, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MixedPrices(1, 0, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new MixedPrices(1, 1, -1, 1));
        assertThat(MixedPrices.large().count()).isEqualTo(2_000_000);
    }

    @Test
    void search_forRandomRequests_answersAlikeByAllEngines() {
        long seed = Long.getLong("seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        PriceIndex index = mixed.declare(PriceIndex.builder()).build(mixed);
        List<PriceQuery> queries = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            queries.add(query(index, random));
        }
        List<Object> expected = answers(index.with(EngineType.MAP), queries);
        for (EngineType type : EngineType.values()) {
            assertThat(answers(index.with(type), queries))
                    .as("seed=%d engine=%s", seed, type)
                    .isEqualTo(expected);
        }
    }

    private PriceQuery query(PriceIndex index, SplittableRandom random) {
        Price price = mixed.price(random.nextInt(mixed.count()));
        PriceQuery query = index.query()
                .policy(POLICIES.get(random.nextInt(POLICIES.size())))
                .limit(20);
        if (random.nextInt(5) > 0) {
            query.offering(price.offering());
        }
        for (int i = 0; i < 9; i++) {
            Object value = price.conditions().get("s" + i);
            if (value != null && random.nextBoolean()) {
                query.eq("s" + i, value);
            }
        }
        Instant from = (Instant) price.conditions().getOrDefault("from", Instant.EPOCH);
        switch (random.nextInt(4)) {
            case 0 -> query.atMost(index.field("from"), from).atLeast(index.field("to"), from);
            case 1 ->
                query.between("term", 10L, 30L).notIn("s3", List.of(MixedPrices.value(3, 0), MixedPrices.value(3, 5)));
            case 2 ->
                query.lessThan(index.field("amount"), new BigDecimal("5000.005"))
                        .ne("s1", MixedPrices.value(1, 1));
            default -> query.in("s2", List.of(MixedPrices.value(2, 0), MixedPrices.value(2, 3)));
        }
        return query;
    }

    private static List<Object> answers(PriceIndex index, List<PriceQuery> queries) {
        return index.searchAll(queries).stream()
                .map(result -> result instanceof SearchResult.Found found
                        ? List.of(found.matches() > 1 && found.size() == 1 ? -1L : found.matches(), found.prices())
                        : (Object) result)
                .toList();
    }
}
