package dev.touchstone.index.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.sample.MixedPrices;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class PriceLoaderTest {
    private static final String HEAD = "id,offering,value,currency,default,payload,group,term,amount,from\n";
    private static final PriceSchema SCHEMA = PriceSchema.builder()
            .string("group")
            .integer("term")
            .decimal("amount", 2)
            .dateTime("from")
            .build();

    private static final LoadOptions LENIENT =
            LoadOptions.DEFAULT.withMaxErrors(Long.MAX_VALUE).withMayBeEmpty(true);

    /** Prices and report of one source. */
    private record Loaded(List<Price> prices, LoadReport report) {}

    private static Loaded all(PriceLoad load) throws IOException {
        try (load) {
            List<Price> prices = new ArrayList<>();
            load.forEach(prices::add);
            return new Loaded(prices, load.report());
        }
    }

    private static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Loaded csv(String text) throws IOException {
        return all(PriceLoader.csv(bytes(text), SCHEMA, LENIENT));
    }

    private static Loaded json(String text) throws IOException {
        return all(PriceLoader.jsonLines(bytes(text), SCHEMA, LENIENT));
    }

    private static Price full() {
        return new Price(
                "p1",
                "o1",
                Map.of(
                        "group",
                        "a,\"b\"\nc",
                        "term",
                        12L,
                        "amount",
                        new BigDecimal("1.50"),
                        "from",
                        Instant.parse("2020-01-02T03:04:05Z")),
                new BigDecimal("12.5"),
                "EUR",
                true,
                "free text");
    }

    @Test
    void csv_allColumns_areRead() throws IOException {
        Loaded loaded = csv(HEAD
                + "p1,o1,12.5,EUR,true,free text,\"a,\"\"b\"\"\nc\",12,1.50,2020-01-02T04:04:05+01:00\r\n"
                + "p2,o1,7,,,,,,,\n");

        assertThat(loaded.prices).containsExactly(full(), Price.of("p2", "o1", Map.of(), new BigDecimal("7")));
        assertThat(loaded.report).isEqualTo(new LoadReport(2, 2, 0, List.of()));
    }

    /** Arabic, fullwidth and Devanagari digits, which the parsers of numbers of Java take for those of ASCII. */
    @Test
    void digitsBeyondAscii_areRefusedInNumbers() throws IOException {
        String arabic = "1\u0662";
        String wide = "\uFF11\uFF12";
        String devanagari = "1.\u0967";
        List<Tuple> errors = List.of(
                tuple(2L, "value", arabic),
                tuple(3L, "term", wide),
                tuple(4L, "amount", devanagari),
                tuple(5L, "from", "202\u0660-01-02T03:04:05Z"));
        Loaded csv = csv("id,offering,value,term,amount,from,group\n" + "a,o," + arabic + ",1,1,,\n" + "b,o,1," + wide
                + ",1,,\n" + "c,o,1,1," + devanagari + ",,\n" + "d,o,1,1,1,202\u0660-01-02T03:04:05Z,\n"
                + "e,o,1,1,1,," + arabic + "\n");
        assertThat(csv.prices).extracting(Price::id).containsExactly("e");
        assertThat(csv.report.first())
                .extracting(RowError::line, RowError::column, RowError::value)
                .containsExactlyElementsOf(errors);

        Loaded json = json("{\"id\":\"e\",\"offering\":\"o\",\"value\":1,\"group\":\"" + arabic + "\"}\n"
                + "{\"id\":\"a\",\"offering\":\"o\",\"value\":\"" + arabic + "\"}\n"
                + "{\"id\":\"b\",\"offering\":\"o\",\"value\":1,\"term\":\"" + wide + "\"}\n"
                + "{\"id\":\"c\",\"offering\":\"o\",\"value\":1,\"amount\":\"" + devanagari + "\"}\n"
                + "{\"id\":\"d\",\"offering\":\"o\",\"value\":1,\"from\":\"202\u0660-01-02T03:04:05Z\"}\n");
        assertThat(json.prices).extracting(Price::id).containsExactly("e");
        assertThat(json.report.first())
                .extracting(RowError::line, RowError::column, RowError::value)
                .containsExactlyElementsOf(errors);
    }

    @Test
    void csv_severalValues_areSplitAtTheSeparatorOfTheColumn() throws IOException {
        String text = "id,offering,value,region,size,plain\n"
                + "a,o,1,north|west|north,s;m,x|y\n"
                + "b,o,1,north,|,;\n"
                + "c,o,1,north|,,\n" // line 4
                + "d,o,1,,;m,\n"
                + "e,o,1,,,\n";
        PriceSchema schema = PriceSchema.builder()
                .field("region", "string[]")
                .strings("size", ';')
                .string("plain")
                .build();
        Loaded loaded = all(PriceLoader.csv(bytes(text), schema, LENIENT));
        assertThat(loaded.prices)
                .extracting(Price::conditions)
                .containsExactly(
                        Map.of("region", Set.of("north", "west"), "size", Set.of("m", "s"), "plain", "x|y"),
                        Map.of("region", "north", "size", "|", "plain", ";"),
                        Map.of());
        assertThat(loaded.report.first())
                .extracting(RowError::line, RowError::column, RowError::reason)
                .containsExactly(
                        tuple(4L, "region", "one of several values is no string of 1 to 65536 characters"),
                        tuple(5L, "size", "one of several values is no string of 1 to 65536 characters"));
        StringWriter written = new StringWriter();
        PriceWriter.csv(loaded.prices, schema, written);
        assertThat(all(PriceLoader.csv(bytes(written.toString()), schema, LENIENT)).prices)
                .isEqualTo(loaded.prices);
        PriceSchema other =
                PriceSchema.builder().string("region", "size", "plain").build();
        assertThatThrownBy(() -> PriceWriter.csv(loaded.prices, other, new StringWriter()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("several values, and no separator in the schema: id=a field=region");
        PriceSchema odd = PriceSchema.builder()
                .string("region")
                .strings("size", '|')
                .strings("plain", ';')
                .build();
        List<Price> second = loaded.prices.subList(1, 2);
        assertThatThrownBy(() -> PriceWriter.csv(second, odd, new StringWriter()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("value contains the separator: id=b field=size value='|'");
        assertThatThrownBy(() -> PriceSchema.builder().field("region", "string[ab]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no such type: field=region type=string[ab]");
        assertThatThrownBy(() -> PriceSchema.builder().strings("region", '\uD800'))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"region", "size"})
    void write_anEmptyValue_isRefusedAsItWouldBeReadAsNone(String field) {
        PriceSchema schema =
                PriceSchema.builder().string("region").strings("size", '|').build();
        Price price = Price.of("a", "o", Map.of(field, ""), BigDecimal.ONE);
        Price several = Price.of("b", "o", Map.of("size", List.of("", "x")), BigDecimal.ONE);
        assertThatThrownBy(() -> PriceWriter.csv(List.of(price), schema, new StringWriter()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("value is empty, and would be read as no value: id=a field=" + field);
        assertThatThrownBy(() -> PriceWriter.csv(List.of(several), schema, new StringWriter()))
                .isInstanceOf(InvalidValueException.class);
    }

    @Test
    void jsonLines_lists_areSeveralValues() throws IOException {
        String begin = "{\"id\":\"p\",\"offering\":\"o\",\"value\":1,";
        String many = "[\"g0\"" + ",\"g1\"".repeat(1000) + "]";
        Loaded loaded = json(begin + "\"group\":[\"b\",\"a\",\"b\"],\"term\":1}\n"
                + begin.replace("p", "q") + "\"group\":[\"a\"]}\n"
                + begin + "\"group\":[]}\n"
                + begin + "\"group\":[\"\"]}\n"
                + begin + "\"group\":[\"a\",1]}\n"
                + begin + "\"group\":[\"a\",[\"b\"]]}\n"
                + begin + "\"term\":[\"1\"]}\n"
                + begin + "\"payload\":[\"1\"]}\n"
                + begin + "\"group\":" + many + "}\n");
        assertThat(loaded.prices)
                .extracting(Price::conditions)
                .containsExactly(Map.of("group", Set.of("a", "b"), "term", 1L), Map.of("group", "a"));
        assertThat(loaded.report.first())
                .extracting(RowError::line, RowError::column, RowError::reason)
                .containsExactly(
                        tuple(3L, "group", "number of values is 0, not 1 to 1000"),
                        tuple(4L, "group", "one of several values is no string of 1 to 65536 characters"),
                        tuple(5L, "group", "a list of other values than strings"),
                        tuple(6L, "group", "a list of other values than strings"),
                        tuple(7L, "term", "several values, where one can be"),
                        tuple(8L, "payload", "several values, where one can be"),
                        tuple(9L, "group", "number of values is 1001, not 1 to 1000"));
    }

    @Test
    void csv_columnsInAnotherOrderAndByteOrderMark_areRead() throws IOException {
        Loaded loaded = csv("\uFEFFterm,value,offering,id\n\n3,1,o,p\n");

        assertThat(loaded.prices).containsExactly(Price.of("p", "o", Map.of("term", 3L), new BigDecimal("1")));
    }

    @Test
    void csv_badRows_areReportedWithPlaceAndReason() throws IOException {
        String row = "p%d,o1,1,,,,g,%s,%s,%s\n";
        Loaded loaded = csv(HEAD
                + String.format(Locale.ROOT, row, 1, "x", "", "") // line 2
                + String.format(Locale.ROOT, row, 2, "", "1.234", "") // line 3
                + String.format(Locale.ROOT, row, 3, "", "", "yesterday") // line 4
                + "p4,o1\n" // line 5
                + "p5,o1,one,,,,,,,\n" // line 6
                + ",o1,1,,,,,,,\n" // line 7
                + "p7,o1,1,,maybe,,,,,\n" // line 8
                + "p8,o1,1234567890123456789,,,,,,,\n" // line 9
                + "p9,o1,1e100000000,,,,,,,\n" // line 10
                + "good,o1,1,,,,,,,\n"
                + "good,o1,2,,,,,,,\n" // line 12
                + "good,o2,3,,,,,,,\n");

        assertThat(loaded.prices)
                .extracting(Price::id, Price::offering)
                .containsExactly(tuple("good", "o1"), tuple("good", "o2"));
        assertThat(loaded.report.rows()).isEqualTo(12);
        assertThat(loaded.report.first())
                .extracting(RowError::line, RowError::column)
                .containsExactly(
                        tuple(2L, "term"),
                        tuple(3L, "amount"),
                        tuple(4L, "from"),
                        tuple(5L, ""),
                        tuple(6L, "value"),
                        tuple(7L, "id"),
                        tuple(8L, "default"),
                        tuple(9L, "value"),
                        tuple(10L, "value"),
                        tuple(12L, "id"));
    }

    @Test
    void csv_brokenQuotes_costTheirLineOnly() throws IOException {
        Loaded loaded = csv(HEAD
                + "a,o,1,,,,\"x\"y,,,\n" // line 2
                + "b,o,1,,,,\"open,,,\n" // line 3: closes at no place
                + "c,o,1,,,,plain,,,\n"
                + "d,o,1,,,,\"fine \n two\",,,\n"
                + "e,o,1,,,,,x,,\n" // line 7
                + "f,o,1,,,,\"never,,,\n" // line 8
                + "g,o,1,,,,,,,");

        assertThat(loaded.prices).extracting(Price::id).containsExactly("c", "d", "g");
        assertThat(loaded.report.first()).extracting(RowError::line).containsExactly(2L, 3L, 7L, 8L);
    }

    @Test
    void csv_bytesThatAreNoUtf8_costTheirLineOnly() throws IOException {
        byte[] text = (HEAD + "a,o,1,,,,#,,,\nb,o,2,,,,\u00e9,,,\n").getBytes(StandardCharsets.UTF_8);
        text[HEAD.length() + "a,o,1,,,,".length()] = (byte) 0xC3;

        Loaded loaded = all(PriceLoader.csv(new ByteArrayInputStream(text), SCHEMA, LENIENT));

        assertThat(loaded.prices)
                .extracting(price -> price.conditions().get("group"))
                .containsExactly("\u00e9");
        assertThat(loaded.report.first())
                .extracting(RowError::line, RowError::reason)
                .containsExactly(tuple(2L, Utf8.REASON));
    }

    @Test
    void csv_longRowsAndFields_areLeftOutWithoutHoldingThem() throws IOException {
        LoadOptions options = LENIENT.withMaxChars(1000, 100);
        String text = HEAD + "a,o,1,,," + "x".repeat(500_000) + ",,,,\n"
                + "b,o,1,,," + "x".repeat(200) + ",,,,\n"
                + "c,o,1,,,\"" + "y\n".repeat(600) + "\",,,,\n"
                + "d,o,1,,,,,,,\n";

        Loaded loaded = all(PriceLoader.csv(bytes(text), SCHEMA, options));

        assertThat(loaded.prices).extracting(Price::id).containsExactly("d");
        assertThat(loaded.report.first()).extracting(RowError::line).startsWith(2L, 3L, 4L);
    }

    @Test
    void csv_moreErrorsThanAllowed_endTheLoad() {
        LoadOptions options = LoadOptions.DEFAULT.withMaxErrors(1).withReportedErrors(1);
        String text = HEAD + "a,o,x,,,,,,,\nb,o,x,,,,,,,\nc,o,1,,,,,,,\n";

        assertThatThrownBy(() -> all(PriceLoader.csv(bytes(text), SCHEMA, options)))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("maxErrors=1")
                .hasMessageContaining("line 3");
    }

    /** No good row is between the bad ones, so the parser gets no row to pass on. */
    @Test
    void csv_endlessBadLines_endTheLoadSoon() throws IOException {
        PriceSchema schema = PriceSchema.builder().build();
        for (long maxErrors : new long[] {0, 1000}) {
            LoadOptions options = LoadOptions.DEFAULT.withMaxErrors(maxErrors);
            InputStream lines = repeated("id,offering,value\n", ",\"x\n", 1_000_000);
            try (PriceLoad load = PriceLoader.csv(lines, schema, options)) {
                assertThatThrownBy(() -> load.iterator().hasNext())
                        .isInstanceOf(LoadException.class)
                        .hasMessageContaining("more bad rows than maxErrors=" + maxErrors)
                        .hasMessageContaining("line " + (maxErrors + 2));
            }
        }
    }

    /** Returns a stream of a head and then one line again and again, which fails when too many bytes of it are read. */
    private static InputStream repeated(String head, String line, int maxBytes) {
        byte[] first = head.getBytes(StandardCharsets.UTF_8);
        byte[] more = line.getBytes(StandardCharsets.UTF_8);
        return new InputStream() {
            private int at;

            @Override
            public int read() throws IOException {
                if (at > maxBytes) {
                    throw new IOException("more was read than the load needs");
                }
                int place = at++;
                return place < first.length ? first[place] : more[(place - first.length) % more.length];
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                if (length > 0) {
                    into[from] = (byte) read();
                }
                return Math.min(length, 1);
            }
        };
    }

    @Test
    void csv_headThatDoesNotFit_isRefused() {
        assertThatThrownBy(() -> csv("")).isInstanceOf(LoadException.class).hasMessageContaining("no head");
        assertThatThrownBy(() -> csv("id,offering\n")).hasMessageContaining("name=value");
        assertThatThrownBy(() -> csv("id,offering,value,colour\n")).hasMessageContaining("colour");
        assertThatThrownBy(() -> csv("id,offering,value,id\n")).hasMessageContaining("twice");
    }

    @Test
    void csv_anyDamage_neverFails() throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        String good = "p1,o1,12.5,EUR,true,free text,\"a,\"\"b\"\"\nc\",12,1.50,2020-01-02T04:04:05+01:00\r\n";
        for (int i = 0; i < 500; i++) {
            byte[] text = (HEAD + good.repeat(5)).getBytes(StandardCharsets.UTF_8);
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                byte[] odd = {'"', ',', '\n', '\r', 0, (byte) 0xFF, 'x'};
                text[HEAD.length() + random.nextInt(text.length - HEAD.length())] = odd[random.nextInt(odd.length)];
            }
            LoadReport report = all(PriceLoader.csv(new ByteArrayInputStream(text), SCHEMA, LENIENT)).report;
            assertThat(report.loaded()).as("-Dseed=%d", seed).isLessThanOrEqualTo(5);
            assertThat(report.rows()).isEqualTo(report.loaded() + report.errors());
        }
    }

    @Test
    void jsonLines_allColumns_areRead() throws IOException {
        Loaded loaded = json(
                "{\"id\":\"p1\",\"offering\":\"o1\",\"value\":12.5,\"currency\":\"EUR\",\"default\":true,"
                        + "\"payload\":\"free text\",\"group\":\"a,\\\"b\\\"\\nc\",\"term\":12,\"amount\":\"1.50\","
                        + "\"from\":\"2020-01-02T03:04:05Z\"}\n\n{\"id\":\"p2\",\"offering\":\"o1\",\"value\":7,\"term\":null}");

        assertThat(loaded.prices).containsExactly(full(), Price.of("p2", "o1", Map.of(), new BigDecimal("7")));
    }

    @Test
    void jsonLines_badRows_areReported() throws IOException {
        String good = "{\"id\":\"%s\",\"offering\":\"o\",\"value\":1%s}\n";
        Loaded loaded = json(String.format(Locale.ROOT, good, "a", ",\"group\":5")
                + String.format(Locale.ROOT, good, "b", ",\"colour\":\"red\"")
                + String.format(Locale.ROOT, good, "c", ",\"term\":1.5")
                + String.format(Locale.ROOT, good, "d", ",\"term\":[1]")
                + String.format(Locale.ROOT, good, "e", ",\"term\":1,\"term\":2")
                + "{\"id\":\"f\"\n"
                + "[".repeat(100_000) + "\n"
                + "{} {}\n"
                + String.format(Locale.ROOT, good, "good", "")
                + String.format(Locale.ROOT, good, "good", ""));

        assertThat(loaded.prices).extracting(Price::id).containsExactly("good");
        assertThat(loaded.report.first())
                .extracting(RowError::line)
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 10L);
    }

    @Test
    void jsonLines_longLine_isLeftOut() throws IOException {
        LoadOptions options = LENIENT.withMaxChars(100, 100);
        String text = "{\"id\":\"" + "x".repeat(300_000) + "\"}\n{\"id\":\"p\",\"offering\":\"o\",\"value\":1}\n";

        Loaded loaded = all(PriceLoader.jsonLines(bytes(text), SCHEMA, options));

        assertThat(loaded.prices).hasSize(1);
        assertThat(loaded.report.first()).extracting(RowError::line).containsExactly(1L);
    }

    @Test
    void schema_ofFiles_comesFromTheHeadOrTheFirstObject(@TempDir Path folder) throws IOException {
        Path csv = Files.writeString(folder.resolve("a.csv"), "id,sku,value,term,colour\n");
        Path json = Files.writeString(
                folder.resolve("a.jsonl"), "{\"id\":\"1\",\"sku\":\"s\",\"value\":1,\"term\":1,\"colour\":\"x\"}\n");

        assertThat(PriceLoader.csvSchema(csv, "sku", Map.of("term", "integer"))
                        .fields()
                        .toString())
                .isEqualTo(PriceLoader.jsonLinesSchema(json, "sku", Map.of())
                        .fields()
                        .toString())
                .contains("INTEGER");
    }

    @Test
    void writer_whatItWrites_isReadBack() throws IOException {
        MixedPrices mixed = new MixedPrices(2000, 20, 6, 7);
        PriceSchema schema = PriceSchema.of(mixed.declare(PriceIndex.builder()).build(List.of()));
        StringWriter text = new StringWriter();
        PriceWriter.csv(mixed, schema, text);
        List<Price> expected = new ArrayList<>();
        mixed.forEach(expected::add);

        assertThat(all(PriceLoader.csv(bytes(text.toString()), schema, LoadOptions.DEFAULT)).prices)
                .isEqualTo(expected);
    }

    @Test
    @Tag("slow")
    void seed_asCsv_makesTheSameIndex() throws IOException {
        StringWriter text = new StringWriter();
        SamplesMain.write("seed", text);
        String head =
                text.toString().substring(0, text.toString().indexOf('\n')).strip();
        PriceSchema.Builder builder = PriceSchema.builder();
        for (String column : List.of(head.split(",")).subList(6, head.split(",").length)) {
            builder.string(column);
        }
        PriceSchema schema = builder.build();

        try (PriceLoad load = PriceLoader.csv(bytes(text.toString()), schema, LoadOptions.DEFAULT)) {
            PriceIndex index = schema.declare(PriceIndex.builder()).build(load);
            assertThat(index.stats().prices()).isEqualTo(487_200);
            assertThat(load.report().errors()).isZero();
        }
    }

    @Test
    void defaults_firstBadRow_endsTheLoad() {
        assertThatThrownBy(() ->
                        all(PriceLoader.csv(bytes("id,offering,value\na,o,1\nb,o,x\n"), SCHEMA, LoadOptions.DEFAULT)))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("maxErrors=0")
                .hasMessageContaining("line 3, value 'x'");
    }

    @Test
    void defaults_noPrices_areRefused() {
        assertThatThrownBy(() -> all(PriceLoader.csv(bytes(HEAD), SCHEMA, LoadOptions.DEFAULT)))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("no prices: rows=0");
        assertThatThrownBy(() -> all(PriceLoader.jsonLines(bytes(""), SCHEMA, LoadOptions.DEFAULT)))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("no prices: rows=0");
    }

    @Test
    void types_ofColumnsThatAreNotThere_areRefused(@TempDir Path folder) throws IOException {
        Path csv = Files.writeString(folder.resolve("a.csv"), "id,offering,value,term\np,o,1,3\n");

        assertThatThrownBy(() -> PriceLoader.csvSchema(csv, "offering", Map.of("trem", "integer")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("column='trem'")
                .hasMessageContaining("term");
        assertThatThrownBy(() -> PriceLoader.csvSchema(csv, "offering", Map.of("value", "integer")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("column='value'");
    }

    @Test
    void gzip_isReadLikePlainText(@TempDir Path folder) throws IOException {
        Path csv = Files.write(folder.resolve("a.csv.gz"), gzip("\uFEFFid,offering,value,term\np,o,1,3\n"));
        Path json = Files.write(
                folder.resolve("a.jsonl.gz"), gzip("{\"id\":\"p\",\"offering\":\"o\",\"value\":1,\"term\":3}\n"));
        Price expected = Price.of("p", "o", Map.of("term", 3L), new BigDecimal("1"));
        PriceSchema ofCsv = PriceLoader.csvSchema(csv, "offering", Map.of("term", "integer"));
        PriceSchema ofJson = PriceLoader.jsonLinesSchema(json, "offering", Map.of());

        assertThat(all(PriceLoader.csv(csv, ofCsv, LoadOptions.DEFAULT)).prices).containsExactly(expected);
        assertThat(all(PriceLoader.jsonLines(json, ofJson, LoadOptions.DEFAULT)).prices)
                .containsExactly(expected);
    }

    @Test
    void gzip_damagedOrTooLarge_isRefused() throws IOException {
        String text = "id,offering,value\n" + "p,o,1\n".repeat(1000);
        byte[] packed = gzip(text);
        byte[] torn = Arrays.copyOf(packed, packed.length / 2);
        byte[] wrong = packed.clone();
        wrong[packed.length - 6] ^= 1; // of the checksum
        LoadOptions exact = LENIENT.withMaxUnpackedBytes(text.length());

        assertThat(all(PriceLoader.csv(new ByteArrayInputStream(packed), SCHEMA, exact))
                        .report
                        .rows())
                .isEqualTo(1000);
        assertThatThrownBy(() -> all(PriceLoader.csv(
                        new ByteArrayInputStream(packed), SCHEMA, exact.withMaxUnpackedBytes(text.length() - 1))))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("maxUnpackedBytes=" + (text.length() - 1));
        for (byte[] damaged : List.of(torn, wrong)) {
            assertThatThrownBy(() -> all(PriceLoader.csv(new ByteArrayInputStream(damaged), SCHEMA, LENIENT)))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("gzip is damaged");
            assertThatThrownBy(() -> all(PriceLoader.jsonLines(new ByteArrayInputStream(damaged), SCHEMA, LENIENT)))
                    .isInstanceOf(LoadException.class)
                    .hasMessageContaining("gzip is damaged");
        }
    }

    @Test
    void requireColumns_ofJsonLines_areThoseThatARowNamed() throws IOException {
        String text =
                "{\"id\":\"p\",\"offering\":\"o\",\"value\":1}\n{\"id\":\"q\",\"offering\":\"o\",\"value\":1,\"term\":null}\n";
        try (PriceLoad load = PriceLoader.jsonLines(bytes(text), SCHEMA, LoadOptions.DEFAULT)) {
            load.forEach(price -> {});

            load.requireColumns(List.of("term", "id"));
            assertThatThrownBy(() -> load.requireColumns(List.of("term", "amount")))
                    .isInstanceOf(UnknownColumnException.class)
                    .hasMessageContaining("column='amount' columns=[id, offering, value, term]");
        }
    }

    @Test
    void csv_timesWithoutOffset_areInTheZoneOfTheOptions() throws IOException {
        String text = """
                id,offering,value,from
                a,o,1,2020-07-01T12:00:00
                b,o,1,2020-07-01 12:00:00.5
                c,o,1,2020-07-01
                d,o,1,2020-07-01 12:00:00+00:00
                gap,o,1,2020-03-29T02:30
                overlap,o,1,2020-10-25T02:30
                f,o,1,2020-02-30
                """;
        Loaded loaded = all(PriceLoader.csv(bytes(text), SCHEMA, LENIENT.withZone(ZoneId.of("Europe/Berlin"))));

        assertThat(loaded.prices)
                .extracting(price -> String.valueOf(price.conditions().get("from")))
                .containsExactly(
                        "2020-07-01T10:00:00Z",
                        "2020-07-01T10:00:00.500Z",
                        "2020-06-30T22:00:00Z",
                        "2020-07-01T12:00:00Z");
        assertThat(loaded.report.first())
                .extracting(RowError::line, RowError::reason)
                .satisfiesExactly(
                        error -> assertThat(error.toString()).contains("6", "does not exist: zone=Europe/Berlin"),
                        error -> assertThat(error.toString()).contains("7", "exists twice: zone=Europe/Berlin"),
                        error -> assertThat(error.toString()).contains("8", "not a point in time"));
    }

    @Test
    void csv_dateWhoseMidnightIsSkippedOrRepeated_isItsFirstMoment() throws IOException {
        String text = "id,offering,value,from\na,o,1,2018-11-04\nb,o,1,2018-02-18\n";
        Loaded loaded =
                all(PriceLoader.csv(bytes(text), SCHEMA, LoadOptions.DEFAULT.withZone(ZoneId.of("America/Sao_Paulo"))));

        assertThat(loaded.prices)
                .extracting(price -> String.valueOf(price.conditions().get("from")))
                .containsExactly("2018-11-04T03:00:00Z", "2018-02-18T03:00:00Z");
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return packed.toByteArray();
    }

    @Test
    void load_readTwice_isRefused() throws IOException {
        try (PriceLoad load = PriceLoader.csv(bytes(HEAD), SCHEMA, LENIENT)) {
            assertThat(load.iterator()).isExhausted();
            assertThatThrownBy(load::iterator).isInstanceOf(IllegalStateException.class);
        }
    }
}
