package dev.touchstone.serialization.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.json.CompactJsonException.Reason;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompactJsonTest {
    private static final Schema LINE = Schema.builder("line")
            .field("article", FieldKind.STRING)
            .field("pieces", FieldKind.INT32)
            .build();
    private static final Schema OLD_LINE =
            Schema.builder("line").field("article", FieldKind.STRING).build();
    private static final Schema ORDER = Schema.builder("order")
            .field("lines", FieldKind.ARRAY_OF_COMPACT)
            .field("price", FieldKind.DECIMAL)
            .field("state", FieldKind.STRING)
            .build();
    private static final CompactJson JSON = CompactJson.builder()
            .schema(OLD_LINE)
            .type(descriptor(LINE, Map.of("pieces", FieldMeaning.PLAIN.withMissing("7"))))
            .type(descriptor(
                    ORDER,
                    Map.of(
                            "lines",
                            FieldMeaning.records(List.of("line")),
                            "state",
                            FieldMeaning.constants(List.of("OPEN", "SHIPPED")).withMissing("OPEN"))))
            .build();

    private static TypeDescriptor descriptor(Schema schema, Map<String, FieldMeaning> meanings) {
        return new TypeDescriptor(schema, "p.C", new TreeMap<>(meanings));
    }

    private static Schema one(FieldKind kind) {
        return Schema.builder("t").field("f", kind).build();
    }

    private static CompactJson json(Schema schema) {
        return CompactJson.builder().schema(schema).build();
    }

    private static String copy(FieldKind kind, String value) {
        CompactJson json = json(one(kind));
        String text = json.toJson(json.fromJson("{\"$type\":\"t\",\"f\":" + value + "}"));
        assertThat(text).startsWith("{\"$type\":\"t\",\"f\":").endsWith("}");
        return text.substring(17, text.length() - 1);
    }

    private static CompactJsonException failure(FieldKind kind, String value) {
        return failure(json(one(kind)), "{\"$type\":\"t\",\"f\":" + value + "}");
    }

    private static CompactJsonException failure(CompactJson json, String text) {
        return catchThrowableOfType(CompactJsonException.class, () -> json.fromJson(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "BOOLEAN | true | true",
                "INT8 | -128 | -128",
                "INT64 | 9007199254740993 | 9007199254740993",
                "INT64 | -9223372036854775808 | -9223372036854775808",
                "NULLABLE_INT64 | null | null",
                "FLOAT32 | 0.1 | 0.1",
                "FLOAT32 | 1.00000017881393432617187499 | 1.0000001",
                "FLOAT64 | \"NaN\" | \"NaN\"",
                "FLOAT64 | \"-Infinity\" | \"-Infinity\"",
                "FLOAT64 | -0.0 | -0.0",
                "FLOAT64 | 1e-400 | 0.0",
                "NULLABLE_FLOAT32 | \"Infinity\" | \"Infinity\"",
                "STRING | \"\\u4e2d\\ud83d\\ude00\" | \"中😀\"",
                "DECIMAL | 1.10 | \"1.10\"",
                "DECIMAL | \"1.10\" | \"1.10\"",
                "DECIMAL | 1e999999999 | \"1E+999999999\"",
                "DECIMAL | 0.12345678901234567890123456789 | \"0.12345678901234567890123456789\"",
                "TIME | \"10:15:30.000000001\" | \"10:15:30.000000001\"",
                "TIME | \"10:15:00\" | \"10:15\"",
                "DATE | \"2026-02-28\" | \"2026-02-28\"",
                "DATE | \"-999999999-01-01\" | \"-999999999-01-01\"",
                "TIMESTAMP | \"2026-11-21T10:15:30\" | \"2026-11-21T10:15:30\"",
                "TIMESTAMP_WITH_TIMEZONE | \"2026-11-21T10:15:30+01:00\" | \"2026-11-21T10:15:30+01:00\"",
                "TIMESTAMP_WITH_TIMEZONE | \"2026-11-21T10:15:30Z\" | \"2026-11-21T10:15:30Z\"",
                "ARRAY_OF_INT8 | \"AAH/\" | \"AAH/\"",
                "ARRAY_OF_INT8 | [0,1,-1] | \"AAH/\"",
                "ARRAY_OF_NULLABLE_INT8 | [0,null] | [0,null]",
                "ARRAY_OF_STRING | [\"a\",null] | [\"a\",null]",
                "ARRAY_OF_BOOLEAN | [] | []",
                "ARRAY_OF_FLOAT64 | [1,\"NaN\"] | [1.0,\"NaN\"]",
                "COMPACT | null | null",
                "COMPACT | {\"$type\":\"t\",\"f\":null} | {\"$type\":\"t\",\"f\":null}",
            })
    void value_ofEachKind_isReadAndWrittenAsStated(FieldKind kind, String read, String written) {
        assertThat(copy(kind, read)).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "BOOLEAN | null",
                "BOOLEAN | 0",
                "BOOLEAN | \"true\"",
                "INT8 | 128",
                "INT16 | -32769",
                "INT32 | 2147483648",
                "INT32 | 1.0",
                "INT32 | 1e3",
                "INT32 | \"1\"",
                "INT64 | 9223372036854775808",
                "INT64 | 10000000000000000000000000000",
                "FLOAT32 | 3.5e38",
                "FLOAT64 | 1e400",
                "FLOAT64 | \"nan\"",
                "FLOAT64 | true",
                "STRING | 1",
                "STRING | {}",
                "STRING | \"\\ud800\"",
                "STRING | \"\\ude00\\ud83d\"",
                "DECIMAL | \"\"",
                "DECIMAL | \"1,5\"",
                "DECIMAL | 1e99999999999",
                "DECIMAL | []",
                "TIME | \"24:00\"",
                "DATE | \"2026-02-30\"",
                "DATE | 20260228",
                "TIMESTAMP | \"2026-11-21\"",
                "TIMESTAMP_WITH_TIMEZONE | \"2026-11-21T10:15:30\"",
                "ARRAY_OF_INT8 | \"AAH_\"",
                "ARRAY_OF_INT8 | {}",
                "ARRAY_OF_INT16 | \"AAH/\"",
                "ARRAY_OF_BOOLEAN | [null]",
                "ARRAY_OF_INT32 | [[1]]",
                "ARRAY_OF_COMPACT | {}",
                "COMPACT | []",
            })
    void value_thatIsNoneOfItsKind_isRefusedWithPathValueAndPlace(FieldKind kind, String read) {
        CompactJsonException failure = failure(kind, read);
        assertThat(failure.reason()).isEqualTo(Reason.VALUE);
        assertThat(failure.path()).startsWith("$.f");
        assertThat(failure.line()).isEqualTo(1);
        assertThat(failure.column()).isBetween(18, 19);
        assertThat(failure).hasMessageContainingAll("expected ", ", got ", "path=$.f", "line=1 column=1");
    }

    @ParameterizedTest
    @EnumSource(FieldKind.class)
    void null_ofEachKind_isTakenUnlessTheKindHasNone(FieldKind kind) {
        if (kind.isFixed()) {
            assertThat(failure(kind, "null")).hasMessageContaining("has no null");
        } else {
            assertThat(copy(kind, "null")).isEqualTo("null");
        }
    }

    @Test
    void failure_insideARecord_namesItsPathAndPlace() {
        String text =
                "{\"$type\": \"order\",\n \"lines\": [{\"article\": \"a\"},\n   {\"article\": \"b\", \"pieces\": 1.5}]}";
        CompactJsonException failure = failure(JSON, text);
        assertThat(failure.path()).isEqualTo("$.lines[1].pieces");
        assertThat(failure.line()).isEqualTo(3);
        assertThat(failure.column()).isEqualTo(31);
        assertThat(failure).hasMessageContaining("got \"1.5\" path=$.lines[1].pieces line=3 column=31");
    }

    @Test
    void missingField_hasItsStatedValueElseNull() {
        byte[] record = JSON.fromJson("{\"$type\":\"order\",\"lines\":[{}]}");
        assertThat(JSON.toJson(record))
                .isEqualTo("{\"$type\":\"order\",\"lines\":[{\"$type\":\"line\",\"article\":null,\"pieces\":7}],"
                        + "\"price\":null,\"state\":\"OPEN\"}");
        CompactJsonException failure = failure(json(LINE), "{\"$type\":\"line\"}");
        assertThat(failure.reason()).isEqualTo(Reason.MISSING_FIELD);
        assertThat(failure.path()).isEqualTo("$.pieces");
    }

    @Test
    void members_unknownOrTwice_areRefused() {
        CompactJsonException unknown = failure(JSON, "{\"$type\":\"line\",\"colour\":1}");
        assertThat(unknown.reason()).isEqualTo(Reason.UNKNOWN_FIELD);
        assertThat(unknown).hasMessageContainingAll("\"colour\"", "type=line");
        assertThat(failure(JSON, "{\"$type\":\"line\",\"$x\":1}").reason()).isEqualTo(Reason.UNKNOWN_FIELD);
        CompactJsonException twice = failure(JSON, "{\"$type\":\"line\",\"article\":null,\"article\":null}");
        assertThat(twice.reason()).isEqualTo(Reason.DUPLICATE_FIELD);
        assertThat(failure(JSON, "{\"$type\":\"line\",\"$type\":\"line\"}").reason())
                .isEqualTo(Reason.TYPE);
        assertThat(failure(JSON, "{\"$type\":\"line\",\"article\":null,\"$schemaId\":\"0000000000000000\"}"))
                .hasMessageContaining("before all fields");
    }

    @Test
    void constant_thatTheEnumLacks_isRefused() {
        CompactJsonException failure = failure(JSON, "{\"$type\":\"order\",\"state\":\"LOST\"}");
        assertThat(failure).hasMessageContainingAll("one of [OPEN, SHIPPED]", "\"LOST\"", "$.state");
    }

    /** A newer program has written it: whoever looks at the record sees the text, and whoever knows the older enum makes no such record. */
    @Test
    void constant_thatTheEnumLacks_isPrintedFromARecord() {
        CompactJson bySchema = CompactJson.builder().schema(LINE).schema(ORDER).build();
        byte[] record = bySchema.fromJson("{\"$type\":\"order\",\"lines\":null,\"price\":null,\"state\":\"LOST\"}");
        String text = JSON.toJson(record);
        assertThat(text).endsWith("\"state\":\"LOST\"}");
        assertThat(failure(JSON, text)).hasMessageContaining("one of [OPEN, SHIPPED]");
        assertThat(bySchema.fromJson(text)).isEqualTo(record);
    }

    @Test
    void type_isFoundByNameByVersionOrByTheFieldAround() {
        String old = "{\"$type\":\"line\",\"$schemaId\":\"" + HexFormat.of().toHexDigits(OLD_LINE.id())
                + "\",\"article\":\"a\"}";
        byte[] record = JSON.fromJson(old);
        assertThat(CompactSerialization.builder()
                        .schema(OLD_LINE)
                        .build()
                        .view(record)
                        .schema())
                .isEqualTo(OLD_LINE);
        assertThat(JSON.toJson(record)).isEqualTo(old);
        assertThat(JSON.fromJson(OLD_LINE, "{\"article\":\"a\"}")).isEqualTo(record);
        assertThat(failure(JSON, "{}").reason()).isEqualTo(Reason.TYPE);
        assertThat(failure(JSON, "{\"$type\":\"city\"}")).hasMessageContaining("unknown type: type=\"city\"");
        assertThat(failure(JSON, "{\"$type\":\"order\",\"lines\":[{\"$type\":\"order\"}]}"))
                .hasMessageContaining("may not stand here");
        assertThat(failure(JSON, "{\"$type\":\"order\",\"$schemaId\":\"" + old.substring(29, 45) + "\"}"))
                .hasMessageContaining("schema of another type");
        assertThatThrownBy(() -> JSON.fromJson(LINE, old)).hasMessageContaining("another version of the type");
        assertThatThrownBy(() -> JSON.fromJson(LINE, "{\"$type\":\"order\"}")).hasMessageContaining("another type");
        assertThat(failure(JSON, "{\"$type\":\"order\",\"lines\":[" + old + ",{}]}"))
                .hasMessageContaining("one schema");
    }

    @Test
    void toJson_ofAnUnknownSchema_throwsAsAViewDoes() {
        byte[] record = JSON.fromJson("{\"$type\":\"line\"}");
        assertThatThrownBy(() -> json(ORDER).toJson(record)).isInstanceOf(UnknownSchemaException.class);
    }

    @Test
    void toJson_ofAHugeDecimal_isRefusedAtOnce() {
        Schema schema = one(FieldKind.DECIMAL);
        BigDecimal huge = new BigDecimal(java.math.BigInteger.ONE.shiftLeft(100_000_000));
        byte[] record = RandomRecords.encode(new ParsedRecord(schema, new Object[] {huge}));
        assertThatThrownBy(() -> json(schema).toJson(record))
                .isInstanceOf(CompactJsonException.class)
                .hasMessageContainingAll("decimal is too long", "path=$.f");
    }

    @Test
    void fromJson_ofNoneOrSeveralObjects_isRefused() {
        assertThat(failure(JSON, " ").reason()).isEqualTo(Reason.SYNTAX);
        assertThat(failure(JSON, "{\"$type\":\"line\"} {}").reason()).isEqualTo(Reason.SYNTAX);
        assertThat(failure(JSON, "{\"$type\":\"line\"} x").reason()).isEqualTo(Reason.SYNTAX);
        assertThat(failure(JSON, "[]").reason()).isEqualTo(Reason.VALUE);
    }

    @Test
    void reader_afterAFailure_failsAgain() throws IOException {
        String text = "{\"$type\":\"line\"}\n\n{\"$type\":\"line\"}{\"article\":\"a\"}\n{\"$type\":\"line\"}";
        try (JsonRecordReader reader = JSON.reader(new StringReader(text))) {
            assertThat(reader.next()).isPresent();
            assertThat(reader.next()).isPresent();
            CompactJsonException first = catchThrowableOfType(CompactJsonException.class, reader::next);
            assertThat(first.line()).isEqualTo(3);
            assertThatThrownBy(reader::next).isSameAs(first);
        }
        try (JsonRecordReader reader = JSON.reader(LINE, new StringReader("{\"article\":\"a\"}"))) {
            assertThat(reader.next()).isPresent();
            assertThat(reader.next()).isEqualTo(Optional.empty());
        }
    }

    /** Exponents beyond an int, which BigDecimal writes but does not read. */
    @ParameterizedTest
    @CsvSource({"1,-2147483648", "0,-2147483648", "-12345,-2147483648", "12345,-2147483645", "12345,2147483647"})
    void decimal_withAScaleAtTheEdge_comesBack(BigInteger digits, int scale) {
        Schema schema = Schema.builder("d").field("d", FieldKind.DECIMAL).build();
        CompactJson json = CompactJson.builder().schema(schema).build();
        String text = "{\"$type\":\"d\",\"d\":\"" + new BigDecimal(digits, scale) + "\"}";
        assertThat(json.toJson(json.fromJson(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1E2147483649", "1E-2147483648", "1E99999999999", "1E", "E1", "1E1E1", "1E+-1", ".E1", "1e 1"})
    void decimal_withoutAScale_isRefused(String text) {
        Schema schema = Schema.builder("d").field("d", FieldKind.DECIMAL).build();
        CompactJson json = CompactJson.builder().schema(schema).build();
        CompactJsonException failure = catchThrowableOfType(
                CompactJsonException.class, () -> json.fromJson(schema, "{\"d\":\"" + text + "\"}"));
        assertThat(failure.reason()).isEqualTo(Reason.VALUE);
    }
}
