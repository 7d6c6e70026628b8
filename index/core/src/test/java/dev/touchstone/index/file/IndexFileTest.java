package dev.touchstone.index.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.Answers;
import dev.touchstone.index.price.Condition;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceModel;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.RandomPrices;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Indexes that were written, read and mapped. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IndexFileTest {
    private static final int GOLDEN_BYTES = 672;
    private static final String GOLDEN_CRC = "d142651d";

    @TempDir
    Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private Path file = Path.of("");

    @BeforeEach
    void place() {
        file = folder.resolve("prices.index");
    }

    private void assertSame(PriceIndex read, PriceIndex written, RandomPrices random, String what) {
        assertThat(read.keyField()).as(what).isEqualTo(written.keyField());
        assertThat(read.fields()).as(what).isEqualTo(written.fields());
        assertThat(read.stats()).as(what).isEqualTo(written.stats());
        List<Price> all = all(written);
        assertThat(all(read)).as(what).isEqualTo(all);
        for (int i = 0; i < 25; i++) {
            String offering = i % 3 == 0 ? null : random.offering();
            List<Condition> conditions = i % 2 == 0 || all.isEmpty()
                    ? random.conditions(4)
                    : random.whole(all.get(random.random.nextInt(all.size())));
            List<Price> expected = Answers.matching(all, offering, conditions);
            PriceQuery query = Answers.query(read, offering, conditions);
            Answers.assertAnswers(read, query, expected, written.stats().version(), what + " " + query);
        }
    }

    private static List<Price> all(PriceIndex index) {
        SearchResult result = index.search(index.query().policy(MatchPolicy.ALL).limit(1_000_000));
        return result instanceof SearchResult.Found found ? found.prices() : List.of();
    }

    @ParameterizedTest
    @CsvSource({
        // fields, distinct values, offerings, prices
        "0, 1, 1, 5",
        "1, 1, 1, 1",
        "4, 5, 1, 0",
        "8, 5, 30, 400",
        "20, 50, 2, 900",
        "63, 300, 4, 300",
        "5, 3, 300, 600",
    })
    void open_andMap_ofAWrittenIndex_answerAsItDid(int fields, int distinct, int offerings, int count)
            throws IOException {
        RandomPrices random = new RandomPrices(seed, fields, distinct, offerings);
        PriceIndex index = random.builder().keyField("\u00fc key").build(random.prices(count));
        PriceModel model = new PriceModel();
        index.update(model.random(random, 30).batch());
        index.write(file);
        String what = "seed=" + seed;
        PriceIndex.validate(file);
        PriceIndex opened = PriceIndex.open(file);
        PriceIndex mapped = PriceIndex.map(file);
        assertSame(opened, index, random, what + " opened");
        assertSame(mapped, index, random, what + " mapped");
        assertSame(PriceIndex.map(file, 0), index, random, what + " mapped without cache");
        Path second = folder.resolve("second.index");
        mapped.write(second);
        assertThat(Files.mismatch(file, second)).as(what).isEqualTo(-1);
    }

    @Test
    void update_ofAMappedIndex_answersFromHeapAndFile() throws IOException {
        RandomPrices random = new RandomPrices(seed, 6, 5, 5);
        List<Price> prices = random.prices(300);
        PriceModel model = new PriceModel();
        PriceModel.Update first = new PriceModel.Update();
        prices.forEach(first::put);
        model.apply(first);
        random.builder().build(model.all()).write(file);
        PriceIndex index = PriceIndex.map(file);
        index.write(file); // replaces what is mapped
        for (int version = 2; version < 40; version++) {
            PriceModel.Update update = model.random(random, 10);
            model.apply(update);
            assertThat(index.update(update.batch())).isEqualTo(version);
            for (String offering : model.offerings()) {
                assertThat(index.prices(offering))
                        .as("seed=%d version=%d", seed, version)
                        .isEqualTo(model.prices(offering));
            }
        }
        index.write(file);
        PriceIndex again = PriceIndex.map(file);
        assertThat(again.stats()).isEqualTo(index.stats());
        assertThat(all(again)).as("seed=%d", seed).isEqualTo(model.all());
        assertThat(again.update(new PriceBatch())).isEqualTo(40);
    }

    @Test
    void open_ofAnOfferingWithoutPrices_isAsItWas() throws IOException {
        Price price = new Price("a", "o", Map.of("s", "x"), BigDecimal.ONE, "EUR", true, "note");
        PriceIndex index = PriceIndex.builder().string("s").build(List.of(price));
        index.update(new PriceBatch().remove("o", "a"));
        index.write(file);
        PriceIndex opened = PriceIndex.open(file);
        assertThat(opened.stats()).isEqualTo(index.stats());
        assertThat(opened.prices("o")).isEmpty();
        opened.update(new PriceBatch().put(price));
        assertThat(opened.prices("o")).containsExactly(price);
    }

    @Test
    void write_overAnotherIndex_replacesItAndLeavesNothingElse() throws IOException {
        PriceIndex index = PriceIndex.builder().build(List.of());
        index.write(file);
        index.update(new PriceBatch().put(Price.of("a", "o", Map.of(), BigDecimal.ONE)));
        index.write(file);
        assertThat(PriceIndex.open(file).stats().version()).isEqualTo(2);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void write_thatFails_leavesTheFileAndNothingElse() throws IOException {
        PriceIndex index = PriceIndex.builder().build(List.of());
        Path taken = folder.resolve("taken");
        Files.createDirectories(taken.resolve("inside"));
        assertThatThrownBy(() -> index.write(taken)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> index.write(folder.resolve("missing").resolve("file")))
                .isInstanceOf(IOException.class);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(taken);
        }
    }

    @Test
    void open_ofWhatIsNoIndex_saysSo() throws IOException {
        assertThatThrownBy(() -> PriceIndex.open(file)).isInstanceOf(NoSuchFileException.class);
        List<byte[]> others = new ArrayList<>(List.of(new byte[0], new byte[31], new byte[32], new byte[5000]));
        others.add("id,offering,value\n".repeat(50).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        for (byte[] other : others) {
            Files.write(file, other);
            assertThatThrownBy(() -> PriceIndex.open(file))
                    .isInstanceOfSatisfying(
                            CorruptIndexException.class,
                            e -> assertThat(e.section()).isEqualTo("HEADER"))
                    .hasMessageContainingAll("no index file", "bytes=" + other.length, "section=HEADER");
        }
    }

    /** The bytes of the format: a change of these is a change of the format's number. */
    @Test
    void write_ofASmallIndex_givesTheseBytes() throws IOException {
        Price price = new Price(
                "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
                "o",
                Map.of("s", "x", "n", 7L),
                BigDecimal.TEN,
                "EUR",
                true,
                "p");
        PriceIndex.builder().string("s").integer("n").build(List.of(price)).write(file);
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        byte[] bytes = Files.readAllBytes(file);
        crc.update(bytes);
        assertThat(bytes)
                .hasSize(GOLDEN_BYTES)
                .startsWith("TSINDEX".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(Long.toHexString(crc.getValue())).isEqualTo(GOLDEN_CRC);
    }
}
