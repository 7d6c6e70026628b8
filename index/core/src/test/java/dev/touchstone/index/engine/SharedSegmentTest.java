package dev.touchstone.index.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.IndexStats;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.Answers;
import dev.touchstone.index.price.Condition;
import dev.touchstone.index.price.IndexAccess;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceModel;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.RandomPrices;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small offerings, whose prices share blocks: beside a model, while offerings grow, shrink, vanish and come back; in a file; and with payloads. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedSegmentTest {
    private final long seed = Long.getLong("seed", System.nanoTime());

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        // offerings, prices before, changes of a batch, updates
        "50, 800, 60, 60",
        "400, 400, 200, 20",
        "20, 300, 3, 150",
        "70, 0, 30, 80",
    })
    void update_ofOfferingsAboutTheThreshold_holdsWhatTheModelHolds(int offerings, int before, int changes, int updates)
            throws IOException {
        RandomPrices random = new RandomPrices(seed, 5, 4, offerings);
        PriceModel model = PriceModel.of(random.prices(before));
        PriceIndex index = random.builder().build(model.all());
        boolean hasOwn = false;
        boolean hasShared = false;
        for (int version = 2; version <= updates; version++) {
            String what = "seed=" + seed + " version=" + version;
            PriceModel.Update update = model.random(random, changes);
            model.apply(update);
            assertThat(index.update(update.batch())).as(what).isEqualTo(version);
            assertSame(index, model, random, version, what);
            Snapshot snapshot = IndexAccess.snapshot(index);
            for (int number : snapshot.numbers()) {
                boolean isShared = snapshot.segment(number) instanceof SharedSegment;
                if (isShared || version < 10) { // what was mapped may have payloads
                    assertThat(isShared)
                            .as(what)
                            .isEqualTo(snapshot.segment(number).total(number) <= SharedSegment.MAX_ROWS);
                }
                hasShared |= isShared;
                hasOwn |= !isShared;
            }
            if (version % 10 == 0) {
                Path file = folder.resolve("index");
                index.write(file);
                index = version % 20 == 0 ? PriceIndex.open(file) : PriceIndex.map(file);
                assertSame(index, model, random, version, what + " read");
            }
        }
        PriceBatch all = new PriceBatch();
        model.all().forEach(price -> all.remove(price.offering(), price.id()));
        index.update(all);
        assertThat(index.stats()).as("seed=%d", seed).isEqualTo(new IndexStats(updates + 1, 0, 0, 0));
        assertThat(hasShared).isTrue();
        assertThat(hasOwn || before < 300 || offerings == 400)
                .as("seed=%d", seed)
                .isTrue();
    }

    private static void assertSame(PriceIndex index, PriceModel model, RandomPrices random, int version, String what) {
        List<Price> all = model.all();
        for (String offering : model.offerings()) {
            List<Price> prices = model.prices(offering);
            assertThat(index.prices(offering)).as(what).isEqualTo(prices);
            Price last = prices.get(prices.size() - 1);
            assertThat(index.price(offering, last.id())).as(what).isEqualTo(last);
            assertThat(index.price(offering, last.id() + "?")).as(what).isNull();
        }
        assertThat(index.stats().prices()).as(what).isEqualTo(all.size());
        assertThat(index.stats().offerings()).as(what).isEqualTo((int)
                all.stream().map(Price::offering).distinct().count());
        for (int i = 0; i < 12; i++) {
            String offering = i % 3 == 0 ? null : random.offering();
            List<Condition> conditions = i % 2 == 0 || all.isEmpty()
                    ? random.conditions(3)
                    : random.whole(all.get(random.random.nextInt(all.size())));
            List<Price> expected = Answers.matching(all, offering, conditions, i % 4 < 2);
            PriceQuery query = Answers.query(index, offering, conditions).wildcards(i % 4 < 2);
            Answers.assertAnswers(index, query, expected, version, what + " " + query);
            Explanation explanation = index.explain(query);
            assertThat(explanation.steps().get(explanation.steps().size() - 1).remaining())
                    .as(what)
                    .isEqualTo(expected.size());
        }
    }

    /** Checks that the rows that leave a shared block are indexed, though they and the new ones are more than a block takes. */
    @ParameterizedTest
    @CsvSource({"1, 20", "5, 40", "16, 33", "16, 500"})
    void update_thatMakesASmallOfferingLargerThanABlock_findsEachPrice(int before, int more) {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < before + more; i++) {
            prices.add(Price.of("p" + i, "o", Map.of("color", "c" + i % 7, "size", (long) i), BigDecimal.valueOf(i)));
        }
        PriceIndex index = IndexAccess.blocks(
                        PriceIndex.builder().string("color").integer("size"), 4, 32)
                .build(prices.subList(0, before));
        PriceBatch batch = new PriceBatch();
        prices.subList(before, prices.size()).forEach(batch::put);
        index.update(batch);
        assertThat(index.prices("o")).isEqualTo(prices);
        for (Price price : prices) {
            PriceQuery query = index.query().offering("o");
            price.conditions().forEach(query::eq);
            for (boolean areWildcards : new boolean[] {false, true}) {
                assertThat(index.search(query.wildcards(areWildcards)))
                        .as("before=%d more=%d %s", before, more, query)
                        .isInstanceOfSatisfying(
                                SearchResult.Found.class,
                                found -> assertThat(found.price(0)).isEqualTo(price));
            }
        }
    }

    private static Price price(int offering, String id, @Nullable String payload) {
        return new Price(id, "o" + offering, Map.of("color", "c" + offering % 7), BigDecimal.ONE, "", false, payload);
    }

    /** Checks that a small offering with payloads has a block of its own until it is changed, because what is mapped stays in the file. */
    @Test
    void map_ofPricesWithPayloads_leavesThePayloadsInTheFile() throws IOException {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            prices.add(price(i, "p" + i, i % 2 == 0 ? "payload " + i : null));
        }
        Path file = folder.resolve("index");
        PriceIndex.builder().string("color").build(prices).write(file);
        PriceIndex mapped = PriceIndex.map(file);
        Snapshot snapshot = IndexAccess.snapshot(mapped);
        for (int i = 0; i < 200; i++) {
            assertThat(snapshot.segment(i) instanceof SharedSegment).isEqualTo(i % 2 == 1);
            assertThat(mapped.prices("o" + i)).containsExactly(prices.get(i));
        }
        mapped.update(new PriceBatch().put(price(4, "p4", "other")).put(price(4, "q4", null)));
        assertThat(mapped.prices("o4")).containsExactly(price(4, "p4", "other"), price(4, "q4", null));
        assertThat(mapped.prices("o5")).containsExactly(prices.get(5));
        assertThat(mapped.prices("o6")).containsExactly(prices.get(6));
    }
}
