package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.engine.QueryAccess;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Prices that have several values of a field, each of which makes a condition hold. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeveralValuesTest {
    private static final List<Condition.Kind> KINDS =
            List.of(Condition.Kind.EQ, Condition.Kind.NE, Condition.Kind.IN, Condition.Kind.NOT_IN);

    private final long seed = Long.getLong("seed", System.nanoTime());

    @TempDir
    private Path folder;

    private static Price price(String id, String field, Object value) {
        return Price.of(id, "fibre", Map.of(field, value), BigDecimal.ONE);
    }

    private static Price regional(String id, String... regions) {
        return price(id, "region", List.of(regions));
    }

    private static PriceIndex index() {
        return PriceIndex.builder()
                .string("region")
                .integer("months")
                .build(List.of(
                        regional("both", "north", "west"),
                        regional("north", "north"),
                        regional("east", "east"),
                        regional("three", "west", "south", "east"),
                        Price.of("any", "fibre", Map.of(), BigDecimal.ONE)));
    }

    private static List<String> ids(PriceIndex index, PriceQuery query) {
        return index.search(query.policy(MatchPolicy.ALL).limit(1_000_000)) instanceof SearchResult.Found found
                ? IntStream.range(0, found.size()).mapToObj(found::id).toList()
                : List.of();
    }

    @Test
    void search_withEachOperator_goesByAnyOfTheValues() {
        PriceIndex index = index();
        Field region = index.field("region");
        assertThat(ids(index, index.query().eq("region", "north"))).containsExactly("both", "north");
        assertThat(ids(index, index.query().eq("region", "west"))).containsExactly("both", "three");
        byte[] utf8 = "south".getBytes(StandardCharsets.UTF_8);
        assertThat(ids(index, index.query().eq(region, utf8, 0, 5))).containsExactly("three");
        assertThat(ids(index, index.query().ne("region", "north"))).containsExactly("east", "three", "any");
        assertThat(ids(index, index.query().in("region", List.of("south", "north", "nowhere"))))
                .containsExactly("both", "north", "three");
        assertThat(ids(index, index.query().notIn("region", List.of("south", "north"))))
                .containsExactly("east", "any");
        assertThat(ids(index, index.query().eq("region", "north").eq("region", "west")))
                .containsExactly("both");
        assertThat(ids(index, index.query().wildcards(true).eq("region", "south")))
                .containsExactly("three", "any");
        assertThat(ids(index, index.query().eq("region", "nowhere"))).isEmpty();
    }

    @Test
    void search_mostSpecific_countsSeveralValuesAsAValue() {
        PriceIndex index = index();
        PriceQuery query =
                index.query().wildcards(true).policy(MatchPolicy.SPECIFIC).eq("region", "south");
        assertThat(index.search(query))
                .isInstanceOfSatisfying(
                        SearchResult.Found.class,
                        found -> assertThat(found.id(0)).isEqualTo("three"));
    }

    @Test
    void explain_ofOneValue_showsTheConditionAsItWasGiven() {
        PriceIndex index = index();
        PriceQuery query = index.query()
                .offering("fibre")
                .eq("region", "north")
                .ne("region", "east")
                .in("region", List.of("west"));
        assertThat(query).hasToString("offering fibre, region = north, region <> east, region in [west]");
        assertThat(index.explain(query).steps())
                .extracting(Explanation.Step::alone)
                .containsExactly(5L, 2L, 3L, 2L);
    }

    @Test
    void conditions_ofAPrice_areASetInOrderOrAValue() {
        Price price = regional("p", "west", "north", "west");
        Set<?> values = (Set<?>) Objects.requireNonNull(price.conditions().get("region"));
        assertThat(List.copyOf(values)).isEqualTo(List.of("north", "west"));
        assertThatThrownBy(values::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThat(price).isEqualTo(price("p", "region", Set.of("west", "north")));
        assertThat(regional("p", "north", "north")).isEqualTo(price("p", "region", "north"));
        PriceIndex index = PriceIndex.builder().string("region").build(List.of(price));
        assertThat(index.prices("fibre")).containsExactly(price);
        SearchResult.Found found = (SearchResult.Found) index.search(index.query());
        assertThat(found.value(0, index.field("region"))).isEqualTo(Set.of("north", "west"));
        assertThat(found.text(0, index.field("region"))).isEqualTo("north,west");
        assertThat(index.stats().values()).isEqualTo(2);
    }

    @Test
    void conditions_thatNoPriceCanHave_areNamed() {
        assertThatThrownBy(() -> price("p", "region", List.of()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("number of values of a field is wrong: id='p' field=region values=0 expected=1 to 1000");
        assertThatThrownBy(() -> price("p", "months", List.of(12L, 24L)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("one of several values is not a string: id='p' field=months class=Long");
        assertThatThrownBy(() -> price("p", "region", Arrays.asList("a", null)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageEndingWith("field=region class=null");
        List<String> many =
                IntStream.rangeClosed(0, 1000).mapToObj(i -> "r" + i).toList();
        assertThatThrownBy(() -> price("p", "region", many))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("number of values of a field is wrong: id='p' field=region values=1001 expected=1 to 1000");
        Collection<String> emptied = new AbstractList<>() { // as by another thread, after the number was asked for
                    @Override
                    public String get(int i) {
                        throw new IndexOutOfBoundsException(i);
                    }

                    @Override
                    public int size() {
                        return 2;
                    }

                    @Override
                    public Iterator<String> iterator() {
                        return Collections.emptyIterator();
                    }

                    @Override
                    public Object[] toArray() {
                        return new Object[0];
                    }
                };
        assertThatThrownBy(() -> price("p", "region", emptied))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("values=0 expected=1 to 1000");
        PriceIndex index = index();
        assertThat(index.update(new PriceBatch().put(price("p", "region", many.subList(1, 1001)))))
                .isEqualTo(2);
        assertThat(ids(index, index.query().eq("region", "r500"))).containsExactly("p");
        assertThatThrownBy(() -> index.update(new PriceBatch().put(price("p", "months", List.of("a", "b")))))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("a field that is not of strings has one value: field=months type=INTEGER values=2");
        for (Collection<String> half : List.of(List.of("a", "\uDC00\u0000\u0001"), List.of("\uDC00\u0000\u0001"))) {
            assertThatThrownBy(() -> index.update(new PriceBatch().put(price("p", "region", half))))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("half of a character: in=region");
        }
    }

    /** The key of a set is no string: a query cannot name it, whatever it contains. */
    @Test
    void search_forTextsLikeKeysOfSets_findsNothing() {
        PriceIndex index = index();
        for (int one = 0; one < 6; one++) {
            for (int other = 0; other < 6; other++) {
                String key = "\uDC00\u0000" + (char) one + "\u0000" + (char) other;
                byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
                assertThat(ids(index, index.query().eq("region", key))).isEmpty();
                assertThat(ids(index, index.query().eq(index.field("region"), utf8, 0, utf8.length)))
                        .isEmpty();
                assertThat(ids(index, index.query().in("region", List.of(key)))).isEmpty();
                assertThat(ids(index, index.query().ne("region", key))).hasSize(5);
            }
        }
    }

    @Test
    void search_ofQueriesFromBefore_seesSetsThatCameAndWent() {
        PriceIndex index = PriceIndex.builder()
                .string("region", "color")
                .build(List.of(regional("north", "north"), regional("south", "south")));
        PriceQuery north = index.query().offering("fibre").eq("region", "north");
        PriceQuery notNorth = index.query().offering("fibre").ne("region", "north");
        PriceQuery among = index.query().offering("fibre").in("region", List.of("north", "west"));
        PriceQuery west = index.query().offering("fibre").eq("region", "west");
        for (int round = 0; round < 3; round++) {
            assertThat(ids(index, north)).containsExactly("north");
            assertThat(ids(index, notNorth)).containsExactly("south");
            assertThat(ids(index, west)).isEmpty();
            index.update(new PriceBatch().put(regional("both", "north", "west")));
            assertThat(ids(index, north)).containsExactly("north", "both");
            assertThat(ids(index, notNorth)).containsExactly("south");
            assertThat(ids(index, among)).containsExactly("north", "both");
            assertThat(ids(index, west)).containsExactly("both");
            assertThat(north).hasToString("offering fibre, region = north");
            assertThat(west).hasToString("offering fibre, region = west");
            index.update(new PriceBatch().remove("fibre", "both"));
        }
        assertThat(ids(index, north)).containsExactly("north");
        assertThat(index.stats().values()).isEqualTo(2);
    }

    /** A set is freed with its last price, and keeps its strings until then. */
    @Test
    void update_thatRemovesThePricesOfASet_freesIt() {
        PriceIndex index = PriceIndex.builder().string("region").build(List.of());
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2000; round++) {
            PriceBatch batch = new PriceBatch();
            for (int i = 0; i < 3; i++) {
                String id = "p" + random.nextInt(10);
                if (random.nextInt(3) == 0) {
                    batch.remove("fibre", id);
                } else {
                    batch.put(regional(id, "r" + round, "r" + random.nextInt(20), "s" + (round + i)));
                }
            }
            index.update(batch);
            Set<Object> strings = new TreeSet<>();
            Set<Object> sets = new HashSet<>();
            for (Price price : index.prices("fibre")) {
                Object value = Objects.requireNonNull(price.conditions().get("region"));
                strings.addAll((Set<?>) value);
                sets.add(value);
            }
            var dictionary = index.snapshot().dictionaries()[0];
            assertThat(dictionary.values())
                    .as("seed=%d", seed)
                    .containsExactlyInAnyOrderElementsOf(
                            strings.stream().map(String::valueOf).toList());
            assertThat(dictionary.sets()).as("seed=%d", seed).hasSameSizeAs(sets);
            assertThat(dictionary.highest()).isLessThan(120);
            assertThat(dictionary.hasSets()).isEqualTo(!sets.isEmpty());
        }
    }

    @Test
    void file_withSets_isReadAsItWas() throws IOException {
        RandomPrices random = new RandomPrices(seed, 5, 30, 3);
        PriceIndex index = random.builder().build(List.of());
        PriceModel model = new PriceModel();
        PriceModel.Update first = new PriceModel.Update();
        random.prices(300).forEach(first::put);
        model.apply(first);
        index.update(first.batch());
        Path file = folder.resolve("prices.index");
        for (int round = 0; round < 20; round++) {
            PriceModel.Update update = model.random(random, 30);
            model.apply(update);
            index.update(update.batch());
            index.write(file);
            for (PriceIndex read : List.of(PriceIndex.open(file), PriceIndex.map(file))) {
                assertThat(read.stats()).as("seed=%d", seed).isEqualTo(index.stats());
                assertThat(read.snapshot().dictionaries()[0].sets())
                        .hasSameSizeAs(index.snapshot().dictionaries()[0].sets());
                for (String offering : model.offerings()) {
                    assertThat(read.prices(offering)).as("seed=%d", seed).isEqualTo(model.prices(offering));
                }
                List<Condition> conditions = random.conditions(3);
                Answers.assertAnswers(
                        read,
                        Answers.query(read, null, conditions),
                        Answers.matching(model.all(), null, conditions),
                        index.version(),
                        "seed=" + seed + " " + conditions);
                long version = read.update(new PriceBatch().put(price("more", "field0", Set.of("x", "y"))));
                assertThat(version).isEqualTo(index.version() + 1);
                assertThat(ids(read, read.query().eq("field0", "x"))).containsExactly("more");
            }
        }
    }

    /** The file was written by the build before sets came. */
    @Test
    void file_ofFormat1_isRead() throws IOException {
        Path file = folder.resolve("format-1.index");
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("format-1.index"))) {
            Files.copy(in, file);
        }
        PriceIndex index = PriceIndex.open(file);
        assertThat(index.version()).isEqualTo(3);
        assertThat(index.prices("fibre"))
                .containsExactly(
                        new Price(
                                "list",
                                "fibre",
                                Map.of("region", "north", "months", 12L),
                                new BigDecimal("49.90"),
                                "EUR",
                                false,
                                null),
                        new Price(
                                "00000000-0000-0001-0000-000000000002",
                                "fibre",
                                Map.of(
                                        "region",
                                        "größe",
                                        "color",
                                        "red",
                                        "size",
                                        new BigDecimal("2.50"),
                                        "from",
                                        Instant.parse("2026-03-01T00:00:00Z")),
                                new BigDecimal("39.90"),
                                "",
                                true,
                                "{\"note\":1}"));
        assertThat(ids(index, index.query().eq("color", "green"))).containsExactly("c");
        index.update(new PriceBatch().put(regional("both", "north", "west")));
        index.write(file);
        assertThat(Files.readAllBytes(file)[8]).isEqualTo((byte) 2);
        PriceIndex again = PriceIndex.map(file);
        assertThat(ids(again, again.query().eq("region", "north"))).containsExactly("list", "both");
    }

    /** Compares all plans with a plain comparison where one value is in very many sets, in one offering and over many. */
    @Test
    void search_forAValueOfVeryManySets_findsThem() {
        int count = 30_000;
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, Object> conditions = new HashMap<>();
            conditions.put("color", i / 500 % 20 == 0 ? "rare" : "color" + i % 3);
            if (i % 7 != 0) {
                conditions.put("region", i % 5 == 0 ? "r" + i : Set.of("all", "r" + i, "s" + i % 100));
            }
            prices.add(Price.of("p" + i, "o" + (i % 3 == 0 ? i : 0), conditions, BigDecimal.ONE));
        }
        PriceIndex index = PriceIndex.builder().string("region", "color").build(prices);
        PriceQuery any = index.query().policy(MatchPolicy.ALL).limit(count);
        List<Price> all = ((SearchResult.Found) index.search(any)).prices();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 120; i++) {
            List<Condition> conditions = new ArrayList<>();
            for (int left = 1 + random.nextInt(2); left > 0; left--) {
                Condition.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
                boolean isOne = kind == Condition.Kind.EQ || kind == Condition.Kind.NE;
                List<Object> values = new ArrayList<>();
                for (int more = isOne ? 1 : random.nextInt(5); more > 0; more--) {
                    values.add(List.of("all", "s" + random.nextInt(100), "r" + random.nextInt(count))
                            .get(random.nextInt(3)));
                }
                conditions.add(new Condition(index.field("region"), kind, values));
            }
            if (random.nextInt(3) > 0) {
                String color = random.nextBoolean() ? "rare" : "color1";
                conditions.add(new Condition(index.field("color"), Condition.Kind.EQ, List.of(color)));
            }
            String offering = random.nextInt(4) == 0 ? null : random.nextInt(9) == 0 ? "o9" : "o0";
            PriceQuery query = Answers.query(index, offering, conditions).wildcards(i % 4 == 0);
            if (i % 2 == 1) {
                QueryAccess.neverScan(query.bound);
            }
            List<String> expected = Answers.matching(all, offering, conditions, i % 4 == 0).stream()
                    .map(Price::id)
                    .toList();
            assertThat(ids(index, query)).as("seed=%d %s", seed, query).isEqualTo(expected);
        }
        assertThat(ids(index, index.query().eq("region", "all"))).hasSize(count * 24 / 35 + 1);
    }
}
