package dev.touchstone.index.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Differences between an index and a complete list, beside a model that is a map. */
@Timeout(120)
class PriceDifferenceTest {
    private static final int OFFERINGS = 4;
    private static final List<String> TEXTS = List.of("", "north", "süd", "\uD83D\uDE00", "a,\"b\"\n");

    private static final AtomicLong SEEDS = new AtomicLong(Long.getLong("seed", System.nanoTime())); // one for each run

    private final long seed = SEEDS.getAndIncrement();
    private final Random random = new Random(seed);

    @TempDir
    Path folder = Path.of("");

    private static PriceIndex empty() {
        return PriceIndex.builder()
                .string("region")
                .integer("months")
                .decimal("size", 2)
                .dateTime("from")
                .build(List.of());
    }

    private Price price(String offering, String id) {
        Map<String, Object> conditions = new HashMap<>();
        if (random.nextBoolean()) {
            conditions.put("region", TEXTS.get(1 + random.nextInt(TEXTS.size() - 1)));
        }
        if (random.nextBoolean()) {
            conditions.put("months", random.nextLong());
        }
        if (random.nextBoolean()) {
            conditions.put("size", BigDecimal.valueOf(random.nextInt(100), random.nextInt(3)));
        }
        if (random.nextBoolean()) {
            conditions.put("from", Instant.EPOCH.plusSeconds(random.nextInt(1000)));
        }
        return new Price(
                id,
                offering,
                conditions,
                BigDecimal.valueOf(random.nextInt(1000), random.nextInt(3)),
                random.nextBoolean() ? "EUR" : "",
                random.nextInt(4) == 0,
                random.nextBoolean() ? "payload " + TEXTS.get(random.nextInt(TEXTS.size())) : null);
    }

    /** Changes some prices, adds and removes others; most stay. */
    private void change(Map<String, Price> model, int changes) {
        for (int i = 0; i < changes; i++) {
            String offering = "offering " + random.nextInt(OFFERINGS);
            String id = random.nextBoolean() ? new UUID(0, random.nextInt(60)).toString() : "id" + random.nextInt(30);
            if (random.nextInt(3) == 0) {
                model.remove(offering + "/" + id);
            } else {
                model.put(offering + "/" + id, price(offering, id));
            }
        }
    }

    /** Returns the text of the list, which is what a file has; decimal conditions have other digits there than in the index. */
    private static PriceLoad load(Collection<Price> prices, PriceIndex index) throws IOException {
        StringWriter csv = new StringWriter();
        PriceWriter.csv(prices, PriceSchema.of(index), csv);
        return PriceLoader.csv(
                new ByteArrayInputStream(csv.toString().getBytes(StandardCharsets.UTF_8)),
                PriceSchema.of(index),
                LoadOptions.DEFAULT.withMayBeEmpty(true));
    }

    private static Map<String, Price> contents(PriceIndex index) throws IOException {
        Map<String, Price> found = new HashMap<>();
        for (int i = 0; i < OFFERINGS; i++) {
            for (Price price : index.prices("offering " + i)) {
                found.put(price.offering() + "/" + price.id(), price);
            }
        }
        return found;
    }

    @RepeatedTest(5)
    void compare_withRandomLists_leavesTheListInTheIndex() throws IOException {
        Map<String, Price> model = new LinkedHashMap<>();
        PriceIndex index = empty();
        for (int round = 0; round < 30; round++) {
            String what = "seed=" + seed + " round=" + round;
            change(model, random.nextInt(40));
            if (random.nextInt(8) == 0) {
                model.clear();
            }
            List<Price> list = new ArrayList<>(model.values());
            Collections.shuffle(list, random);
            long before = index.version();
            long prices = index.stats().prices();

            PriceDifference difference = new PriceDifference(index, random.nextBoolean() ? 1 << 20 : 500);
            PriceDifference.Summary checked;
            try (PriceLoad load = load(list, index)) {
                checked = difference.compare(load, batch -> {}); // changes nothing
            }
            PriceDifference.Summary summary;
            try (PriceLoad load = load(list, index)) {
                summary = difference.compare(load, index::update);
            }

            assertThat(summary).as(what).isEqualTo(checked);
            assertThat(index.version()).as(what).isEqualTo(before + summary.batches());
            assertThat(summary.put() + summary.unchanged()).as(what).isEqualTo(list.size());
            assertThat(summary.removed()).as(what).isLessThanOrEqualTo(prices);
            PriceIndex expected = empty();
            PriceBatch all = new PriceBatch();
            list.forEach(all::put);
            expected.update(all);
            assertThat(contents(index)).as(what).isEqualTo(contents(expected));
            try (PriceLoad load = load(list, index)) {
                assertThat(new PriceDifference(index).compare(load, index::update))
                        .as(what + ": the same list again")
                        .isEqualTo(new PriceDifference.Summary(0, 0, list.size(), 0));
            }
            if (round % 10 == 9) {
                Path file = folder.resolve("prices.index");
                index.write(file);
                index = PriceIndex.map(file);
            }
        }
    }

    @Test
    void compare_withAChangeOfEachKind_countsIt() throws IOException {
        PriceIndex index = empty();
        Price same = new Price("same", "o", Map.of("size", new BigDecimal("5.1")), BigDecimal.ONE, "EUR", true, "p");
        index.update(new PriceBatch()
                .put(same)
                .put(Price.of("changed", "o", Map.of("region", "x"), BigDecimal.ONE))
                .put(Price.of("moved", "o", Map.of(), BigDecimal.ONE))
                .put(Price.of("gone", "other", Map.of(), BigDecimal.ONE)));
        List<PriceBatch> batches = new ArrayList<>();

        PriceDifference.Summary summary = new PriceDifference(index)
                .compare(
                        List.of(
                                Price.of("moved", "other", Map.of(), BigDecimal.ONE),
                                Price.of("changed", "o", Map.of("region", "y"), BigDecimal.ONE),
                                same),
                        batches::add);

        assertThat(summary).isEqualTo(new PriceDifference.Summary(2, 2, 1, 1));
        index.update(batches.get(0));
        assertThat(index.prices("o")).extracting(Price::id).containsExactly("same", "changed");
        assertThat(index.prices("other")).extracting(Price::id).containsExactly("moved");
    }

    @Test
    void compare_withAReceiverOrListThatFails_passesItThrough() throws IOException {
        PriceIndex index = empty();
        List<Price> list = List.of(price("o", "a"));
        assertThatThrownBy(() -> new PriceDifference(index).compare(list, batch -> {
                    throw new IOException("full");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("full");
        byte[] bad = "id,offering,value\na,o,1\nb,o,much\n".getBytes(StandardCharsets.UTF_8);
        try (PriceLoad load =
                PriceLoader.csv(new ByteArrayInputStream(bad), PriceSchema.of(index), LoadOptions.DEFAULT)) {
            assertThatThrownBy(() -> new PriceDifference(index).compare(load, index::update))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("line 3");
        }
        assertThat(index.version()).isEqualTo(1);
    }
}
