package dev.touchstone.serialization;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random schemas and random values of them. */
final class Samples {
    private static final FieldKind[] KINDS = FieldKind.values();
    private static final String[] ALPHABETS = {
        "abcxyz0189 _-.", "aé\u00ff\u00a0", "a\u0416\u4e16\ud83d\ude07", "\u0000\u007f\u0080\uffff"
    };

    private final SplittableRandom random;
    private int types;
    private boolean isInsideByName;
    private int level;

    Samples(SplittableRandom random) {
        this.random = random;
    }

    /** From now on only the outermost records are written in another order than that of the names. */
    Samples insideByName() {
        isInsideByName = true;
        return this;
    }

    /** A codec of a new type with up to so many fields, and records inside up to a depth. */
    SampleCodec codec(int mostFields, int depth) {
        List<FieldKind> kinds = new ArrayList<>();
        int count = random.nextInt(mostFields + 1);
        while (kinds.size() < count) {
            FieldKind kind = KINDS[random.nextInt(KINDS.length)];
            if (depth > 0 || !isRecord(kind)) {
                kinds.add(kind);
            }
        }
        return codec(kinds, depth);
    }

    /** A codec of a new type with these fields. */
    SampleCodec codec(List<FieldKind> kinds, int depth) {
        Map<String, FieldDescriptor> fields = new LinkedHashMap<>();
        for (FieldKind kind : kinds) {
            String name = "f" + random.nextInt(1000);
            while (fields.containsKey(name)) {
                name += ALPHABETS[random.nextInt(2)].charAt(random.nextInt(4));
            }
            fields.put(name, new FieldDescriptor(name, kind));
        }
        Schema schema = Schema.of("type" + types++, List.copyOf(fields.values()));
        int[] order = order(kinds.size());
        @Nullable SampleCodec[] inside = new @Nullable SampleCodec[kinds.size()];
        level++;
        for (int i = 0; i < inside.length; i++) {
            inside[i] = isRecord(schema.field(i).kind()) ? codec(4, depth - 1) : null;
        }
        level--;
        return new SampleCodec(schema, order, inside, random.nextBoolean());
    }

    private int[] order(int count) {
        int[] order = new int[count];
        boolean isShuffled = random.nextBoolean() && (level == 0 || !isInsideByName);
        for (int i = 0; i < count; i++) {
            int other = isShuffled ? random.nextInt(i + 1) : i;
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    private static boolean isRecord(FieldKind kind) {
        return kind == FieldKind.COMPACT || kind == FieldKind.ARRAY_OF_COMPACT;
    }

    /** A sample of a codec's type, with arrays of up to so many items. */
    Sample sample(SampleCodec codec, int mostItems) {
        Schema schema = codec.schema();
        @Nullable Object[] values = new @Nullable Object[schema.fields().size()];
        for (int i = 0; i < values.length; i++) {
            FieldKind kind = schema.field(i).kind();
            int field = i;
            values[i] = isRecord(kind)
                    ? record(kind, () -> sample(codec.inside(field), Math.min(2, mostItems)), mostItems)
                    : value(kind, mostItems);
        }
        return new Sample(schema, values);
    }

    private @Nullable Object record(FieldKind kind, Supplier<Sample> sample, int mostItems) {
        if (random.nextInt(5) == 0) {
            return null;
        }
        return kind == FieldKind.COMPACT ? sample.get() : items(sample, Sample[]::new, Math.min(3, mostItems));
    }

    private @Nullable Object value(FieldKind kind, int most) {
        if (!kind.isFixed() && random.nextInt(6) == 0) {
            return null;
        }
        return switch (kind) {
            case BOOLEAN, NULLABLE_BOOLEAN -> random.nextBoolean();
            case INT8, NULLABLE_INT8 -> (byte) number();
            case INT16, NULLABLE_INT16 -> (short) number();
            case INT32, NULLABLE_INT32 -> (int) number();
            case INT64, NULLABLE_INT64 -> number();
            case FLOAT32, NULLABLE_FLOAT32 -> Float.intBitsToFloat((int) number());
            case FLOAT64, NULLABLE_FLOAT64 -> Double.longBitsToDouble(number());
            case STRING -> string(most);
            case DECIMAL -> decimal();
            case TIME -> time();
            case DATE -> date();
            case TIMESTAMP -> timestamp();
            case TIMESTAMP_WITH_TIMEZONE -> timestampWithTimezone();
            case COMPACT, ARRAY_OF_COMPACT -> throw new IllegalArgumentException(kind.toString());
            default -> array(kind, random.nextInt(most + 1));
        };
    }

    private Object array(FieldKind kind, int count) {
        switch (kind) {
            case ARRAY_OF_BOOLEAN -> {
                boolean[] items = new boolean[count];
                for (int i = 0; i < count; i++) {
                    items[i] = random.nextBoolean();
                }
                return items;
            }
            case ARRAY_OF_INT8 -> {
                byte[] items = new byte[count];
                random.nextBytes(items);
                return items;
            }
            case ARRAY_OF_INT16 -> {
                short[] items = new short[count];
                for (int i = 0; i < count; i++) {
                    items[i] = (short) number();
                }
                return items;
            }
            case ARRAY_OF_INT32 -> {
                return random.ints(count).toArray();
            }
            case ARRAY_OF_INT64 -> {
                return random.longs(count).toArray();
            }
            case ARRAY_OF_FLOAT32 -> {
                float[] items = new float[count];
                for (int i = 0; i < count; i++) {
                    items[i] = Float.intBitsToFloat((int) number());
                }
                return items;
            }
            case ARRAY_OF_FLOAT64 -> {
                return random.longs(count)
                        .map(bits -> bits >> random.nextInt(Long.SIZE))
                        .mapToDouble(Double::longBitsToDouble)
                        .toArray();
            }
            default -> {
                return objects(kind, count);
            }
        }
    }

    private Object objects(FieldKind kind, int count) {
        return switch (kind) {
            case ARRAY_OF_STRING -> items(() -> string(20), String[]::new, count);
            case ARRAY_OF_DECIMAL -> items(this::decimal, BigDecimal[]::new, count);
            case ARRAY_OF_TIME -> items(this::time, LocalTime[]::new, count);
            case ARRAY_OF_DATE -> items(this::date, LocalDate[]::new, count);
            case ARRAY_OF_TIMESTAMP -> items(this::timestamp, LocalDateTime[]::new, count);
            case ARRAY_OF_TIMESTAMP_WITH_TIMEZONE -> items(this::timestampWithTimezone, OffsetDateTime[]::new, count);
            case ARRAY_OF_NULLABLE_BOOLEAN -> items(random::nextBoolean, Boolean[]::new, count);
            case ARRAY_OF_NULLABLE_INT8 -> items(() -> (byte) number(), Byte[]::new, count);
            case ARRAY_OF_NULLABLE_INT16 -> items(() -> (short) number(), Short[]::new, count);
            case ARRAY_OF_NULLABLE_INT32 -> items(() -> (int) number(), Integer[]::new, count);
            case ARRAY_OF_NULLABLE_INT64 -> items(this::number, Long[]::new, count);
            case ARRAY_OF_NULLABLE_FLOAT32 -> items(() -> Float.intBitsToFloat((int) number()), Float[]::new, count);
            case ARRAY_OF_NULLABLE_FLOAT64 -> items(() -> Double.longBitsToDouble(number()), Double[]::new, count);
            default -> throw new IllegalArgumentException(kind.toString());
        };
    }

    private <T> @Nullable T[] items(Supplier<T> item, IntFunction<@Nullable T[]> newArray, int count) {
        @Nullable T[] items = newArray.apply(count);
        for (int i = 0; i < count; i++) {
            items[i] = random.nextInt(8) == 0 ? null : item.get();
        }
        return items;
    }

    /** Small as often as large. */
    private long number() {
        return random.nextLong() >> random.nextInt(Long.SIZE);
    }

    String string(int most) {
        String alphabet = ALPHABETS[random.nextInt(ALPHABETS.length)];
        StringBuilder string = new StringBuilder();
        for (int left = random.nextInt(most + 1); left > 0; left--) {
            int[] points = alphabet.codePoints().toArray();
            string.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return string.toString();
    }

    private BigDecimal decimal() {
        byte[] digits = new byte[1 + random.nextInt(12)];
        random.nextBytes(digits);
        return new BigDecimal(new BigInteger(digits), (int) number());
    }

    private LocalTime time() {
        return LocalTime.ofNanoOfDay(random.nextLong(LocalTime.MAX.toNanoOfDay() + 1));
    }

    private LocalDate date() {
        return switch (random.nextInt(10)) {
            case 0 -> LocalDate.MIN;
            case 1 -> LocalDate.MAX;
            default -> LocalDate.ofEpochDay(random.nextInt(-1_000_000, 1_000_000));
        };
    }

    private LocalDateTime timestamp() {
        return LocalDateTime.of(date(), time());
    }

    private OffsetDateTime timestampWithTimezone() {
        int most = ZoneOffset.MAX.getTotalSeconds();
        return OffsetDateTime.of(timestamp(), ZoneOffset.ofTotalSeconds(random.nextInt(-most, most + 1)));
    }
}
