package dev.touchstone.serialization.json;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Schemas and records that are made at random: any kinds, names and values, with records inside each other. */
final class RandomRecords {
    private static final int MAX_DEPTH = 4;
    private static final List<String> NAMES = List.of(
            "a", "name", "$type", "$", "$$x", "first name", "größe", "名前", "\"", "\\", "a.b", "", "😀", "f!keys");
    private static final List<String> TEXTS = List.of(
            "", "plain", "Ünïcödé", "混合 mixed", "中文", "😀", "\u0000\u001f\"\\/\b\f\n\r\t", "</script>\u2028", "null");

    private final SplittableRandom random;
    private final List<Schema> schemas = new ArrayList<>();

    RandomRecords(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Returns all schemas that were made. */
    List<Schema> schemas() {
        return schemas;
    }

    byte[] record() {
        return encode(record(schema(), 1));
    }

    static byte[] encode(ParsedRecord record) {
        return CompactSerialization.builder().build().encode(record, new ParsedRecordCodec(record.schema()));
    }

    Schema schema() {
        List<String> left = new ArrayList<>(NAMES);
        List<FieldDescriptor> fields = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            FieldKind[] kinds = FieldKind.values();
            fields.add(
                    new FieldDescriptor(left.remove(random.nextInt(left.size())), kinds[random.nextInt(kinds.length)]));
        }
        Schema schema = Schema.of("type" + schemas.size() + "." + text(), fields);
        schemas.add(schema);
        return schema;
    }

    ParsedRecord record(Schema schema, int depth) {
        @Nullable Object[] values = new @Nullable Object[schema.fields().size()];
        for (int i = 0; i < values.length; i++) {
            FieldKind kind = schema.field(i).kind();
            values[i] = kind.isArray() ? array(kind, depth) : item(kind, depth, null);
        }
        return new ParsedRecord(schema, values);
    }

    private @Nullable Object array(FieldKind kind, int depth) {
        if (random.nextInt(5) == 0) {
            return null;
        }
        FieldKind item = TypedArrays.itemKind(kind);
        Schema inside = item == FieldKind.COMPACT && depth < MAX_DEPTH ? schema() : null;
        boolean isLong = item != FieldKind.COMPACT && random.nextInt(5) == 0;
        List<@Nullable Object> items = new ArrayList<>();
        for (int i = isLong ? 300 : random.nextInt(4); i > 0; i--) {
            items.add(item(item, depth, inside));
        }
        return TypedArrays.of(kind, items);
    }

    private @Nullable Object item(FieldKind kind, int depth, @Nullable Schema inside) {
        if (!kind.isFixed() && random.nextInt(4) == 0) {
            return null;
        }
        return switch (kind) {
            case BOOLEAN, NULLABLE_BOOLEAN -> random.nextBoolean();
            case INT8, NULLABLE_INT8 -> (byte) whole();
            case INT16, NULLABLE_INT16 -> (short) whole();
            case INT32, NULLABLE_INT32 -> (int) whole();
            case INT64, NULLABLE_INT64 -> whole();
            case FLOAT32, NULLABLE_FLOAT32 -> float32();
            case FLOAT64, NULLABLE_FLOAT64 -> float64();
            case STRING -> text();
            case DECIMAL ->
                new BigDecimal(
                        new BigInteger(1 + random.nextInt(200), new java.util.Random(random.nextLong()))
                                .multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1)),
                        random.nextInt(10) == 0 ? random.nextInt() : random.nextInt(-40, 40));
            case TIME -> time();
            case DATE -> date();
            case TIMESTAMP -> LocalDateTime.of(date(), time());
            case TIMESTAMP_WITH_TIMEZONE ->
                OffsetDateTime.of(date(), time(), ZoneOffset.ofTotalSeconds(random.nextInt(-64_800, 64_801)));
            case COMPACT ->
                inside != null ? record(inside, depth + 1) : depth < MAX_DEPTH ? record(schema(), depth + 1) : null;
            default -> throw new IllegalArgumentException("kind=" + kind);
        };
    }

    private long whole() {
        return switch (random.nextInt(5)) {
            case 0 -> Long.MIN_VALUE;
            case 1 -> Long.MAX_VALUE;
            case 2 -> (1L << 53) + 1;
            case 3 -> random.nextInt(-2, 3);
            default -> random.nextLong();
        };
    }

    private double float64() {
        double any = Double.longBitsToDouble(random.nextLong());
        return switch (random.nextInt(6)) {
            case 0 -> Double.NaN;
            case 1 -> Double.NEGATIVE_INFINITY;
            case 2 -> -0.0;
            case 3 -> Double.MIN_VALUE;
            default -> Double.isNaN(any) ? Double.NaN : any;
        };
    }

    private float float32() {
        float any = Float.intBitsToFloat(random.nextInt());
        return switch (random.nextInt(6)) {
            case 0 -> Float.NaN;
            case 1 -> Float.POSITIVE_INFINITY;
            case 2 -> Float.MAX_VALUE;
            case 3 -> Float.MIN_VALUE;
            default -> Float.isNaN(any) ? Float.NaN : any;
        };
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size())) + TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private LocalTime time() {
        return LocalTime.ofNanoOfDay(
                random.nextBoolean()
                        ? random.nextLong(86_400L) * 1_000_000_000L
                        : random.nextLong(86_400_000_000_000L));
    }

    private LocalDate date() {
        return random.nextInt(4) == 0
                ? LocalDate.of(random.nextInt(-999_999_999, 1_000_000_000), 1, 31)
                : LocalDate.ofEpochDay(random.nextLong(-800_000, 800_000));
    }
}
