package dev.touchstone.index.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.Answers;
import dev.touchstone.index.price.Condition;
import dev.touchstone.index.price.IndexAccess;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceModel;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.RandomPrices;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Offerings of many blocks, with removed rows, changed values, and merges: beside a model, in all plans, and in a file. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlocksTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        // rows that are merged at once, maximum rows of a block, offerings, prices before, changes of a batch, updates
        "1, 4, 2, 60, 12, 120",
        "4, 64, 2, 500, 12, 60",
        "8, 1000, 1, 900, 60, 60",
        "1, 100, 3, 400, 3, 150",
        "16, 20, 1, 300, 100, 40",
    })
    void update_ofOfferingsOfManyBlocks_holdsWhatTheModelHolds(
            int small, int most, int offerings, int before, int changes, int updates) throws IOException {
        RandomPrices random = new RandomPrices(seed, 6, 5, offerings);
        PriceModel model = PriceModel.of(random.prices(before));
        PriceIndex index = IndexAccess.blocks(random.builder(), small, most).build(model.all());
        int blocks = 0;
        int dead = 0;
        for (int version = 2; version <= updates; version++) {
            String what = "seed=" + seed + " version=" + version;
            PriceModel.Update update = model.random(random, changes);
            model.apply(update);
            assertThat(index.update(update.batch())).as(what).isEqualTo(version);
            List<Price> all = model.all();
            for (String offering : model.offerings()) {
                assertThat(index.prices(offering)).as(what).isEqualTo(model.prices(offering));
            }
            assertThat(index.stats().prices()).as(what).isEqualTo(all.size());
            Snapshot snapshot = IndexAccess.snapshot(index);
            for (int number = 0; number < snapshot.segments().count; number++) {
                Segment segment = snapshot.segment(number);
                if (segment instanceof SharedSegment) {
                    continue;
                }
                for (Segment block : segment.blocks()) {
                    assertThat(block.count)
                            .as(what)
                            .isLessThanOrEqualTo(Math.max(Math.max(small, most), SharedSegment.MAX_ROWS));
                    dead = Math.max(dead, block.deadCount);
                }
                blocks = Math.max(blocks, segment.blocks().size());
            }
            if (version % 4 == 0) {
                for (int i = 0; i < 60; i++) {
                    assertAnswers(random, all, i, version, what, index);
                }
            }
            if (version % 20 == 0) {
                Path file = folder.resolve("index");
                index.write(file);
                PriceIndex read = version % 40 == 0 ? PriceIndex.open(file) : PriceIndex.map(file);
                assertThat(read.stats()).as(what).isEqualTo(index.stats());
                for (String offering : model.offerings()) {
                    assertThat(read.prices(offering)).as(what).isEqualTo(model.prices(offering));
                }
            }
        }
        assertThat(blocks).as("seed=%d", seed).isGreaterThan(1);
        assertThat(dead).as("seed=%d", seed).isPositive();
    }

    private static void assertAnswers(
            RandomPrices random, List<Price> all, int i, int version, String what, PriceIndex index) {
        String offering = random.random.nextInt(3) == 0 ? null : random.offering();
        List<Condition> conditions = random.random.nextBoolean() || all.isEmpty()
                ? random.conditions(3)
                : random.whole(all.get(random.random.nextInt(all.size())));
        List<Price> expected = Answers.matching(all, offering, conditions);
        PriceQuery query = Answers.query(index, offering, conditions);
        if (i % 2 == 1) {
            QueryAccess.neverScan(IndexAccess.bound(query));
        }
        Answers.assertAnswers(index, query, expected, version, what + " " + query);
    }

    private static Price price(int id, String color, int value) {
        return Price.of(new UUID(7, id).toString(), "o", Map.of("color", color), BigDecimal.valueOf(value));
    }

    /** The blocks that an update does not change are those of the version before, and so is what they are searched by. */
    @Test
    void update_ofOnePriceOfManyBlocks_sharesTheOthers() {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            prices.add(price(i, "c" + i % 10, i));
        }
        PriceIndex index = IndexAccess.blocks(PriceIndex.builder().string("color"), 10, 100)
                .build(prices);
        List<Segment> before = IndexAccess.snapshot(index).segment(0).blocks();
        assertThat(before).hasSize(10);
        index.update(new PriceBatch().put(price(150, "c0", -1)));
        List<Segment> revalued = IndexAccess.snapshot(index).segment(0).blocks();
        assertThat(revalued).hasSize(10);
        for (int i = 1; i < 10; i++) {
            if (i != 1) {
                assertThat(revalued.get(i)).isSameAs(before.get(i));
            }
            assertThat(revalued.get(i).keys).isSameAs(before.get(i).keys);
        }
        assertThat(index.prices("o").get(150).value()).isEqualTo(BigDecimal.valueOf(-1));
        index.update(new PriceBatch().put(price(250, "new", 7)));
        List<Segment> moved = IndexAccess.snapshot(index).segment(0).blocks();
        assertThat(moved).hasSize(11);
        assertThat(moved.get(2).deadCount).isEqualTo(1);
        assertThat(moved.get(2).keys).isSameAs(before.get(2).keys);
        assertThat(index.prices("o")).hasSize(1000).endsWith(price(250, "new", 7));
    }

    /** Each update does a little of what is left to do, and no more. */
    @Test
    void update_thatRemovesMostPrices_leavesFewBlocks() {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            prices.add(price(i, "c" + i % 10, i));
        }
        PriceIndex index = IndexAccess.blocks(PriceIndex.builder().string("color"), 10, 100)
                .build(prices);
        PriceBatch batch = new PriceBatch();
        for (int i = 0; i < 1000; i++) {
            if (i % 20 != 0) {
                batch.remove("o", price(i, "", 0).id());
            }
        }
        index.update(batch);
        for (int i = 0; i < 10; i++) {
            index.update(new PriceBatch().put(price(0, "c0", i)));
        }
        Segment first = IndexAccess.snapshot(index).segment(0);
        assertThat(first.blocks()).hasSize(1);
        assertThat(first.deadCount).isZero();
        assertThat(index.prices("o"))
                .extracting(price -> UUID.fromString(price.id()).getLeastSignificantBits())
                .hasSize(50)
                .isSorted();
    }

    /** A query that asks for one string of each field is one look-up, which finds removed rows too. */
    @Test
    void search_forOneStringOfEachField_findsNoRemovedRow() {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            prices.add(price(i, "c" + i % 20, i));
        }
        PriceIndex index =
                IndexAccess.blocks(PriceIndex.builder().string("color"), 1, 100).build(prices);
        for (int i = 0; i < 40; i++) { // two of the five prices of each color
            index.update(new PriceBatch().remove("o", prices.get(i).id()));
        }
        assertThat(IndexAccess.snapshot(index).segment(0).deadCount).isEqualTo(40);
        for (int i = 0; i < 20; i++) {
            PriceQuery query = index.query().offering("o").eq("color", "c" + i);
            List<Price> expected = List.of(prices.get(i + 40), prices.get(i + 60), prices.get(i + 80));
            Answers.assertAnswers(index, query, expected, 41, query.toString());
        }
    }

    @Test
    void search_ofRowsOfSeveralWords_comparesAllOfThem() {
        List<Price> prices = new ArrayList<>();
        String[] fields = IntStream.range(0, 12).mapToObj(i -> "field" + i).toArray(String[]::new);
        for (int row = 0; row < 200; row++) {
            Map<String, Object> conditions = new HashMap<>();
            for (int i = 0; i < fields.length; i++) {
                conditions.put(fields[i], "v" + (row * (i + 1) + i) % 101);
            }
            prices.add(Price.of("p" + row, "o", conditions, BigDecimal.valueOf(row)));
        }
        PriceIndex index = PriceIndex.builder().string(fields).build(prices);
        assertThat(IndexAccess.snapshot(index).segment(0).layout.words()).isGreaterThan(1);
        for (String field : fields) {
            String value = String.valueOf(prices.get(77).conditions().get(field));
            List<Price> expected = prices.stream()
                    .filter(price -> value.equals(price.conditions().get(field)))
                    .toList();
            PriceQuery query = index.query().offering("o").eq(field, value);
            Answers.assertAnswers(index, query, expected, 1, query.toString());
        }
    }

    @Test
    void search_alongFewWordsOfBitmaps_findsNoRemovedRow() {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            Map<String, Object> conditions = Map.of("color", "c" + i / 4000, "size", "s" + i % 3, "other", "o" + i);
            prices.add(Price.of("p" + i, "o", conditions, BigDecimal.valueOf(i)));
        }
        PriceIndex index = PriceIndex.builder().string("color", "size", "other").build(prices);
        PriceBatch batch = new PriceBatch();
        for (int i = 0; i < 40_000; i += 8) {
            batch.remove("o", "p" + i);
        }
        index.update(batch);
        assertThat(IndexAccess.snapshot(index).segment(0).deadCount).isEqualTo(5000);
        for (int color = 0; color < 10; color++) {
            PriceQuery query =
                    index.query().offering("o").eq("color", "c" + color).ne("size", "s1");
            assertThat(index.count(query))
                    .isEqualTo(IntStream.range(4000 * color, 4000 * color + 4000)
                            .filter(i -> i % 8 != 0 && i % 3 != 1)
                            .count());
        }
    }

    @Test
    void update_thatAddsOnePriceAgainAndAgain_leavesFewBlocks() {
        PriceIndex index = IndexAccess.blocks(PriceIndex.builder().string("color"), 10, 10_000)
                .build(List.of());
        for (int i = 0; i < 1000; i++) {
            index.update(new PriceBatch().put(price(i, "c" + i % 10, i)));
        }
        assertThat(IndexAccess.snapshot(index).segment(0).blocks()).hasSizeLessThan(10);
    }
}
