package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of which one or none must match, nested at random: answered as a plain comparison of values and a database answer them. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NestedQueryTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

    /** Conditions that must all hold, beside groups of which one or none must. */
    private record Tree(List<Condition> conditions, boolean hasWildcards, List<Group> groups) {
        static Tree random(RandomPrices random, int depth) {
            List<Group> groups = new ArrayList<>();
            for (int left = depth == 0 ? 0 : random.random.nextInt(3); left > 0; left--) {
                List<Tree> trees = new ArrayList<>();
                for (int more = random.random.nextInt(4); more > 0; more--) {
                    trees.add(random(random, depth - 1));
                }
                groups.add(new Group(random.random.nextInt(3) == 0, trees));
            }
            return new Tree(random.conditions(2), random.random.nextInt(3) == 0, groups);
        }

        PriceQuery query(PriceIndex index, @Nullable String offering) {
            PriceQuery query = Answers.query(index, offering, conditions).wildcards(hasWildcards);
            for (Group group : groups) {
                PriceQuery[] some = group.trees.stream()
                        .map(tree -> tree.query(index, null))
                        .toArray(PriceQuery[]::new);
                query = group.isNone ? query.noneOf(some) : query.anyOf(some);
            }
            return query;
        }

        boolean holds(Price price) {
            return conditions.stream().allMatch(condition -> condition.holds(price, hasWildcards))
                    && groups.stream()
                            .allMatch(group ->
                                    group.isNone != group.trees.stream().anyMatch(tree -> tree.holds(price)));
        }

        String sql() {
            Stream<String> own = conditions.stream().map(condition -> condition.sql(hasWildcards));
            Stream<String> nested = groups.stream()
                    .map(group -> (group.isNone ? "not (" : "(")
                            + Stream.concat(Stream.of("0"), group.trees.stream().map(Tree::sql))
                                    .collect(Collectors.joining(" or "))
                            + ")");
            return Stream.concat(Stream.of("1"), Stream.concat(own, nested))
                    .map(text -> "coalesce(" + text + ", 0)")
                    .collect(Collectors.joining(" and ", "(", ")"));
        }

        Stream<Object> values() {
            return Stream.concat(
                    conditions.stream().flatMap(condition -> condition.values().stream()),
                    groups.stream().flatMap(group -> group.trees.stream()).flatMap(Tree::values));
        }
    }

    private record Group(boolean isNone, List<Tree> trees) {}

    @ParameterizedTest
    @CsvSource({
        // rows that are merged at once, maximum rows of a block, fields, distinct values, offerings, prices, queries
        "1, 4, 4, 3, 3, 60, 300",
        "16, 64, 6, 5, 2, 300, 300",
        "1024, 131072, 8, 4, 1, 700, 300",
    })
    void search_ofNestedQueries_answersAsAModelAndADatabase(
            int small, int most, int fields, int distinct, int offerings, int count, int queries) throws SQLException {
        RandomPrices random = new RandomPrices(seed, fields, distinct, offerings);
        PriceModel model = PriceModel.of(random.prices(count));
        PriceIndex index = random.builder().blocks(small, most).build(model.all());
        PriceModel.Update update = model.random(random, count / 4);
        Tree before = Tree.random(random, 2);
        PriceQuery old = before.query(index, null);
        model.apply(update);
        index.update(update.batch());
        String where = "seed=" + seed + " fields=" + fields;
        Answers.assertAnswers(
                index, old, model.all().stream().filter(before::holds).toList(), 2, where + " " + before);
        try (Connection database = EngineParityTest.database(model.all(), fields)) {
            for (int i = 0; i < queries; i++) {
                String offering = random.random.nextInt(3) == 0 ? null : random.offering();
                Tree tree = Tree.random(random, 3);
                String what = where + " query=" + i + " offering=" + offering + " " + tree;
                List<Price> expected = model.all().stream()
                        .filter(price -> offering == null || price.offering().equals(offering))
                        .filter(tree::holds)
                        .toList();
                assertThat(inDatabase(database, offering, tree)).as(what).isEqualTo(expected.size());
                PriceQuery query = tree.query(index, offering);
                Answers.assertAnswers(index, query, expected, 2, what);
                assertExplained(index, query.policy(MatchPolicy.ALL), expected, what);
            }
        }
    }

    /** All other ways to the matches tell the same. */
    private static void assertExplained(PriceIndex index, PriceQuery query, List<Price> expected, String what) {
        List<Price> found = new ArrayList<>();
        index.forEach(query, () -> false, found::add);
        assertThat(found).as(what).isEqualTo(expected);
        assertThat(index.count(query)).as(what).isEqualTo(expected.size());
        List<Explanation.Step> steps = index.explain(query).steps();
        assertThat(steps.get(steps.size() - 1).remaining()).as(what).isEqualTo(expected.size());
    }

    private static int inDatabase(Connection database, @Nullable String offering, Tree tree) throws SQLException {
        String sql = "select count(*) from prices where (? is null or offering = ?) and " + tree.sql();
        try (PreparedStatement select = database.prepareStatement(sql)) {
            select.setString(1, offering);
            select.setString(2, offering);
            int at = 3;
            for (Object value : tree.values().toList()) {
                select.setObject(at++, Condition.stored(value));
            }
            try (ResultSet count = select.executeQuery()) {
                return count.getInt(1);
            }
        }
    }

    private static PriceIndex index() {
        return PriceIndex.builder()
                .string("region")
                .integer("months")
                .build(List.of(
                        Price.of("a", "fibre", Map.of("region", "north", "months", 12L), BigDecimal.ONE),
                        Price.of("b", "fibre", Map.of("region", "south", "months", 24L), BigDecimal.ONE),
                        Price.of("c", "fibre", Map.of("region", "west", "months", 36L), BigDecimal.ONE)));
    }

    @Test
    void explain_ofNestedQueries_showsEachGroupAsAStep() {
        PriceIndex index = index();
        PriceQuery query = index.query()
                .offering("fibre")
                .ne("region", "west")
                .anyOf(
                        index.query().eq("region", "north").eq("months", 12L),
                        index.query().eq("months", 36L))
                .noneOf(index.query().eq("region", "north"));
        assertThat(index.explain(query).steps())
                .containsExactly(
                        new Explanation.Step("offering = fibre", 3, 3),
                        new Explanation.Step("region <> west", 2, 2),
                        new Explanation.Step(
                                "any of (region = north, months between 12 and 12), (months between 36 and 36)", 2, 1),
                        new Explanation.Step("none of (region = north)", 2, 0));
        assertThat(index.search(query.clear().offering("fibre").eq("months", 24L)))
                .isInstanceOf(SearchResult.Found.class);
    }

    @Test
    void anyOf_ofWrongQueries_isRefused() {
        PriceIndex index = index();
        PriceQuery query = index.query();
        assertThatThrownBy(() -> query.anyOf(index().query())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> query.anyOf(index.query().offering("fibre")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offering fibre");
        assertThatThrownBy(() -> query.anyOf(index.query().noneOf(query)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("at most 256");
        PriceQuery[] many = Stream.generate(index::query).limit(257).toArray(PriceQuery[]::new);
        assertThatThrownBy(() -> query.anyOf(many)).isInstanceOf(InvalidValueException.class);
        assertThat(index.count(query)).isEqualTo(3); // nothing refused was kept
    }

    @Test
    void search_ofQueriesThatGrewMeanwhile_isRefused() {
        PriceIndex index = index();
        PriceQuery inner = index.query();
        PriceQuery query = index.query().anyOf(inner, index.query());
        inner.anyOf(Stream.generate(index::query).limit(256).toArray(PriceQuery[]::new));
        assertThatThrownBy(() -> index.search(query)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.explain(query)).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.forEach(query, () -> false, price -> {}))
                .isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> index.forEach(index.query().anyOf(index.query()), () -> true, price -> {}))
                .isInstanceOf(CancellationException.class);
    }

    @Test
    void count_oneBlock_asksBeforeEachNestedQueryWhetherToStop() {
        PriceIndex index = index();
        PriceQuery[] some = Stream.generate(index::query).limit(20).toArray(PriceQuery[]::new);
        PriceQuery query = index.query().anyOf(index.query().noneOf(some), index.query());
        AtomicInteger asked = new AtomicInteger();
        assertThat(index.count(query, () -> asked.incrementAndGet() < 0)).isEqualTo(3);
        assertThat(asked.get()).isGreaterThan(some.length);
        assertThatThrownBy(() -> index.count(query, () -> asked.decrementAndGet() == 0))
                .isInstanceOf(CancellationException.class);
    }
}
