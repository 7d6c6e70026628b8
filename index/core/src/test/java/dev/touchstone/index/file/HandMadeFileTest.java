package dev.touchstone.index.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.Price;
import dev.touchstone.index.file.IndexFormat.Kind;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.table.TextBuilder;
import dev.touchstone.index.table.TextColumn;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files whose checksums are right and whose contents no index would have written. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HandMadeFileTest {
    private static final int STRING = IndexFile.TYPES.indexOf(FieldType.STRING);
    private static final int INTEGER = IndexFile.TYPES.indexOf(FieldType.INTEGER);
    private static final int DECIMAL = IndexFile.TYPES.indexOf(FieldType.DECIMAL);

    @TempDir
    Path folder;

    private Path file = Path.of("");
    private HandMade made = new HandMade();

    /** Two prices under a string with two values, an integer with two and a decimal. */
    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("prices.index");
        PriceIndex.builder()
                .string("s")
                .integer("n")
                .decimal("d", 2)
                .build(List.of(
                        Price.of("one", "o", Map.of("s", "x", "n", 5L), BigDecimal.ONE),
                        Price.of("two", "o", Map.of("s", "y", "n", 7L, "d", BigDecimal.TEN), BigDecimal.TEN)))
                .write(file);
        made = HandMade.of(file);
    }

    private void assertRefused(HandMade changed, String section, String message) throws IOException {
        changed.write(file);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (boolean isMapped : new boolean[] {false, true}) {
            long before = threads.getCurrentThreadAllocatedBytes();
            assertThatThrownBy(() -> {
                        PriceIndex index = isMapped ? PriceIndex.map(file) : PriceIndex.open(file);
                        index.stats();
                    })
                    .isInstanceOfSatisfying(
                            CorruptIndexException.class,
                            e -> assertThat(e.section()).isEqualTo(section))
                    .hasMessageContaining(message);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10 << 20);
        }
    }

    @Test
    void file_writtenAgainAsItWas_isRead() throws IOException {
        byte[] before = Files.readAllBytes(file);
        assertThat(made.file()).isEqualTo(before);
        for (HandMade same : List.of(
                made.with(Kind.SCHEMA, schema(1, "offering", "s", STRING, 0, "n", INTEGER, 0, "d", DECIMAL, 2)),
                made.with(Kind.STRINGS, strings(new int[0], new int[0], "x", "y")),
                made.with(Kind.CONDITIONS, conditions(2, 2, 2, row(1, 1, 0), row(2, 2, 1))),
                made.with(Kind.PRICES, prices(null, texts(column("one", "two")), new long[] {1, 10}, 0, 1)))) {
            assertThat(same.file()).isEqualTo(before);
        }
    }

    private static SectionWriter schema(long version, String key, Object... fields) {
        SectionWriter writer = new SectionWriter();
        writer.number(version);
        writer.text(key);
        writer.number(fields.length / 3);
        for (int i = 0; i < fields.length; i += 3) {
            writer.number((int) fields[i + 1]);
            writer.number((int) fields[i + 2]);
            writer.text((String) fields[i]);
        }
        return writer;
    }

    private static SectionWriter texts(String... texts) {
        SectionWriter writer = new SectionWriter();
        writer.texts(List.of(texts));
        return writer;
    }

    private static SectionWriter strings(int[] ends, int[] codes, String... texts) {
        SectionWriter writer = texts(texts);
        writer.ints(IntBuffer.wrap(ends));
        writer.ints(IntBuffer.wrap(codes));
        return writer;
    }

    /** Codes of s in bits 0 and 1, of n in 2 and 3, of d in 4. */
    private static long row(int s, int n, int d) {
        return s | n << 2 | d << 4;
    }

    private static SectionWriter conditions(long count, int strings, int integers, long... rows) {
        return conditions(count, strings, integers, new long[] {5, 7}, new long[] {1000}, new long[0], rows);
    }

    private static SectionWriter conditions(
            long count, int strings, int integers, long[] n, long[] d, long[] defaults, long... rows) {
        SectionWriter writer = new SectionWriter();
        writer.number(count);
        writer.number(strings);
        writer.longs(LongBuffer.allocate(0));
        writer.number(integers);
        writer.longs(LongBuffer.wrap(n));
        writer.number(1);
        writer.longs(LongBuffer.wrap(d));
        writer.longs(LongBuffer.wrap(rows));
        writer.longs(LongBuffer.wrap(defaults));
        return writer;
    }

    private static TextColumn column(String... texts) {
        TextBuilder builder = new TextBuilder();
        for (String text : texts) {
            builder.add(text);
        }
        return builder.build();
    }

    private static SectionWriter texts(@Nullable TextColumn column) {
        SectionWriter writer = new SectionWriter();
        writer.texts(column);
        return writer;
    }

    private static SectionWriter prices(
            long @Nullable [] uuids, SectionWriter ids, long[] values, int scale, int... currencies) {
        return prices(uuids, ids, values, new byte[] {(byte) scale}, currencies);
    }

    private static SectionWriter prices(
            long @Nullable [] uuids, SectionWriter ids, long[] values, byte[] scales, int... currencies) {
        SectionWriter writer = new SectionWriter();
        writer.number(uuids == null ? 0 : 1);
        if (uuids != null) {
            writer.longs(LongBuffer.wrap(uuids));
        }
        ByteBuffer some = ids.written().order(java.nio.ByteOrder.LITTLE_ENDIAN);
        while (some.hasRemaining()) {
            writer.number(some.getLong());
        }
        writer.longs(LongBuffer.wrap(values));
        writer.bytes(ByteBuffer.wrap(scales));
        writer.ints(IntBuffer.wrap(currencies));
        writer.texts((TextColumn) null);
        return writer;
    }

    @Test
    void conditions_thatNoIndexWrites_areRefused() throws IOException {
        String section = "CONDITIONS[0]";
        Kind kind = Kind.CONDITIONS;
        assertRefused(made.with(kind, conditions(2, 2, 2, row(3, 1, 0), row(2, 2, 1))), section, "unknown code: row=0");
        assertRefused(made.with(kind, conditions(2, 2, 2, row(1, 3, 0), row(2, 2, 1))), section, "unknown code");
        assertRefused(
                made.with(kind, conditions(2, 3, 2, row(1, 1, 0), row(2, 2, 1))), section, "highest code is wrong");
        assertRefused(
                made.with(kind, conditions(2, 2, 3, row(1, 1, 0), row(2, 2, 1))), section, "highest code is wrong");
        assertRefused(made.with(kind, conditions(2, 2, 2, row(1, 1, 0), row(1, 2, 1))), section, "that of no price");
        assertRefused(
                made.with(kind, conditions(2, 2, 2, row(1, 1, 0), 1L << 5 | row(2, 2, 1))),
                section,
                "bits of no field");
        assertRefused(
                made.with(kind, conditions(2, 2, 2, row(1, 1, 0), 1L << 63 | row(2, 2, 1))),
                section,
                "bits of no field");
        assertRefused(made.with(kind, conditions(2, 2, 2, row(1, 1, 0))), section, "rows has a wrong length");
        assertRefused(
                made.with(kind, conditions(3, 2, 2, row(1, 1, 0), row(2, 2, 1))), section, "rows has a wrong length");
        assertRefused(
                made.with(kind, conditions(Integer.MAX_VALUE - 100, 2, 2, 0, 0)), section, "rows has a wrong length");
        for (long count : new long[] {-1, Integer.MAX_VALUE, 1L << 40, Long.MIN_VALUE}) {
            assertRefused(made.with(kind, conditions(count, 2, 2, 0, 0)), section, "prices is wrong");
        }
        long[] none = {};
        long[] d = {1000};
        for (long[] n : new long[][] {{7, 5}, {5, 5}}) {
            assertRefused(
                    made.with(kind, conditions(2, 2, 2, n, d, none, row(1, 1, 0), row(2, 2, 1))),
                    section,
                    "not in order: field=n");
        }
        long[] n = {5, 7};
        for (long wide : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, 1_000_000_000_000_000_000L}) {
            assertRefused(
                    made.with(kind, conditions(2, 2, 2, n, new long[] {wide}, none, row(1, 1, 0), row(2, 2, 1))),
                    section,
                    "no value of the field: field=d");
        }
        for (long[] defaults : new long[][] {{4}, {-1}, {1, 0}}) {
            assertRefused(
                    made.with(kind, conditions(2, 2, 2, n, d, defaults, row(1, 1, 0), row(2, 2, 1))),
                    section,
                    "defaults");
        }
    }

    /** The length of each array in turn, so large that reading it would take gigabytes, or negative. */
    @Test
    void lengths_ofWhatIsNotThere_areRefusedBeforeAnythingIsMade() throws IOException {
        for (int section = 0; section < made.sections.size(); section++) {
            byte[] bytes = made.sections.get(section);
            for (int at = 0; at < bytes.length; at += Long.BYTES) {
                for (long wrong : new long[] {Integer.MAX_VALUE, 1 << 28, 1L << 33, Long.MAX_VALUE, -8}) {
                    HandMade changed = made.copy();
                    ByteBuffer.wrap(changed.sections.get(section))
                            .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                            .putLong(at, wrong);
                    assertReadOrRefused(changed, made.name(section) + " at=" + at + " number=" + wrong);
                }
            }
        }
    }

    private void assertReadOrRefused(HandMade changed, String what) throws IOException {
        changed.write(file);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        try {
            PriceIndex index = PriceIndex.open(file);
            assertThat(index.prices("o")).as(what).hasSizeLessThanOrEqualTo(2);
        } catch (CorruptIndexException e) {
            assertThat(e.section()).as(what).isNotEmpty();
        } catch (RuntimeException | OutOfMemoryError e) {
            throw new AssertionError(what, e);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).as(what).isLessThan(2 << 20);
    }

    @Test
    void schema_thatNoIndexWrites_isRefused() throws IOException {
        String section = "SCHEMA[0]";
        Kind kind = Kind.SCHEMA;
        assertRefused(
                made.with(kind, schema(1, "k", "s", STRING, 0, "s", INTEGER, 0, "d", DECIMAL, 2)),
                section,
                "there twice");
        assertRefused(
                made.with(kind, schema(1, "k", "s", STRING, 0, "", INTEGER, 0, "d", DECIMAL, 2)), section, "empty");
        assertRefused(
                made.with(kind, schema(1, "n", "s", STRING, 0, "n", INTEGER, 0, "d", DECIMAL, 2)),
                section,
                "the key's name");
        assertRefused(
                made.with(kind, schema(0, "k", "s", STRING, 0, "n", INTEGER, 0, "d", DECIMAL, 2)),
                section,
                "no version");
        assertRefused(
                made.with(kind, schema(1, "k", "s", STRING, 0, "n", 4, 0, "d", DECIMAL, 2)), section, "type is wrong");
        assertRefused(
                made.with(kind, schema(1, "k", "s", STRING, 0, "n", -1, 0, "d", DECIMAL, 2)), section, "type is wrong");
        assertRefused(
                made.with(kind, schema(1, "k", "s", STRING, 1, "n", INTEGER, 0, "d", DECIMAL, 2)),
                section,
                "scale is wrong");
        assertRefused(
                made.with(kind, schema(1, "k", "s", STRING, 0, "n", INTEGER, 0, "d", DECIMAL, 19)),
                section,
                "scale is wrong");
        assertRefused(
                made.with(kind, schema(1, "k", "s", STRING, 0, "n", INTEGER, 0, "d", DECIMAL, -1)),
                section,
                "scale is wrong");
        // fewer and more fields than sections, and fields of other types than their values
        assertRefused(made.with(kind, schema(1, "k", "s", STRING, 0, "n", INTEGER, 0)), "HEADER", "section is missing");
        assertRefused(
                made.with(kind, schema(1, "k", "s", STRING, 0, "n", INTEGER, 0, "d", DECIMAL, 2, "x", STRING, 0)),
                "HEADER",
                "section is missing");
        assertRefused(
                made.with(kind, schema(1, "k", "s", INTEGER, 0, "n", INTEGER, 0, "d", DECIMAL, 2)),
                "CONDITIONS[0]",
                "distinct");
        SectionWriter longer = schema(1, "k", "s", STRING, 0, "n", INTEGER, 0, "d", DECIMAL, 2);
        longer.number(0);
        assertRefused(made.with(kind, longer), section, "goes on");
    }

    @Test
    void texts_thatNoIndexWrites_areRefused() throws IOException {
        int[] none = {};
        assertRefused(made.with(Kind.STRINGS, strings(none, none, "x", "x")), "STRINGS[0]", "there twice");
        assertRefused(made.with(Kind.STRINGS, strings(none, none, "x")), "CONDITIONS[0]", "highest code is wrong");
        assertRefused(made.with(Kind.OFFERINGS, texts("o", "p")), "HEADER", "other sections than offerings");
        assertRefused(made.with(Kind.OFFERINGS, texts("o", "o")), "OFFERINGS[0]", "there twice");
        assertRefused(made.with(Kind.CURRENCIES, texts("", "")), "CURRENCIES[0]", "there twice");
        assertRefused(made.with(Kind.CURRENCIES, texts()), "PRICES[0]", "unknown currency");
        SectionWriter bad = new SectionWriter();
        bad.number(2);
        bad.bytes(ByteBuffer.wrap(new byte[] {(byte) 0xff}));
        bad.bytes(ByteBuffer.wrap(new byte[] {'y'}));
        assertRefused(made.with(Kind.STRINGS, bad), "STRINGS[0]", "no UTF-8");
        // 24 is the place of the first padding byte: count, length, x and 7 bytes of nothing
        HandMade padded = made.copy();
        padded.sections.get(padded.place(Kind.STRINGS))[17] = 1;
        assertRefused(padded, "STRINGS[0]", "padding is wrong");
    }

    @Test
    void sets_thatNoIndexWrites_areRefused() throws IOException {
        Kind kind = Kind.STRINGS;
        String section = "STRINGS[0]";
        HandMade used = made.with(Kind.CONDITIONS, conditions(2, 3, 2, row(1, 1, 0), row(3, 2, 1)));
        used.with(kind, strings(new int[] {2}, new int[] {1, 2}, "x", "y")).write(file);
        assertThat(PriceIndex.open(file).prices("o").get(1).conditions()).containsEntry("s", Set.of("x", "y"));
        used.with(kind, strings(new int[] {2}, new int[] {1, 2}, "x", "y", "z")).write(file);
        assertThat(PriceIndex.open(file).stats().values()).isEqualTo(2); // a set that no price has is forgotten
        assertRefused(made.with(kind, texts("x", "y")), section, "ends too early");
        for (int[] ends : new int[][] {{1}, {0}, {-1}, {3}, {Integer.MAX_VALUE}, {Integer.MIN_VALUE}, {2, 2}, {2, 3}}) {
            assertRefused(
                    made.with(kind, strings(ends, new int[] {1, 2}, "x", "y")),
                    section,
                    "size of a set is wrong: set=");
        }
        for (int[] codes : new int[][] {{2, 1}, {1, 1}, {0, 1}, {-1, 1}, {1, 3}, {1, Integer.MAX_VALUE}}) {
            assertRefused(
                    made.with(kind, strings(new int[] {2}, codes, "x", "y")), section, "code in a set is wrong: set=0");
        }
        assertRefused(
                made.with(kind, strings(new int[] {2, 4}, new int[] {1, 2, 1, 2}, "x", "y")),
                section,
                "a set is there twice: set=1");
        assertRefused(made.with(kind, strings(new int[0], new int[] {1, 2}, "x", "y")), section, "codes of no set");
        String[] many = IntStream.rangeClosed(0, Price.MAX_VALUES)
                .mapToObj(String::valueOf)
                .toArray(String[]::new);
        int[] all = IntStream.rangeClosed(1, many.length).toArray();
        assertRefused(
                made.with(kind, strings(new int[] {all.length}, all, many)), section, "size of a set is wrong: set=0");
    }

    @Test
    void prices_thatNoIndexWrites_areRefused() throws IOException {
        String section = "PRICES[0]";
        Kind kind = Kind.PRICES;
        SectionWriter none = texts((TextColumn) null);
        long[] values = {1, 10};
        assertRefused(made.with(kind, prices(null, none, values, 0, 1)), section, "ids of both kinds, or none");
        assertRefused(
                made.with(kind, prices(new long[4], texts(column("a", "b")), values, 0, 1)),
                section,
                "ids of both kinds");
        none = texts((TextColumn) null);
        assertRefused(made.with(kind, prices(new long[4], none, values, 0, 1)), section, "there twice: row=1");
        none = texts((TextColumn) null);
        assertRefused(made.with(kind, prices(new long[3], none, values, 0, 1)), section, "uuids has a wrong length");
        for (TextColumn ids : List.of(column("a", "a"), column("a", ""))) {
            assertRefused(
                    made.with(kind, prices(null, texts(ids), values, 0, 1)), section, "id is empty, or there twice");
        }
        assertRefused(made.with(kind, prices(null, ids("a"), values, 0, 1)), section, "ids has a wrong length");
        for (int[] ends :
                new int[][] {{2, 1}, {-1, 2}, {1, 3}, {1, 1}, {Integer.MAX_VALUE, 2}, {1, Integer.MAX_VALUE}}) {
            TextColumn wrong = new TextColumn(IntBuffer.wrap(ends), ByteBuffer.wrap(new byte[] {'a', 'b'}));
            assertRefused(made.with(kind, prices(null, texts(wrong), values, 0, 1)), section, "ids ");
        }
        assertRefused(
                made.with(kind, prices(null, ids("a", "b"), new long[] {1}, 0, 1)),
                section,
                "values has a wrong length");
        for (long value : new long[] {
            Long.MAX_VALUE, Long.MIN_VALUE, SegmentFormat.MAX_UNSCALED + 1, -SegmentFormat.MAX_UNSCALED - 1
        }) {
            assertRefused(
                    made.with(kind, prices(null, ids("a", "b"), new long[] {value, 1}, 0, 1)),
                    section,
                    "too many digits: row=0");
        }
        for (byte scale : new byte[] {-1, 19, Byte.MIN_VALUE, Byte.MAX_VALUE}) {
            assertRefused(
                    made.with(kind, prices(null, ids("a", "b"), values, scale, 1)), section, "scale is wrong: row=0");
            byte[] scales = {0, scale};
            assertRefused(
                    made.with(kind, prices(null, ids("a", "b"), values, scales, 1)), section, "scale is wrong: row=1");
        }
        assertRefused(
                made.with(kind, prices(null, ids("a", "b"), values, new byte[3], 1)),
                section,
                "scales has a wrong length");
        assertRefused(
                made.with(kind, prices(null, ids("a", "b"), values, new byte[0], 1)),
                section,
                "scales has a wrong length");
        for (int currency : new int[] {0, 2, -1, Integer.MAX_VALUE}) {
            assertRefused(
                    made.with(kind, prices(null, ids("a", "b"), values, 0, 1, currency)), section, "unknown currency");
        }
        assertRefused(
                made.with(kind, prices(null, ids("a", "b"), values, 0, 1, 1, 1)),
                section,
                "currencies has a wrong length");
    }

    private static SectionWriter ids(String... ids) {
        return texts(column(ids));
    }
}
