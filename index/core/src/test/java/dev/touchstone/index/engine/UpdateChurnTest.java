package dev.touchstone.index.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.IndexStats;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.IndexAccess;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Few prices that are replaced again and again by others with new ids, offerings, strings and currencies: nothing that is gone is kept. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UpdateChurnTest {
    private static final int PRICES = 500;
    private static final long MAX_GROWTH_BYTES = 16 << 20;

    @TempDir
    private Path folder;

    private static Price price(int generation, int number) {
        Map<String, Object> conditions = new HashMap<>();
        conditions.put("name", "name-" + generation + "-" + number);
        conditions.put("shared", "shared-" + generation);
        conditions.put("number", (long) generation * PRICES + number);
        return new Price(
                "id-" + generation + "-" + number,
                "offering-" + generation + "-" + number / 2,
                conditions,
                BigDecimal.valueOf(number),
                "currency-" + generation,
                false,
                null);
    }

    @Test
    void update_thatReplacesAllPrices_keepsNothingOfThem() throws IOException {
        replace(500);
    }

    @Test
    @Tag("slow")
    void update_thatReplacesAllPricesTenThousandTimes_keepsNothingOfThem() throws IOException {
        replace(10_000);
    }

    private void replace(int generations) throws IOException {
        List<Price> first = new ArrayList<>();
        for (int number = 0; number < PRICES; number++) {
            first.add(price(0, number));
        }
        PriceIndex index =
                PriceIndex.builder().string("name", "shared").integer("number").build(first);
        PriceQuery old = index.query().offering("offering-0-7").eq("name", "name-0-15");
        assertThat(index.search(old)).isInstanceOf(SearchResult.Found.class);
        Path file = folder.resolve("index");
        index.write(file);
        long fileBytes = Files.size(file);
        int segments = 0;
        int codes = 0;
        long heap = 0;
        for (int generation = 1; generation <= generations; generation++) {
            PriceBatch batch = new PriceBatch();
            for (int number = 0; number < PRICES; number++) {
                Price gone = price(generation - 1, number);
                batch.remove(gone.offering(), gone.id()).put(price(generation, number));
            }
            index.update(batch);
            Snapshot snapshot = IndexAccess.snapshot(index);
            assertThat(index.stats()).isEqualTo(new IndexStats(generation + 1, PRICES, PRICES / 2, PRICES + 1));
            assertThat(snapshot.offerings().size()).isEqualTo(PRICES / 2);
            assertThat(snapshot.currencies().size()).isEqualTo(1);
            segments = Math.max(segments, snapshot.segments().count);
            codes = Math.max(codes, snapshot.dictionaries()[0].highest());
            heap = generation == 100 ? usedHeap() : heap;
        }
        assertThat(usedHeap() - heap).isLessThan(MAX_GROWTH_BYTES);
        assertThat(segments).isLessThanOrEqualTo(2 * PRICES);
        assertThat(codes).isLessThanOrEqualTo(2 * PRICES);
        assertThat(index.search(old)).isInstanceOf(SearchResult.NotFound.class);
        index.write(file);
        assertThat(Files.size(file)).isLessThan(2 * fileBytes);
        PriceIndex opened = PriceIndex.open(file);
        assertThat(opened.stats()).isEqualTo(index.stats());
        assertThat(IndexAccess.snapshot(opened).dictionaries()[0].highest()).isEqualTo(PRICES);
        for (int number = 0; number < PRICES; number += 2) {
            String offering = price(generations, number).offering();
            assertThat(opened.prices(offering))
                    .containsExactly(price(generations, number), price(generations, number + 1))
                    .isEqualTo(index.prices(offering));
        }
    }

    /** Checks that a search without an offering costs nothing for offerings that are gone, and is stopped at an offering that has a name. */
    @Test
    void search_besidePlacesOfRemovedOfferings_visitsTheOtherOfferingsOnly() {
        List<Price> prices = new ArrayList<>();
        PriceBatch removals = new PriceBatch();
        for (int i = 0; i < 200; i++) {
            Price price = Price.of("id", "offering-" + i, Map.of("number", (long) i), BigDecimal.ONE);
            prices.add(price);
            if (i < 64 || i % 2 == 0) {
                removals.remove(price.offering(), price.id());
            }
        }
        PriceIndex index = PriceIndex.builder().integer("number").build(prices);
        index.update(removals);
        Snapshot snapshot = IndexAccess.snapshot(index);
        assertThat(snapshot.segments().count).isEqualTo(200); // the places are still there
        assertThat(snapshot.numbers()).hasSize(68).startsWith(65, 67).endsWith(199);
        PriceQuery query = index.query().eq("number", 199L);
        AtomicInteger checks = new AtomicInteger(); // one for 64 places, unless all are without prices
        SearchResult result = index.search(query, () -> checks.incrementAndGet() > 3);
        assertThat(result).isInstanceOf(SearchResult.Found.class);
        assertThat(checks).hasValue(3);
        assertThatThrownBy(() -> index.search(query, () -> true))
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("offering='offering-65'");
    }

    /** Returns the heap in use after collections. */
    private static long usedHeap() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            used = Math.min(
                    used,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return used;
    }
}
