package dev.touchstone.serialization.hazelcast;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.json.CompactJson;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Records of a type with a field of each kind, one for each alphabet, and of a version without them. */
final class WideRecords {
    static final List<String> ALPHABETS =
            List.of("plain ASCII", "Zürich, Ærøskøbing, ÿ", "mixed: naïve 東京 😀 end", "中文字符串測試");

    private static final String NULL = "null";
    private static final Schema LEAF = Schema.builder("com.example.Leaf")
            .field("label", FieldKind.STRING)
            .field("weight", FieldKind.FLOAT32)
            .build();
    private static final Schema OLD = Schema.builder("com.example.Wide")
            .field("of_string", FieldKind.STRING)
            .build();
    private static final Map<String, FieldMeaning> MEANINGS = Map.of(
            "color", FieldMeaning.constants(List.of("GREEN", "RED", "None")).withMissing("RED"),
            "colors", FieldMeaning.constants(List.of("GREEN", "RED")),
            "leaf", FieldMeaning.records(List.of(LEAF.typeName())),
            "leaves", FieldMeaning.records(List.of(LEAF.typeName())),
            "of_int32", FieldMeaning.PLAIN.withMissing("-7"),
            "of_int64", FieldMeaning.PLAIN.withMissing("9007199254740993"),
            "of_float32", FieldMeaning.PLAIN.withMissing("0.1"),
            "of_decimal", FieldMeaning.PLAIN.withMissing("-1.10"),
            "of_timestamp", FieldMeaning.PLAIN.withMissing("2026-11-21T10:15:30.123456"),
            "of_string", FieldMeaning.PLAIN.withMissing("zwölf 十二"));

    private static final Schema WIDE = wide();

    final SchemaLock lock = SchemaLock.empty(Compatibility.BACKWARD)
            .accept(List.of(descriptor(OLD, Map.of()), descriptor(LEAF, Map.of())))
            .accept(List.of(descriptor(WIDE, MEANINGS), descriptor(LEAF, Map.of())));

    final CompactJson json = CompactJson.builder()
            .types(lock.types().values().stream()
                    .flatMap(List::stream)
                    .map(version -> version.descriptor())
                    .toList())
            .build();

    final CompactSerialization serialization =
            CompactSerialization.builder().schema(OLD).schema(LEAF).schema(WIDE).build();

    private static Schema wide() {
        Schema.Builder schema = Schema.builder(OLD.typeName())
                .field("color", FieldKind.STRING)
                .field("colors", FieldKind.ARRAY_OF_STRING)
                .field("first name", FieldKind.STRING)
                .field("class", FieldKind.STRING)
                .field("leaf", FieldKind.COMPACT)
                .field("leaves", FieldKind.ARRAY_OF_COMPACT);
        for (FieldKind kind : FieldKind.values()) {
            if (kind != FieldKind.COMPACT && kind != FieldKind.ARRAY_OF_COMPACT) {
                schema.field("of_" + kind.name().toLowerCase(Locale.ROOT), kind);
            }
        }
        return schema.build();
    }

    private static TypeDescriptor descriptor(Schema schema, Map<String, FieldMeaning> meanings) {
        return new TypeDescriptor(schema, schema.typeName(), new TreeMap<>(meanings));
    }

    /** Returns records that clients copy byte for byte: one for each alphabet, and one with nulls. */
    List<byte[]> records() {
        List<byte[]> records = new ArrayList<>();
        for (String text : ALPHABETS) {
            String quoted = '"' + text + '"';
            Map<String, String> values = new TreeMap<>(Map.of(
                    "color",
                    "\"None\"",
                    "colors",
                    "[\"RED\",null,\"GREEN\"]",
                    "first name",
                    quoted,
                    "class",
                    "\"" + text.repeat(100) + "\"",
                    "leaf",
                    "{\"label\":" + quoted + ",\"weight\":1.5}",
                    "leaves",
                    "[null,{\"label\":" + quoted + ",\"weight\":-0.0},{\"label\":null,\"weight\":2}]"));
            for (FieldKind kind : FieldKind.values()) {
                values.put("of_" + kind.name().toLowerCase(Locale.ROOT), value(kind, quoted));
            }
            records.add(json.fromJson(WIDE, object(values)));
        }
        records.add(json.fromJson(WIDE, object(zeros(NULL))));
        return records;
    }

    /** Returns a record of the version that has one field. */
    byte[] oldRecord(String text) {
        return json.fromJson(OLD, "{\"of_string\":\"" + text + "\"}");
    }

    /** Returns the record of a new object, with a text if it is not null: what is not stated is null or zero. */
    byte[] newRecord(@Nullable String text) {
        Map<String, String> values = zeros(null);
        if (text != null) {
            values.put("of_string", '"' + text + '"');
        }
        return json.fromJson(WIDE, object(values));
    }

    /** Returns a record with a constant that the lock does not know. */
    byte[] recordOfAnUnknownConstant() {
        return CompactJson.builder()
                .schema(WIDE)
                .build()
                .fromJson(WIDE, object(zeros(NULL)).replace("\"color\":null", "\"color\":\"MAUVE\""));
    }

    /** Returns zeros for the kinds without nulls; other fields are left out, or have the value given. */
    private static Map<String, String> zeros(@Nullable String other) {
        Map<String, String> values = new TreeMap<>();
        WIDE.fields().forEach(field -> {
            boolean isStated = other == null
                    && MEANINGS.getOrDefault(field.name(), FieldMeaning.PLAIN)
                            .missing()
                            .isPresent();
            if (field.kind().isFixed() && !isStated) {
                values.put(field.name(), field.kind() == FieldKind.BOOLEAN ? "false" : "0");
            } else if (!field.kind().isFixed() && other != null) {
                values.put(field.name(), other);
            }
        });
        return values;
    }

    private static String object(Map<String, String> values) {
        StringJoiner members = new StringJoiner(",", "{", "}");
        values.forEach((name, value) -> {
            if (WIDE.indexOf(name) >= 0) {
                members.add('"' + name + "\":" + value);
            }
        });
        return members.toString();
    }

    private static String value(FieldKind kind, String text) {
        if (kind.isArray()) {
            String item = value(FieldKind.ofId(kind.id() - 1).orElseThrow(), text);
            boolean hasNulls = !FieldKind.ofId(kind.id() - 1).orElseThrow().isFixed();
            return "[" + item + (hasNulls ? ",null," : ",") + item + "]";
        }
        return switch (kind) {
            case BOOLEAN, NULLABLE_BOOLEAN -> "true";
            case INT8, NULLABLE_INT8 -> "-128";
            case INT16, NULLABLE_INT16 -> "-32768";
            case INT32, NULLABLE_INT32 -> "2147483647";
            case INT64, NULLABLE_INT64 -> "-9007199254740993";
            case FLOAT32, NULLABLE_FLOAT32 -> "3.4028235e38";
            case FLOAT64, NULLABLE_FLOAT64 -> "-4.9e-324";
            case STRING -> text;
            case DECIMAL -> "\"-12345678901234567890.1234567890\"";
            case TIME -> "\"23:59:59.999999\"";
            case DATE -> "\"2024-02-29\"";
            case TIMESTAMP -> "\"2024-02-29T00:00:00.000001\"";
            case TIMESTAMP_WITH_TIMEZONE -> "\"2024-02-29T12:30:00-03:30\"";
            default -> NULL;
        };
    }
}
