package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.engine.QueryAccess;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a query may be given, and what it refuses. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PriceQueryTest {
    private final PriceIndex index = PriceIndex.builder()
            .string("group")
            .integer("term")
            .decimal("amount", 2)
            .dateTime("from")
            .build(List.of(
                    Price.of("a", "o", Map.of("group", "g", "term", 12L), BigDecimal.ONE),
                    Price.of(
                            "b",
                            "o",
                            Map.of("amount", new BigDecimal("1.50"), "from", Instant.EPOCH),
                            BigDecimal.TEN)));
    private final Field group = index.field("group");
    private final Field term = index.field("term");
    private final Field amount = index.field("amount");
    private final Field from = index.field("from");

    @Test
    void condition_ofAnotherTypeThanTheField_isRefusedWithBoth() {
        assertThatThrownBy(() -> index.query().eq("term", "12"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContainingAll("term", "INTEGER", "String", "'12'");
        assertThatThrownBy(() -> index.query().eq("group", 12L))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContainingAll("group", "STRING", "Long", "'12'");
        assertThatThrownBy(() -> index.query().ne("from", 1L)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.query().eq("amount", 1.5)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.query().in("term", List.of(1L, "2"))).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.query().notIn("group", List.of("a", 2L)))
                .isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.query().between("term", 1L, BigDecimal.ONE))
                .isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.query().eq(term, new byte[] {'1', '2'}, 0, 2))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContainingAll("term", "'12'");
    }

    @Test
    void condition_onAnUnknownField_namesItAndThoseThatThereAre() {
        assertThatThrownBy(() -> index.query().eq("grop", "g"))
                .isInstanceOfSatisfying(
                        UnknownFieldException.class, e -> assertThat(e.field()).isEqualTo("grop"))
                .hasMessageContainingAll("grop", "[group, term, amount, from]");
        assertThatThrownBy(() -> index.query().in("offering", List.of())).isInstanceOf(UnknownFieldException.class);
        assertThatThrownBy(() -> index.field("x".repeat(1000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(250));
    }

    @Test
    void condition_onAFieldOfAnotherIndex_isRefused() {
        PriceIndex other = PriceIndex.builder().string("more", "group").build(List.of());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> index.query().eq(other.field("group"), "g"))
                .withMessageContaining("group");
        assertThatIllegalArgumentException().isThrownBy(() -> other.query().atLeast(from, Instant.EPOCH));
    }

    @Test
    void range_onAString_isRefused() {
        assertThatThrownBy(() -> index.query().between("group", "a", "b"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContainingAll("no range", "group", "'a'");
        assertThatThrownBy(() -> index.query().atLeast(group, "a")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.query().atMost(group, "a")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.query().greaterThan(group, "a")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.query().lessThan(group, "a")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void within_thatIsRefused_addsNoCondition() {
        Field foreign = PriceIndex.builder().dateTime("to").build(List.of()).field("to");
        PriceQuery query = index.query();
        for (Field to : List.of(group, index.field("term"), foreign)) {
            assertThatThrownBy(() -> query.within(from, to, Instant.EPOCH))
                    .isInstanceOfAny(InvalidValueException.class, IllegalArgumentException.class);
            assertThat(QueryAccess.size(query.bound)).as("to=%s", to).isZero();
        }
    }

    @Test
    void clear_ofAConditionThatNoPriceMeets_searchesAnew() {
        PriceQuery query = index.query().policy(MatchPolicy.FIRST);
        List<Consumer<PriceQuery>> unmet = List.of(
                q -> q.eq(group, "nobody"),
                q -> q.in(group, List.of("nobody")),
                q -> q.in(term, List.of()),
                q -> q.between(term, 2L, 1L));
        for (Consumer<PriceQuery> condition : unmet) {
            condition.accept(query);
            assertThat(index.search(query)).as("%s", query).isInstanceOf(SearchResult.NotFound.class);
            assertThat(index.search(query.clear())).as("%s", query).isInstanceOf(SearchResult.Found.class);
        }
    }

    @Test
    void limit_below1_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> index.query().limit(0))
                .withMessageContaining("0");
        assertThatIllegalArgumentException().isThrownBy(() -> index.query().limit(-1));
        assertThat(index.query().limit(3).limit()).isEqualTo(3);
        assertThat(index.query().limit()).isEqualTo(100);
    }

    @Test
    void bytes_outsideOfTheArray_areRefused() {
        byte[] bytes = {'g'};
        assertThatThrownBy(() -> index.query().offering(bytes, 0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.query().eq(group, bytes, 1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> index.query().eq(group, bytes, -1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void search_withAQueryOfAnotherIndex_isRefusedEverywhere() {
        PriceIndex other = PriceIndex.builder().string("group").integer("term").build(List.of());
        PriceQuery query = other.query().eq("group", "g");
        assertThatIllegalArgumentException().isThrownBy(() -> index.search(query));
        assertThatIllegalArgumentException().isThrownBy(() -> index.explain(query));
        assertThatIllegalArgumentException().isThrownBy(() -> index.searchAll(List.of(index.query(), query)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> index.searchAll(List.of(index.query(), query), Runnable::run, 2));
    }

    @Test
    void search_withAQueryOfTheIndexThatWasCopied_answers() {
        PriceQuery query = index.query().eq("group", "g");
        assertThat(((SearchResult.Found) index.copy().search(query)).id(0)).isEqualTo("a");
    }

    @Test
    void clear_forAnotherSearch_keepsPolicyAndLimit() {
        PriceQuery query = index.query()
                .offering("o")
                .eq(group, "g")
                .policy(MatchPolicy.ALL)
                .limit(5);
        query.clear();
        assertThat(query.policy()).isEqualTo(MatchPolicy.ALL);
        assertThat(query.limit()).isEqualTo(5);
        assertThat(((SearchResult.Found) index.search(query)).matches()).isEqualTo(2);
        byte[] offering = "none".getBytes(StandardCharsets.UTF_8);
        assertThat(index.search(query.offering(offering, 0, 4))).isInstanceOf(SearchResult.NotFound.class);
        assertThat(index.search(query.offering("o"))).isInstanceOf(SearchResult.Found.class);
        assertThat(index.search(query.clear())).isInstanceOf(SearchResult.Found.class);
    }

    @Test
    void search_withManyConditionsOnOneField_needsAllOfThem() {
        PriceQuery query = index.query();
        for (int i = 0; i < 200; i++) {
            query.ne("group", "other" + i).atLeast(term, 12L - i % 3);
        }
        assertThat(((SearchResult.Found) index.search(query)).id(0)).isEqualTo("a");
        assertThat(index.search(query.ne("group", "g"))).isInstanceOf(SearchResult.NotFound.class);
    }

    @Test
    void search_withContradictingConditions_findsNothing() {
        assertThat(index.search(index.query().eq("term", 12L).eq("term", 13L))).isEqualTo(new SearchResult.NotFound(1));
        assertThat(index.search(index.query().between("term", 13L, 12L))).isEqualTo(new SearchResult.NotFound(1));
        assertThat(index.search(index.query().in("group", List.of()))).isEqualTo(new SearchResult.NotFound(1));
        assertThat(((SearchResult.Found) index.search(
                                index.query().notIn("group", List.of()).policy(MatchPolicy.ALL)))
                        .matches())
                .isEqualTo(2);
    }

    /** A price never has what is beyond a long, or has more digits than the field: such a condition is a question like any other. */
    @Test
    void search_forNumbersThatNoPriceCanHave_answersWithoutWritingThemOut() {
        for (String number :
                List.of("1E+999999999", "1E-999999999", "1E+40", "1.505", "123456789012345678901234567890")) {
            for (BigDecimal value : List.of(new BigDecimal(number), new BigDecimal(number).negate())) {
                boolean isGreater = value.compareTo(new BigDecimal("1.5")) > 0;
                String what = value.toString();
                assertThat(matches(index.query().eq(amount, value), index))
                        .as(what)
                        .isZero();
                assertThat(matches(index.query().ne(amount, value), index))
                        .as(what)
                        .isEqualTo(2);
                assertThat(matches(index.query().in(amount, List.of(value)), index))
                        .as(what)
                        .isZero();
                assertThat(matches(index.query().notIn(amount, List.of(value)), index))
                        .as(what)
                        .isEqualTo(2);
                assertThat(matches(index.query().atMost(amount, value), index))
                        .as(what)
                        .isEqualTo(isGreater ? 1 : 0);
                assertThat(matches(index.query().lessThan(amount, value), index))
                        .as(what)
                        .isEqualTo(isGreater ? 1 : 0);
                assertThat(matches(index.query().atLeast(amount, value), index))
                        .as(what)
                        .isEqualTo(isGreater ? 0 : 1);
                assertThat(matches(index.query().greaterThan(amount, value), index))
                        .as(what)
                        .isEqualTo(isGreater ? 0 : 1);
            }
        }
    }

    private static long matches(PriceQuery query, PriceIndex index) {
        SearchResult result = index.search(query.policy(MatchPolicy.ALL));
        return result instanceof SearchResult.Found found ? found.matches() : 0;
    }

    @Test
    void search_atTheEndsOfALong_findsWhatIsThere() {
        PriceIndex ends = PriceIndex.builder()
                .integer("n")
                .build(List.of(
                        Price.of("least", "o", Map.of("n", Long.MIN_VALUE), BigDecimal.ONE),
                        Price.of("zero", "o", Map.of("n", 0L), BigDecimal.ONE),
                        Price.of("most", "o", Map.of("n", Long.MAX_VALUE), BigDecimal.ONE)));
        Field n = ends.field("n");
        assertThat(matches(ends.query().greaterThan(n, Long.MAX_VALUE), ends)).isZero();
        assertThat(matches(ends.query().lessThan(n, Long.MIN_VALUE), ends)).isZero();
        assertThat(matches(ends.query().atLeast(n, Long.MAX_VALUE), ends)).isEqualTo(1);
        assertThat(matches(ends.query().atMost(n, Long.MIN_VALUE), ends)).isEqualTo(1);
        assertThat(matches(ends.query().atMost(n, Long.MAX_VALUE), ends)).isEqualTo(3);
        assertThat(matches(ends.query().greaterThan(n, Long.MIN_VALUE), ends)).isEqualTo(2);
        assertThat(matches(ends.query().in(n, List.of(Long.MIN_VALUE, Long.MAX_VALUE)), ends))
                .isEqualTo(2);
        assertThat(matches(ends.query().ne(n, Long.MIN_VALUE), ends)).isEqualTo(2);
        assertThat(matches(ends.query().between(n, Long.MIN_VALUE, Long.MAX_VALUE), ends))
                .isEqualTo(3);
    }

    @Test
    void toString_ofAllOperators_saysThem() {
        assertThat(index.query()
                        .offering("o")
                        .eq(group, "g")
                        .ne(group, "h")
                        .in(group, List.of("i", "j"))
                        .notIn(term, List.of(1L, 2L))
                        .between(amount, new BigDecimal("1.5"), BigDecimal.TEN)
                        .atLeast(from, Instant.EPOCH))
                .hasToString("offering o, group = g, group <> h, group in [i, j], term not in [1, 2],"
                        + " amount between 1.50 and 10.00, from between 1970-01-01T00:00:00Z and any");
    }

    @Test
    void offeringAndPrecedence_areToldAsTheyWereSet() {
        PriceIndex index = PriceIndex.builder().string("a", "b").integer("c").build(List.of());
        PriceQuery query = index.query();
        assertThat(query.offering()).isNull();
        assertThat(query.precedence()).containsExactly("a", "b", "c");
        query.offering("unknown").precedence(List.of("c", "a", "c"));
        assertThat(query.offering()).isEqualTo("unknown");
        assertThat(query.precedence()).containsExactly("c", "a");
        assertThat(query.clear().offering()).isNull();
        index.update(new PriceBatch().put(Price.of("p", "known", Map.of(), BigDecimal.ONE)));
        assertThat(index.query().offering("known").offering()).isEqualTo("known");
    }
}
