package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Facet;
import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All matches, their numbers and their values, and single prices by id: as a plain comparison of values and a database tell them. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FacetsTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

    @ParameterizedTest
    @CsvSource({
        // rows that are merged at once, maximum rows of a block, fields, distinct values, offerings, prices, updates
        "1, 4, 6, 5, 3, 100, 12", //
        "4, 64, 8, 30, 2, 400, 12",
        "1024, 131072, 4, 4, 1, 800, 6",
    })
    void matches_ofManyBlocks_areThoseOfAModel(
            int small, int most, int fields, int distinct, int offerings, int count, int updates) throws SQLException {
        RandomPrices random = new RandomPrices(seed, fields, distinct, offerings);
        PriceModel model = PriceModel.of(random.prices(count));
        PriceIndex index = random.builder().blocks(small, most).build(model.all());
        try (Connection database = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            database.createStatement().execute("create table had (place integer)");
            database.setAutoCommit(false);
            for (int version = 1; version <= updates; version++) {
                String what = "seed=" + seed + " version=" + version;
                for (int i = 0; i < 15; i++) {
                    assertMatches(random, model, index, database, what + " query=" + i);
                }
                PriceModel.Update update = model.random(random, 20);
                model.apply(update);
                index.update(update.batch());
                assertById(random, model, index, what);
            }
        }
    }

    private static void assertMatches(
            RandomPrices random, PriceModel model, PriceIndex index, Connection database, String where)
            throws SQLException {
        String offering = random.random.nextInt(3) == 0 ? null : random.offering();
        List<Condition> conditions = random.conditions(3);
        boolean hasWildcards = random.random.nextBoolean();
        List<MatchPolicy> policies = List.of(MatchPolicy.values());
        MatchPolicy policy = policies.get(random.random.nextInt(policies.size()));
        String what = where + " offering=" + offering + " policy=" + policy + " " + conditions;
        PriceQuery query = Answers.query(index, offering, conditions)
                .wildcards(hasWildcards)
                .policy(policy);
        List<Price> matching = Answers.matching(model.all(), offering, conditions, hasWildcards);
        List<Price> expected = policy == MatchPolicy.SPECIFIC ? Answers.mostSpecific(query, matching) : matching;
        List<Price> found = new ArrayList<>();
        assertThat(index.forEach(query, () -> false, found::add)).as(what).isEqualTo(index.version());
        assertThat(found).as(what).isEqualTo(expected);
        List<Price> iterated = new ArrayList<>();
        index.iterator(query, () -> false).forEachRemaining(iterated::add);
        assertThat(iterated).as(what).isEqualTo(expected);
        assertThat(index.count(query)).as(what).isEqualTo(expected.size());
        int top = random.random.nextInt(6);
        List<String> names = index.fields().stream().map(Field::name).toList();
        List<Facet> facets = index.facets(query, names, top, () -> false);
        for (Facet facet : facets) {
            assertThat(facet.version()).as(what).isEqualTo(index.version());
            assertFacet(
                    facet,
                    expected,
                    top,
                    database,
                    what + " field=" + facet.field().name());
        }
    }

    /** Compares with the groups that a database makes. */
    private static void assertFacet(Facet facet, List<Price> matches, int top, Connection database, String what)
            throws SQLException {
        String name = facet.field().name();
        Map<Long, Object> values = new HashMap<>(); // by their places in ascending order
        Map<Object, Long> places = new HashMap<>();
        matches.stream()
                .flatMap(price -> values(price, name).stream())
                .distinct()
                .sorted()
                .forEach(value -> {
                    values.put((long) places.size(), value);
                    places.put(value, (long) places.size());
                });
        Map<Object, Long> expected = new LinkedHashMap<>();
        try (Statement statement = database.createStatement()) {
            statement.execute("delete from had");
            try (PreparedStatement insert = database.prepareStatement("insert into had values (?)")) {
                for (Price price : matches) {
                    for (Object value : values(price, name)) {
                        insert.setLong(1, places.getOrDefault(value, -1L));
                        insert.execute();
                    }
                }
            }
            try (ResultSet rows = statement.executeQuery(
                    "select place, count(*) from had group by place order by 2 desc, 1 limit " + top)) {
                while (rows.next()) {
                    expected.put(values.getOrDefault(rows.getLong(1), ""), rows.getLong(2));
                }
            }
        }
        assertThat(facet.values())
                .as(what)
                .isEqualTo(expected.entrySet().stream()
                        .map(entry -> new Facet.Value(entry.getKey(), entry.getValue()))
                        .toList());
        assertThat(facet.distinct()).as(what).isEqualTo(values.size());
        assertThat(facet.missing())
                .as(what)
                .isEqualTo(matches.stream()
                        .filter(price -> values(price, name).isEmpty())
                        .count());
    }

    private static Set<?> values(Price price, String name) {
        Object value = price.conditions().get(name);
        if (value instanceof Set<?> several) {
            return several;
        }
        return value == null ? Set.of() : Set.of(value);
    }

    private static void assertById(RandomPrices random, PriceModel model, PriceIndex index, String what) {
        for (Price price : model.all()) {
            assertThat(index.price(price.offering(), price.id())).as(what).isEqualTo(price);
        }
        for (int i = 0; i < 50; i++) {
            Price some = random.price("p" + i);
            Price expected = model.prices(some.offering()).stream()
                    .filter(price -> price.id().equals(some.id()))
                    .findFirst()
                    .orElse(null);
            assertThat(index.price(some.offering(), some.id())).as(what).isEqualTo(expected);
        }
        assertThat(index.price("no such offering", "p1")).as(what).isNull();
    }

    private static PriceIndex numbered(int prices) {
        return PriceIndex.builder()
                .integer("number")
                .build(IntStream.range(0, prices)
                        .mapToObj(i -> Price.of("p" + i, "tea", Map.of("number", (long) i), BigDecimal.ONE))
                        .toList());
    }

    @Test
    void facets_ofTooManyValues_areRefusedByFieldAndLimit() {
        PriceIndex index = numbered(Facet.MAX_VALUES + 1);
        PriceQuery query = index.query().offering("tea");
        assertThatThrownBy(() -> index.facets(query, List.of("number"), 1, () -> false))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("field=number")
                .hasMessageContaining("at most 100000");
        query.atLeast(index.field("number"), 1L);
        assertThat(index.facets(query, List.of("number"), 1, () -> false).get(0).distinct())
                .isEqualTo(Facet.MAX_VALUES);
    }

    @Test
    void facets_ofTooManyValuesTogether_areRefused() {
        PriceIndex index = numbered(Facet.MAX_VALUES / 2 + 1);
        assertThat(index.facets(index.query(), List.of("number"), 1, () -> false))
                .hasSize(1);
        assertThatThrownBy(() -> index.facets(index.query(), List.of("number", "number"), 1, () -> false))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("expected=at most 100000 of all facets");
    }

    /** Returns a check that says to stop when it is called for the n-th time. */
    private static BooleanSupplier atCall(int n) {
        AtomicInteger calls = new AtomicInteger();
        return () -> calls.incrementAndGet() == n;
    }

    @Test
    void methodsOverAllMatches_endAtEachCheck() {
        PriceIndex large = numbered(280_000); // three blocks
        PriceIndex many = PriceIndex.builder()
                .string("kind")
                .build(IntStream.range(0, 200)
                        .mapToObj(i -> Price.of("p", "o" + i, Map.of("kind", "k"), BigDecimal.ONE))
                        .toList());
        PriceQuery ofOne = large.query().offering("tea");
        PriceQuery nested = many.query().anyOf(many.query());
        assertEndsAtEachCheck(2, check -> large.count(ofOne, check));
        assertEndsAtEachCheck(2, check -> large.search(ofOne, check));
        assertEndsAtEachCheck(4, check -> many.count(many.query(), check));
        assertEndsAtEachCheck(4, check -> many.search(many.query(), check));
        assertEndsAtEachCheck(200, check -> many.count(nested, check));
        assertEndsAtEachCheck(201, check -> many.facets(many.query(), List.of("kind"), 1, check));
        assertEndsAtEachCheck(20, check -> PricePage.of(large, ofOne, PricePage.Order.byId(), null, check));
    }

    /** Checks that a method is stopped by each of its checks, of which there are at least so many, and that it ends without them. */
    private static void assertEndsAtEachCheck(int checks, Consumer<BooleanSupplier> method) {
        for (int n = 1; n <= checks; n++) {
            BooleanSupplier check = atCall(n);
            assertThatThrownBy(() -> method.accept(check)).isInstanceOf(CancellationException.class);
        }
        method.accept(() -> false);
    }

    @Test
    void facets_ofBadArguments_areRefused() {
        PriceIndex index = numbered(1);
        assertThatThrownBy(() -> index.facets(index.query(), List.of("nobody"), 1, () -> false))
                .isInstanceOf(UnknownFieldException.class);
        assertThatThrownBy(() -> index.facets(index.query(), List.of("number"), -1, () -> false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("top=-1");
        assertThatThrownBy(() -> index.count(numbered(1).query())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void iterator_duringUpdates_staysAtItsVersion() {
        PriceIndex index = numbered(500);
        Iterator<Price> prices = index.iterator(index.query(), () -> false);
        for (int i = 0; i < 500; i++) {
            assertThat(prices.next().id()).isEqualTo("p" + i);
            index.update(new PriceBatch().remove("tea", "p" + (i + 1)));
        }
        assertThat(prices.hasNext()).isFalse();
        assertThatThrownBy(prices::next).isInstanceOf(NoSuchElementException.class);
        assertThat(index.iterator(index.query().offering("none"), () -> false).hasNext())
                .isFalse();
        Iterator<Price> stopped = index.iterator(index.query(), () -> true);
        assertThatThrownBy(stopped::hasNext)
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("offering='tea'");
    }

    @Test
    void forEach_stopped_throwsWithThePlace() {
        PriceIndex index = numbered(1);
        assertThatThrownBy(() -> index.forEach(index.query(), () -> true, price -> {}))
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("offering='tea' row=0");
    }

    /** Checks that a search is stopped at an offering that has prices: the place of one that was removed has no name. */
    @Test
    void search_stoppedAtEachCall_namesAnOfferingWithPrices() {
        List<Price> prices = IntStream.range(0, 100)
                .mapToObj(i -> Price.of("p", "o" + i, Map.of("number", (long) i), BigDecimal.ONE))
                .toList();
        PriceIndex index = PriceIndex.builder().integer("number").build(prices);
        PriceBatch removals = new PriceBatch();
        IntStream.range(0, 60).forEach(i -> removals.remove("o" + i * 7 % 100, "p"));
        index.update(removals);
        for (int calls = 0; calls < 40; calls++) {
            int last = calls;
            AtomicInteger asked = new AtomicInteger();
            assertThatThrownBy(() -> index.forEach(index.query(), () -> asked.getAndIncrement() == last, price -> {}))
                    .as("calls=%d", calls)
                    .isInstanceOf(CancellationException.class)
                    .hasMessageContaining("offering='o");
            asked.set(0);
            Iterator<Price> iterator = index.iterator(index.query(), () -> asked.getAndIncrement() == last);
            assertThatThrownBy(() -> iterator.forEachRemaining(price -> {}))
                    .as("calls=%d", calls)
                    .isInstanceOf(CancellationException.class)
                    .hasMessageContaining("offering='o");
        }
    }
}
