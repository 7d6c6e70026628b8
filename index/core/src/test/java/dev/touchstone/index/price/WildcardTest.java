package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Plan;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.engine.QueryAccess;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Price lists in which a price without a value of a field is for all values, and the most specific price wins. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WildcardTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

    private static PriceIndex index() {
        return PriceIndex.builder()
                .string("country")
                .string("customer")
                .integer("quantity")
                .build(List.of(
                        price("all", Map.of()),
                        price("germany", Map.of("country", "DE")),
                        price("ada", Map.of("customer", "ada")),
                        price("ada in germany", Map.of("country", "DE", "customer", "ada")),
                        price("ten", Map.of("quantity", 10L))));
    }

    private static Price price(String id, Map<String, Object> conditions) {
        return Price.of(id, "tea", conditions, BigDecimal.ONE);
    }

    private static PriceQuery query(PriceIndex index, String country, String customer) {
        return index.query()
                .wildcards(true)
                .policy(MatchPolicy.SPECIFIC)
                .offering("tea")
                .eq("country", country)
                .eq("customer", customer);
    }

    private static String winner(PriceIndex index, PriceQuery query) {
        return index.search(query) instanceof SearchResult.Found found ? found.id(0) : "none";
    }

    @Test
    void search_mostSpecific_goesByTheOrderOfFields() {
        PriceIndex index = index();
        assertThat(winner(index, query(index, "DE", "ada").eq("quantity", 10L))).isEqualTo("ada in germany");
        assertThat(winner(index, query(index, "DE", "bob").eq("quantity", 10L))).isEqualTo("germany");
        assertThat(winner(index, query(index, "FR", "ada").eq("quantity", 10L))).isEqualTo("ada");
        assertThat(winner(index, query(index, "FR", "bob").eq("quantity", 10L))).isEqualTo("ten");
        assertThat(winner(index, query(index, "FR", "bob").eq("quantity", 11L))).isEqualTo("all");
        PriceQuery byQuantity = query(index, "DE", "ada").eq("quantity", 10L).precedence(List.of("quantity"));
        assertThat(winner(index, byQuantity)).isEqualTo("ten");
    }

    @Test
    void search_equallySpecificPrices_isAmbiguousUnlessOneIsADefault() {
        PriceIndex index = index();
        PriceQuery query =
                query(index, "DE", "ada").precedence(List.of("quantity")).ne("quantity", 10L);
        assertThat(index.search(query)).isEqualTo(new SearchResult.Ambiguous(1, 4));
        index.update(new PriceBatch().put(new Price("standard", "tea", Map.of(), BigDecimal.TEN, "", true, null)));
        assertThat(winner(index, query)).isEqualTo("standard");
    }

    @Test
    void search_withoutWildcards_needsValues() {
        PriceIndex index = index();
        assertThat(winner(index, query(index, "DE", "bob").wildcards(false))).isEqualTo("none");
    }

    @Test
    void within_openIntervals_haveNoLimit() {
        Instant begin = Instant.parse("2026-01-01T00:00:00Z");
        Instant end = Instant.parse("2027-01-01T00:00:00Z");
        PriceIndex index = PriceIndex.builder()
                .dateTime("from")
                .dateTime("to")
                .build(List.of(
                        price("always", Map.of()),
                        price("since", Map.of("from", begin)),
                        price("until", Map.of("to", end)),
                        price("year", Map.of("from", begin, "to", end))));
        PriceQuery query = index.query().wildcards(true).policy(MatchPolicy.ALL);
        Map<Instant, List<String>> expected = Map.of(
                begin.minusSeconds(1),
                List.of("always", "until"),
                begin,
                List.of("always", "since", "until", "year"),
                end.minusSeconds(1),
                List.of("always", "since", "until", "year"),
                end,
                List.of("always", "since"));
        expected.forEach((time, ids) -> {
            query.clear().offering("tea").within(index.field("from"), index.field("to"), time);
            SearchResult.Found found = (SearchResult.Found) index.search(query);
            assertThat(found.prices()).as("time=%s", time).extracting(Price::id).isEqualTo(ids);
        });
    }

    /** Prices of 10 fields have more combinations of fields than are looked up one by one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 10})
    void search_valuesOfAllFields_answersAsAPlainComparison(int fields) {
        RandomPrices random = new RandomPrices(seed, fields, 2, 1);
        List<Price> prices = random.prices(2_000);
        PriceIndex index = random.builder().build(prices.subList(0, 1_200));
        update(index, prices.subList(1_200, 1_900)); // further blocks
        update(index, prices.subList(1_900, 2_000));
        for (int i = 0; i < 300; i++) {
            List<Condition> conditions = new ArrayList<>();
            List<String> precedence = new ArrayList<>();
            for (Field field : random.fields) {
                precedence.add(random.random.nextInt(precedence.size() + 1), field.name());
                boolean isUnknown = field.type() == FieldType.STRING && random.random.nextInt(4) == 0;
                Object value = isUnknown ? "nobody has this" : random.value(field);
                conditions.add(new Condition(field, Condition.Kind.EQ, List.of(value)));
            }
            String offering = prices.get(0).offering();
            List<Price> expected = Answers.matching(prices, offering, conditions, true);
            PriceQuery query = Answers.query(index, offering, conditions).wildcards(true);
            if (random.random.nextBoolean()) {
                query.precedence(precedence.subList(0, random.random.nextInt(fields + 1)));
            }
            Answers.assertAnswers(index, query, expected, 3, "seed=" + seed + " query=" + i + " " + conditions);
        }
    }

    private static void update(PriceIndex index, List<Price> prices) {
        PriceBatch batch = new PriceBatch();
        prices.forEach(batch::put);
        index.update(batch);
    }

    @Test
    void explain_mostSpecific_listsTheMatchesByTheirFields() {
        PriceIndex index = index();
        PriceQuery query = query(index, "DE", "ada").precedence(List.of("customer", "country"));
        assertThat(index.explain(query).ranks())
                .containsExactly(
                        new Explanation.Rank(List.of("customer", "country"), 1),
                        new Explanation.Rank(List.of("customer"), 1),
                        new Explanation.Rank(List.of("country"), 1),
                        new Explanation.Rank(List.of(), 2));
        assertThat(index.explain(query.policy(MatchPolicy.ALL)).ranks()).isEmpty();
    }

    @Test
    void explain_manyRanks_keepsTheHighest() {
        RandomPrices random = new RandomPrices(seed, 10, 2, 1);
        List<Price> prices = random.prices(2_000);
        PriceIndex index = random.builder().build(prices);
        PriceQuery query = index.query().policy(MatchPolicy.SPECIFIC).wildcards(true);
        List<Explanation.Rank> ranks = index.explain(query).ranks();
        assertThat(ranks).as("seed=%d", seed).hasSize(Explanation.MAX_RANKS);
        for (Explanation.Rank rank : ranks) {
            assertThat(rank.matches())
                    .as("seed=%d %s", seed, rank)
                    .isEqualTo(prices.stream()
                            .filter(price -> price.conditions().keySet().equals(Set.copyOf(rank.fields())))
                            .count());
        }
    }

    @Test
    void search_fewCombinationsOfFields_looksThemUp() {
        PriceIndex index = index();
        PriceQuery query = query(index, "DE", "ada").eq("quantity", 10L);
        assertThat(index.explain(query).plan()).isEqualTo(Plan.SCAN);
        PriceBatch batch = new PriceBatch();
        for (int i = 0; i < 20; i++) {
            batch.put(price("copy" + i, Map.of("country", i % 2 == 0 ? "DE" : "FR")));
        }
        index.update(batch);
        assertThat(index.explain(query).plan()).isEqualTo(Plan.KEYS);
        assertThat(winner(index, query)).isEqualTo("ada in germany");
    }

    @Test
    void precedence_ofNoFieldOrOneTwice_isRefusedOrTheFirst() {
        PriceQuery query = index().query();
        query.precedence(List.of("customer", "country", "customer"));
        assertThat(QueryAccess.precedence(query.bound)).containsExactly(1, 0);
        assertThatThrownBy(() -> query.precedence(List.of("country", "nobody")))
                .isInstanceOf(UnknownFieldException.class)
                .hasMessageContaining("nobody");
    }
}
