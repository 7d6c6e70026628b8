package dev.touchstone.index.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SearchResult;
import dev.touchstone.index.table.TextBuilder;
import dev.touchstone.index.table.TextColumn;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Payloads of mapped indexes: read once while they are wanted, and never more of them than there is room for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PayloadCacheTest {
    private static final int ROWS = 500;

    @TempDir
    Path folder;

    private static PriceColumns columns(boolean isMapped) {
        TextBuilder texts = new TextBuilder();
        for (int i = 0; i < ROWS; i++) {
            texts.add(text(i));
        }
        TextColumn column = texts.build();
        if (isMapped) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(column.bytes().remaining());
            column = new TextColumn(column.ends(), bytes.put(column.bytes()).flip());
        }
        return columns(column);
    }

    private static PriceColumns columns(@Nullable TextColumn payloads) {
        LongBuffer none = LongBuffer.allocate(0);
        return new PriceColumns(none, null, none, ByteBuffer.allocate(0), IntBuffer.allocate(0), payloads);
    }

    private static String text(int row) {
        return row % 5 == 0 ? "" : "payload " + row + " \u00fc".repeat(row % 50);
    }

    @Test
    void payload_askedForAgain_isTheSameString() {
        PayloadCache cache = new PayloadCache(1 << 20);
        PriceColumns columns = columns(true);
        for (int row = 0; row < ROWS; row++) {
            String payload = cache.payload(columns, row);
            if (text(row).isEmpty()) {
                assertThat(payload).isNull();
            } else {
                assertThat(payload).isEqualTo(text(row)).isSameAs(cache.payload(columns, row));
            }
        }
        assertThat(cache.size()).isEqualTo(ROWS * 4 / 5);
    }

    @Test
    void payloads_ofMoreThanTheRoom_areReadAgain() {
        PayloadCache cache = new PayloadCache(20_000);
        PriceColumns columns = columns(true);
        for (int i = 0; i < 3 * ROWS; i++) {
            String expected = text(i % ROWS);
            assertThat(cache.payload(columns, i % ROWS)).isEqualTo(expected.isEmpty() ? null : expected);
            assertThat(cache.bytes()).isLessThanOrEqualTo(20_000);
        }
        assertThat(cache.size()).isBetween(1L, 20_000L / 160);
    }

    @Test
    void payload_largerThanTheRoom_isReadEachTime() {
        TextBuilder texts = new TextBuilder();
        texts.add("x".repeat(100_000));
        TextColumn column = texts.build();
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(100_000).put(column.bytes()).flip();
        PayloadCache cache = new PayloadCache(10_000);
        PriceColumns columns = columns(new TextColumn(column.ends(), bytes));
        assertThat(cache.payload(columns, 0)).hasSize(100_000);
        assertThat(cache.size()).isZero();
        assertThat(cache.payload(columns, 0)).hasSize(100_000);
    }

    @Test
    void payloads_inTheHeap_areNotKeptTwice() {
        PayloadCache cache = new PayloadCache(1 << 20);
        assertThat(cache.payload(columns(false), 7)).isEqualTo(text(7));
        assertThat(cache.payload(columns((TextColumn) null), 7)).isNull();
        assertThat(cache.size()).isZero();
    }

    @Test
    void payloads_ofEqualRowsOfTwoColumns_areEachColumnsOwn() {
        PayloadCache cache = new PayloadCache(1 << 20);
        for (String text : List.of("one", "two")) {
            ByteBuffer bytes =
                    ByteBuffer.allocateDirect(3).put(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            TextColumn column = new TextColumn(IntBuffer.wrap(new int[] {3}), bytes.flip());
            assertThat(cache.payload(columns(column), 0)).isEqualTo(text);
        }
        assertThat(cache.size()).isEqualTo(2);
    }

    private static Price price(int number, String payload) {
        return new Price(
                "p" + number, "o" + number % 3, Map.of("n", (long) number), BigDecimal.ONE, "", false, payload);
    }

    @Test
    void payloads_ofAMappedIndex_followUpdates() throws IOException {
        List<Price> prices = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            prices.add(price(i, "first " + i));
        }
        Path file = folder.resolve("prices.index");
        PriceIndex.builder().integer("n").build(prices).write(file);
        for (long cacheBytes : new long[] {0, 1000, 1 << 20}) {
            PriceIndex index = PriceIndex.map(file, cacheBytes);
            PriceIndex copy = index.copy();
            SearchResult.Found before = found(index, 7);
            assertThat(before.payload(0))
                    .isEqualTo("first 7")
                    .isEqualTo(found(copy, 7).price(0).payload());
            index.update(new PriceBatch().put(price(7, "second")).remove("o1", "p1"));
            assertThat(found(index, 7).payload(0)).isEqualTo("second");
            assertThat(found(index, 10).payload(0)).isEqualTo("first 10");
            assertThat(found(index, 8).payload(0)).isEqualTo("first 8");
            assertThat(before.payload(0)).isEqualTo("first 7");
            assertThat(before.price(0)).isEqualTo(prices.get(7));
            assertThat(found(copy, 7).payload(0)).isEqualTo("first 7");
        }
    }

    private static SearchResult.Found found(PriceIndex index, long number) {
        return (SearchResult.Found) requireNonNull(index.search(index.query().eq("n", number)));
    }

    @Test
    void map_withABoundBelow0_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PriceIndex.map(folder.resolve("none"), -1))
                .withMessageContaining("cacheBytes=-1");
    }
}
