package dev.touchstone.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The layout, byte for byte. */
class GoldenBytesTest {
    private final CompactSerialization serialization =
            CompactSerialization.builder().codec(Small.Codec.INSTANCE).build();

    @Test
    void encode_small_givesTheBytesOfHazelcast() {
        byte[] bytes = serialization.encode(Small.WRITTEN);
        assertThat(bytes).hasSize(72);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(Small.WRITTEN_BYTES);
        assertThat(serialization.decode(bytes)).isEqualTo(Small.WRITTEN);
    }

    /** The data of a record with one field "f", without header, schema id, length and table. */
    private String value(FieldKind kind, @Nullable Object value) {
        SampleCodec codec = codec(List.of(kind));
        byte[] bytes = serialization.encode(new Sample(codec.schema(), new @Nullable Object[] {value}), codec);
        int from = kind.isFixed() ? 16 : 20;
        int to = kind.isFixed() ? bytes.length : bytes.length - 1;
        return HexFormat.of().formatHex(bytes, from, to);
    }

    private static SampleCodec codec(List<FieldKind> kinds) {
        Schema.Builder schema = Schema.builder("golden");
        int[] order = new int[kinds.size()];
        for (int i = 0; i < kinds.size(); i++) {
            schema.field("f" + (char) ('a' + i), kinds.get(i));
            order[i] = i;
        }
        return new SampleCodec(schema.build(), order, new @Nullable SampleCodec[order.length], false);
    }

    @Test
    void encode_eachKind_givesItsBytes() {
        assertThat(value(FieldKind.BOOLEAN, true)).isEqualTo("01");
        assertThat(value(FieldKind.INT8, (byte) -2)).isEqualTo("fe");
        assertThat(value(FieldKind.INT16, (short) 0x0102)).isEqualTo("0102");
        assertThat(value(FieldKind.INT32, 0x01020304)).isEqualTo("01020304");
        assertThat(value(FieldKind.INT64, 0x0102030405060708L)).isEqualTo("0102030405060708");
        assertThat(value(FieldKind.FLOAT32, 1.5f)).isEqualTo("3fc00000");
        assertThat(value(FieldKind.FLOAT64, Double.longBitsToDouble(0x7ff8000000000123L)))
                .isEqualTo("7ff8000000000000");
        assertThat(value(FieldKind.STRING, "a\u00e9\ud83d\ude07")).isEqualTo("00000007" + "61c3a9f09f9887");
        assertThat(value(FieldKind.DECIMAL, new BigDecimal("-1.28"))).isEqualTo("00000001" + "80" + "00000002");
        assertThat(value(FieldKind.TIME, LocalTime.of(23, 59, 58, 7))).isEqualTo("173b3a" + "00000007");
        assertThat(value(FieldKind.DATE, LocalDate.of(-1, 12, 31))).isEqualTo("ffffffff" + "0c1f");
        LocalDateTime timestamp = LocalDateTime.of(2026, 2, 3, 4, 5, 6, 7);
        assertThat(value(FieldKind.TIMESTAMP, timestamp)).isEqualTo("000007ea0203" + "04050600000007");
        assertThat(value(FieldKind.TIMESTAMP_WITH_TIMEZONE, OffsetDateTime.of(timestamp, ZoneOffset.ofHours(-1))))
                .isEqualTo("000007ea0203" + "04050600000007" + "fffff1f0");
        assertThat(value(FieldKind.NULLABLE_BOOLEAN, true)).isEqualTo("01");
        assertThat(value(FieldKind.NULLABLE_INT32, 5)).isEqualTo("00000005");
        assertThat(value(FieldKind.NULLABLE_INT64, null)).isEmpty();
    }

    @Test
    void encode_eachArray_givesItsBytes() {
        boolean[] nine = {true, false, true, false, false, false, false, false, true};
        assertThat(value(FieldKind.ARRAY_OF_BOOLEAN, nine)).isEqualTo("00000009" + "0501");
        assertThat(value(FieldKind.ARRAY_OF_BOOLEAN, new boolean[0])).isEqualTo("00000000");
        assertThat(value(FieldKind.ARRAY_OF_INT8, new byte[] {1, -1})).isEqualTo("00000002" + "01ff");
        assertThat(value(FieldKind.ARRAY_OF_INT16, new short[] {1, -1})).isEqualTo("00000002" + "0001ffff");
        assertThat(value(FieldKind.ARRAY_OF_INT64, new long[] {2})).isEqualTo("00000001" + "0000000000000002");
        // length of the items, their number, the items, the offsets
        assertThat(value(FieldKind.ARRAY_OF_STRING, new @Nullable String[] {"a", null, ""}))
                .isEqualTo("00000009" + "00000003" + "0000000161" + "00000000" + "00ff05");
        assertThat(value(FieldKind.ARRAY_OF_NULLABLE_INT16, new @Nullable Short[] {null, 1}))
                .isEqualTo("00000002" + "00000002" + "0001" + "ff00");
        assertThat(value(FieldKind.ARRAY_OF_STRING, new String[0])).isEqualTo("00000000" + "00000000");
    }

    @Test
    void encode_fixedFields_standBySizeThenByNameAndBitsLast() {
        SampleCodec codec = codec(List.of(
                FieldKind.BOOLEAN,
                FieldKind.INT8,
                FieldKind.INT64,
                FieldKind.INT16,
                FieldKind.BOOLEAN,
                FieldKind.FLOAT32,
                FieldKind.INT32,
                FieldKind.FLOAT64,
                FieldKind.BOOLEAN));
        Object[] values = {true, (byte) 1, 2L, (short) 3, false, 0f, 4, 0d, true};
        byte[] bytes = serialization.encode(new Sample(codec.schema(), values), codec);
        assertThat(HexFormat.of().formatHex(bytes, 16, bytes.length))
                .isEqualTo("0000000000000002" + "0000000000000000" + "00000000" + "00000004" + "0003" + "01" + "05");
    }

    @Test
    void encode_nothing_isTheSchemaIdOnly() {
        SampleCodec codec = codec(List.of());
        byte[] bytes = serialization.encode(new Sample(codec.schema(), new Object[0]), codec);
        assertThat(bytes).hasSize(16);
    }

    @Test
    void encode_halfSurrogate_isAQuestionMark() {
        assertThat(value(FieldKind.STRING, "a\ud83d")).isEqualTo("00000002" + "613f");
        assertThat(value(FieldKind.STRING, "\ude07b")).isEqualTo("00000002" + "3f62");
    }

    @Test
    void encode_dataAroundTheSwitches_hasOffsetsOfOneTwoAndFourBytes() {
        SampleCodec codec = codec(List.of(FieldKind.STRING));
        for (int[] expected : new int[][] {{254, 1}, {255, 2}, {65_534, 2}, {65_535, 4}}) {
            Sample sample = new Sample(codec.schema(), new Object[] {"x".repeat(expected[0] - 4)});
            byte[] bytes = serialization.encode(sample, codec);
            assertThat(bytes).hasSize(20 + expected[0] + expected[1]);
            assertThat(serialization.decode(bytes, codec)).isEqualTo(sample);
        }
    }
}
