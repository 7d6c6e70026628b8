package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.IndexException;
import dev.touchstone.index.IndexStats;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Updates, beside a model that is a map. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UpdateModelTest {
    private static final AtomicLong SEEDS = new AtomicLong(Long.getLong("seed", System.nanoTime())); // one for each run

    private final long seed = SEEDS.getAndIncrement();

    @ParameterizedTest
    @CsvSource({
        // offerings, changes of a batch, updates: few changes are looked for one by one, many in a map
        "1, 3, 120",
        "4, 20, 100",
        "2, 300, 25",
        "40, 30, 60",
    })
    void update_withRandomBatches_holdsWhatTheModelHolds(int offerings, int changes, int updates) {
        RandomPrices random = new RandomPrices(seed, 6, 5, offerings);
        PriceIndex index = random.builder().build(List.of());
        PriceModel model = new PriceModel();
        for (int version = 2; version <= updates; version++) {
            String what = "seed=" + seed + " version=" + version;
            PriceModel.Update update = model.random(random, changes);
            model.apply(update);
            assertThat(update.batch().size()).isEqualTo(update.changes().size());
            assertThat(index.update(update.batch())).as(what).isEqualTo(version);
            List<Price> all = model.all();
            for (String offering : model.offerings()) {
                assertThat(index.prices(offering)).as(what).isEqualTo(model.prices(offering));
            }
            assertThat(index.stats().prices()).as(what).isEqualTo(all.size());
            for (int i = 0; i < 12; i++) {
                String offering = random.random.nextInt(3) == 0 ? null : random.offering();
                List<Condition> conditions = random.random.nextBoolean() || all.isEmpty()
                        ? random.conditions(3)
                        : random.whole(all.get(random.random.nextInt(all.size())));
                List<Price> expected = Answers.matching(all, offering, conditions);
                PriceQuery query = Answers.query(index, offering, conditions);
                Answers.assertAnswers(index, query, expected, version, what + " " + query);
            }
        }
    }

    /** Most updates are of values alone, which have a way of their own; some change anything else beside them. */
    @RepeatedTest(5)
    void update_mostlyOfValues_holdsWhatTheModelHolds() {
        RandomPrices random = new RandomPrices(seed, 4, 3, 3);
        Map<String, Price> model = new LinkedHashMap<>();
        for (int i = 0; i < 200; i++) {
            Price price = withUuid(random.price("p" + i), i);
            model.put(price.id(), price);
        }
        PriceIndex index = random.builder().build(model.values());
        for (int version = 2; version < 80; version++) {
            String what = "seed=" + seed + " version=" + version;
            PriceBatch batch = new PriceBatch();
            for (int i = 0; i <= random.random.nextInt(6); i++) {
                List<Price> all = List.copyOf(model.values());
                change(all.get(random.random.nextInt(all.size())), random, batch, model);
            }
            assertThat(index.update(batch)).as(what).isEqualTo(version);
            List<Price> all = List.copyOf(model.values());
            for (int offering = 0; offering < 3; offering++) {
                String name = "offering" + offering;
                assertThat(index.prices(name))
                        .as(what)
                        .isEqualTo(all.stream()
                                .filter(price -> price.offering().equals(name))
                                .toList());
            }
            Price price = all.get(random.random.nextInt(all.size()));
            List<Condition> conditions = random.whole(price);
            PriceQuery query = Answers.query(index, price.offering(), conditions);
            List<Price> expected = Answers.matching(all, price.offering(), conditions);
            Answers.assertAnswers(index, query, expected, version, what + " " + query);
        }
    }

    private static Price withUuid(Price price, int number) {
        return new Price(
                new UUID(number % 3, number).toString(),
                price.offering(),
                price.conditions(),
                price.value(),
                price.currency(),
                price.isDefault(),
                price.payload());
    }

    private static void change(Price price, RandomPrices random, PriceBatch batch, Map<String, Price> model) {
        Price other = random.price("other");
        int kind = random.random.nextInt(40);
        if (kind == 0) {
            batch.remove(price.offering(), price.id());
            model.remove(price.id());
            return;
        }
        Price changed = new Price(
                kind == 1 ? new UUID(model.size(), random.random.nextLong()).toString() : price.id(),
                price.offering(),
                kind == 2 ? other.conditions() : price.conditions(),
                BigDecimal.valueOf(
                        random.random.nextInt(100_000),
                        kind == 3 ? random.random.nextInt(3) : price.value().scale()),
                kind == 4 ? other.currency() : price.currency(),
                (kind == 5) != price.isDefault(),
                kind == 6 ? other.payload() : price.payload());
        batch.put(changed);
        PriceModel.put(changed, model);
    }

    /** What was found stays what it was, whatever happens to the index. */
    @RepeatedTest(3)
    void results_ofOldVersions_keepTheirPrices() {
        RandomPrices random = new RandomPrices(seed, 4, 5, 3);
        PriceModel model = new PriceModel();
        PriceIndex index = random.builder().build(List.of());
        List<SearchResult> results = new ArrayList<>();
        List<List<Price>> expected = new ArrayList<>();
        for (int version = 2; version < 40; version++) {
            PriceModel.Update update = model.random(random, 20);
            model.apply(update);
            index.update(update.batch());
            expected.add(model.all());
            results.add(index.search(index.query().policy(MatchPolicy.ALL).limit(10_000)));
        }
        for (int i = 0; i < results.size(); i++) {
            assertThat(results.get(i).version()).isEqualTo(i + 2);
            if (results.get(i) instanceof SearchResult.Found found) {
                assertThat(found.prices()).as("seed=%d", seed).isEqualTo(expected.get(i));
            } else {
                assertThat(expected.get(i)).as("seed=%d", seed).isEmpty();
            }
        }
    }

    /** Offerings that lose their last price and come back between the batches are the last ones, as they are if each version is built. */
    @RepeatedTest(5)
    void after_ofManyBatches_isAsAfterEachInTurn() {
        RandomPrices random = new RandomPrices(seed, 4, 5, 6);
        PriceModel model = new PriceModel();
        PriceIndex index = random.builder().build(List.of());
        PriceIndex grouped = index.after(List.of());
        for (int group = 0; group < 30; group++) {
            String what = "seed=" + seed + " group=" + group;
            List<PriceBatch> batches = new ArrayList<>();
            for (int i = random.random.nextInt(8); i > 0; i--) {
                PriceModel.Update update = model.random(random, 4);
                model.apply(update);
                batches.add(update.batch());
                index.update(update.batch());
            }
            grouped = grouped.after(batches);
            assertThat(grouped.version()).as(what).isEqualTo(index.version());
            assertThat(grouped.stats()).as(what).isEqualTo(index.stats());
            assertThat(all(grouped)).as(what).isEqualTo(all(index)).isEqualTo(model.all());
        }
    }

    @Test
    void after_ofBatchesOfWhichOneIsRefused_changesNothing() {
        PriceIndex index = PriceIndex.builder().string("s").build(List.of(price("a", Map.of())));
        List<PriceBatch> batches = List.of(
                new PriceBatch().put(price("b", Map.of("s", "x"))),
                new PriceBatch().put(price("c", Map.of("unknown", "x"))));
        assertThatThrownBy(() -> index.after(batches)).isInstanceOf(UnknownFieldException.class);
        assertThat(index.prices("o")).extracting(Price::id).containsExactly("a");
        assertThat(index.after(List.of()).version()).isEqualTo(1);
    }

    private static List<Price> all(PriceIndex index) {
        return index.search(index.query().policy(MatchPolicy.ALL).limit(10_000)) instanceof SearchResult.Found found
                ? found.prices()
                : List.of();
    }

    private static Price price(String id, Map<String, Object> conditions) {
        return Price.of(id, "o", conditions, BigDecimal.ONE);
    }

    @Test
    void update_thatFails_changesNothing() {
        PriceIndex index = PriceIndex.builder()
                .string("s")
                .integer("n")
                .build(List.of(price("a", Map.of("s", "x")), price("b", Map.of("n", 1L))));
        List<Price> before = index.prices("o");
        IndexStats stats = index.stats();
        PriceQuery query = index.query().eq("s", "new");
        for (Price wrong : List.of(
                price("c", Map.of("unknown", "x")), price("c", Map.of("s", 1L)), price("c", Map.of("n", "1")))) {
            PriceBatch batch = new PriceBatch()
                    .put(price("a", Map.of("s", "new")))
                    .put(Price.of("z", "another", Map.of("s", "new"), BigDecimal.ONE))
                    .remove("o", "b")
                    .put(wrong);
            assertThatThrownBy(() -> index.update(batch)).isInstanceOf(IndexException.class);
            assertThat(index.prices("o")).isEqualTo(before);
            assertThat(index.prices("another")).isEmpty();
            assertThat(index.stats()).isEqualTo(stats);
            assertThat(index.search(query)).isEqualTo(new SearchResult.NotFound(1));
        }
        assertThat(index.update(new PriceBatch())).isEqualTo(2);
        assertThat(index.prices("o")).isEqualTo(before);
    }

    @Test
    void update_ofEachKind_keepsTheOrderOfPrices() {
        PriceIndex index = PriceIndex.builder()
                .string("s")
                .build(List.of(price("a", Map.of()), price("b", Map.of()), price("c", Map.of()), price("d", Map.of())));
        index.update(new PriceBatch()
                .put(price("e", Map.of()))
                .put(price("b", Map.of("s", "x")))
                .remove("o", "a"));
        assertThat(index.prices("o")).extracting(Price::id).containsExactly("c", "d", "e", "b");
        assertThat(index.prices("o").get(3).conditions()).containsEntry("s", "x");
        index.update(new PriceBatch().remove("o", "c").put(price("c", Map.of())));
        assertThat(index.prices("o")).extracting(Price::id).containsExactly("d", "e", "b", "c");
        index.update(new PriceBatch().put(Price.of("e", "o", Map.of(), BigDecimal.TEN)));
        assertThat(index.prices("o")).extracting(Price::id).containsExactly("d", "e", "b", "c");
        assertThat(index.prices("o").get(1).value()).isEqualTo(BigDecimal.TEN);
        index.update(new PriceBatch()
                .put(price("f", Map.of()))
                .remove("o", "f")
                .put(price("f", Map.of("s", "last")))
                .put(price("g", Map.of())));
        assertThat(index.prices("o")).extracting(Price::id).containsExactly("d", "e", "b", "c", "f", "g");
    }

    /** An offering that an update doesn't touch is not even copied. */
    @Test
    void update_ofOneOffering_leavesTheOthersSegments() {
        RandomPrices random = new RandomPrices(seed, 4, 5, 10);
        PriceIndex index = random.builder().build(random.prices(300));
        PriceQuery query = index.query().policy(MatchPolicy.FIRST).offering("offering3");
        SearchResult.Found before = (SearchResult.Found) index.search(query);
        assertThat(before.price(0)).isEqualTo(index.prices("offering3").get(0));
        index.update(new PriceBatch().put(price("a", Map.of())));
        SearchResult.Found after = (SearchResult.Found) index.search(query);
        assertThat(after.prices()).isEqualTo(before.prices());
        assertThat(after.version()).isEqualTo(2);
        assertThat(before.version()).isEqualTo(1);
    }
}
