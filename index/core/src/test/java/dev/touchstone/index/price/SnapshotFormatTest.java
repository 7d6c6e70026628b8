package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.Price;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole versions as bytes. */
class SnapshotFormatTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final RandomPrices random = new RandomPrices(seed, 6, 5, 9);
    private final PriceIndex like = random.builder().build(List.of());
    private final SnapshotFormat format = new SnapshotFormat(like);

    @TempDir
    Path folder;

    @Test
    void decode_hasTheSamePrices_andAcceptsQueriesOfTheOther() throws IOException {
        List<Price> prices = random.prices(2000);
        PriceIndex index = random.builder().build(prices);
        byte[] bytes = format.encode(index);
        PriceIndex decoded = format.decode(bytes);
        assertThat(decoded.version()).isEqualTo(index.version());
        PriceModel model = PriceModel.of(prices);
        for (String offering : model.offerings()) {
            assertThat(decoded.prices(offering)).as("seed=" + seed).isEqualTo(index.prices(offering));
        }
        PriceQuery query = like.query().offering(prices.get(0).offering());
        assertThat(decoded.count(query))
                .isEqualTo(index.prices(prices.get(0).offering()).size());
        Path file = folder.resolve("index");
        index.write(file);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        assertThat(format.open(file).stats()).isEqualTo(decoded.stats());
    }

    @Test
    void replace_withADecodedIndex_goesOnFromItsVersion() throws IOException {
        PriceIndex index = like.copy();
        index.update(new PriceBatch().put(random.price("one")));
        index.update(new PriceBatch().put(random.price("two")));
        Price other = random.price("three");
        index.replace(format.decode(format.encode(random.builder().build(List.of(other)))));
        assertThat(index.version()).isEqualTo(1);
        assertThat(index.stats().prices()).isEqualTo(1);
        assertThat(index.update(new PriceBatch().remove(other.offering(), other.id())))
                .isEqualTo(2);
        assertThat(index.stats().prices()).isZero();
        assertThatThrownBy(() -> index.replace(random.builder().build(List.of())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("index of other fields");
    }

    @Test
    void decode_ofAnIndexOfOtherFields_isRefused() throws IOException {
        PriceIndex other = PriceIndex.builder().string("color").build(List.of());
        byte[] bytes = format.encode(other);
        assertThatThrownBy(() -> format.decode(bytes))
                .isInstanceOf(CorruptIndexException.class)
                .hasMessageContaining("index of other fields")
                .hasMessageContaining("color");
    }

    @Test
    void decode_ofDamagedBytes_isRefused() throws IOException {
        byte[] bytes = format.encode(random.builder().build(random.prices(100)));
        Random places = new Random(seed);
        for (int i = 0; i < 200; i++) {
            byte[] damaged = bytes.clone();
            damaged[places.nextInt(damaged.length)] ^= (byte) (1 << places.nextInt(8));
            try {
                // bytes between sections belong to none
                assertThat(format.decode(damaged).stats().prices())
                        .as("seed=" + seed)
                        .isEqualTo(100);
            } catch (CorruptIndexException e) {
                assertThat(e.section()).isNotEmpty();
            }
        }
    }

    @Test
    void of_prices_tellsThemLikeAResultOfTheIndex() {
        Price price = new Price(
                "id", "offering", Map.of("field0", List.of("b", "a")), new BigDecimal("12.50"), "EUR", true, "note");
        PriceIndex index = random.builder().build(List.of(price));
        SearchResult.Found expected = (SearchResult.Found) index.search(index.query());
        SearchResult.Found found = SearchResult.Found.of(1, 1, List.of(price));
        assertThat(found).hasToString(expected.toString());
        assertThat(found.prices()).isEqualTo(expected.prices());
        assertThat(found.text(0, index.field("field0"))).isEqualTo(expected.text(0, index.field("field0")));
        assertThat(found.unscaledValue(0)).isEqualTo(expected.unscaledValue(0));
        assertThat(found.scale(0)).isEqualTo(expected.scale(0));
        assertThat(found.isDefault(0)).isTrue();
        assertThat(found.value(0, index.field("field1"))).isNull();
        assertThatThrownBy(() -> SearchResult.Found.of(1, 1, List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
