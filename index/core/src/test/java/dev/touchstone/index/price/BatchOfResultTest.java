package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.CorruptEncodingException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Results as batches that put their prices, with and without objects of these. */
class BatchOfResultTest {
    private static List<Price> prices(PriceBatch batch) {
        List<Price> prices = new ArrayList<>();
        batch.forEach(prices::add, (offering, id) -> {
            throw new AssertionError("removed: offering=" + offering + " id=" + id);
        });
        return prices;
    }

    @RepeatedTest(3)
    void batchOfAResult_putsItsPrices() throws CorruptEncodingException {
        long seed = Long.getLong("seed", System.nanoTime());
        RandomPrices random = new RandomPrices(seed, 9, 5, 8);
        PriceIndex index = random.builder().build(random.prices(600));
        BatchFormat format = new BatchFormat(index);
        for (int limit = 1; limit < 700; limit += 37) {
            PriceQuery query = index.query().policy(MatchPolicy.ALL).limit(limit);
            SearchResult.Found found = (SearchResult.Found) index.search(query);
            byte[] bytes = format.encode(7, found);
            assertThat(format.version(ByteBuffer.wrap(bytes))).isEqualTo(7);
            assertThat(prices(format.decode(ByteBuffer.wrap(bytes))))
                    .as("seed=" + seed)
                    .isEqualTo(found.prices());
            SearchResult.Found held = SearchResult.Found.of(1, found.matches(), found.prices());
            assertThat(format.encode(7, held)).as("seed=" + seed).isEqualTo(bytes);
        }
    }

    @Test
    void batchOfAResultThatIsTooLong_isRefused() {
        String payload = "x".repeat(BatchFormat.MAX_BYTES / 2);
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            prices.add(new Price("p" + i, "o", Map.of(), BigDecimal.ONE, "", false, payload));
        }
        PriceIndex index = PriceIndex.builder().string("s").build(List.of());
        SearchResult.Found found = SearchResult.Found.of(1, 4, prices);
        assertThatThrownBy(() -> new BatchFormat(index).encode(2, found))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("too long");
    }
}
