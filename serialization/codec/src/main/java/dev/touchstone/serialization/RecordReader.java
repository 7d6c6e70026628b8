package dev.touchstone.serialization;

import dev.touchstone.serialization.ValueFormat.Damage;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactObjectException;
import dev.touchstone.serialization.schema.KindId;
import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the fields of one record, with a method for each kind; kinds with and without nulls are read as each other. A {@link ValueFormat} reads
 * each value, and this class checks that the value ends where the next one begins.
 */
final class RecordReader implements CompactReader {
    private final RecordCursor in;
    private final byte[] bytes;

    private RecordReader(RecordCursor in) {
        this.in = in;
        bytes = in.bytes;
    }

    /** Returns the object of the record that fills an array. */
    static <T> T readAll(Resolver resolver, byte[] bytes, CompactCodec<T> codec) {
        RecordReader reader = new RecordReader(new RecordCursor(resolver, bytes, 1));
        T value = reader.object(codec, reader.in.checkHeader(), bytes.length);
        reader.in.checkEnd();
        return value;
    }

    /** Returns a reader of the record that fills an array, with the indexes of its own schema. */
    static RecordReader of(Resolver resolver, byte[] bytes) {
        RecordCursor in = new RecordCursor(resolver, bytes, 1);
        in.openAny(in.checkHeader(), bytes.length);
        in.checkEnd();
        return new RecordReader(in);
    }

    /** Returns a reader of the record that fills an array, with the indexes of another schema. */
    static RecordReader of(Resolver resolver, byte[] bytes, Schema wanted) {
        RecordCursor in = new RecordCursor(resolver, bytes, 1);
        in.open(wanted, in.checkHeader(), bytes.length);
        in.checkEnd();
        return new RecordReader(in);
    }

    private <T> T object(CompactCodec<T> codec, int from, int until) {
        try {
            in.open(codec.schema(), from, until);
            return Objects.requireNonNull(codec.read(this), "the codec has returned null");
        } catch (CompactException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CompactObjectException(
                    "object could not be made:", codec.schema().typeName(), from, e);
        }
    }

    private RecordReader inside() {
        return new RecordReader(new RecordCursor(in.resolver, bytes, in.depth + 1));
    }

    private <T> T present(int field, @Nullable T value) {
        return in.present(field, value);
    }

    /** Returns the value of a field that may be null. */
    private <T> @Nullable T value(int field, byte kind, ValueFormat<T> format) {
        if (!in.locate(field, kind)) {
            return null;
        }
        int at = in.at;
        int until = in.until;
        T value = format.read(bytes, at, until, in.resolver.limits);
        if (value == null || format.end(bytes, at) != until) {
            throw in.refused(format.damage(bytes, at, until), at);
        }
        return value;
    }

    /** Returns the array of a field that may be null, and whose items may be null. */
    private <T> @Nullable T @Nullable [] items(
            int field, byte kind, ValueFormat<T> format, IntFunction<@Nullable T[]> newArray) {
        if (!in.locate(field, kind)) {
            return null;
        }
        int at = in.at;
        int until = in.until;
        @Nullable T[] items = Input.items(bytes, at, until, format, newArray, in.resolver.limits);
        if (items == null || Input.endOfItems(bytes, at) != until) {
            in.checkItems(at, until);
            throw damagedItem(format, at);
        }
        return items;
    }

    /** Returns the exception for an array that ends at the right offset but has an item that cannot be read. */
    private <T> CompactException damagedItem(ValueFormat<T> format, int at) {
        int start = at + Input.ITEMS_HEAD_BYTES;
        int table = start + Input.int32(bytes, at);
        int next = start;
        for (int i = 0; i < Input.int32(bytes, at + Integer.BYTES); i++) {
            if (in.follows(i, start, table, next)) {
                if (format.read(bytes, next, table, in.resolver.limits) == null) {
                    return in.refused(format.damage(bytes, next, table), next);
                }
                next = format.end(bytes, next);
            }
        }
        return in.refused(Damage.endsEarly(next, table), next);
    }

    /** Returns the array of records of a field that may be null. */
    private <T> @Nullable T @Nullable [] records(
            int field, IntFunction<@Nullable T[]> newArray, RecordSource<T> record) {
        if (!in.locate(field, KindId.ARRAY_OF_COMPACT)) {
            return null;
        }
        int at = in.at;
        in.checkItems(at, in.until);
        int start = at + Input.ITEMS_HEAD_BYTES;
        int table = start + Input.int32(bytes, at);
        @Nullable T[] items = newArray.apply(Input.int32(bytes, at + Integer.BYTES));
        int next = start;
        for (int i = 0; i < items.length; i++) {
            if (in.follows(i, start, table, next)) {
                RecordReader inside = inside();
                items[i] = record.read(inside, next, table);
                next = inside.in.end;
            }
        }
        if (next != table) {
            throw in.refused(Damage.endsEarly(next, table), next);
        }
        return items;
    }

    /** Returns the record of a field that may be null. */
    private <T> @Nullable T record(int field, RecordSource<T> record) {
        if (!in.locate(field, KindId.COMPACT)) {
            return null;
        }
        int until = in.until;
        RecordReader inside = inside();
        T value = record.read(inside, in.at, until);
        if (inside.in.end != until) {
            throw in.refused(Damage.endsEarly(inside.in.end, until), inside.in.end);
        }
        return value;
    }

    /** A conversion of the record that begins at an offset. */
    private interface RecordSource<T> {
        T read(RecordReader inside, int at, int until);
    }

    private GenericView view(int at, int until) {
        in.openAny(at, until);
        return new GenericView(this);
    }

    /** Returns an array of {@code count} objects, each of which is made from its index. */
    private static <T> @Nullable T[] boxed(int count, IntFunction<@Nullable T[]> newArray, IntFunction<T> item) {
        @Nullable T[] boxed = newArray.apply(count);
        for (int i = 0; i < count; i++) {
            boxed[i] = item.apply(i);
        }
        return boxed;
    }

    /** Passes each item on with its index, and refuses a null like that of a field. */
    private <T> void unboxed(int field, @Nullable T[] boxed, Item<T> item) {
        for (int i = 0; i < boxed.length; i++) {
            item.put(i, present(field, boxed[i]));
        }
    }

    /** A receiver of the items of an array. */
    private interface Item<T> {
        void put(int index, T value);
    }

    @Override
    public int indexOf(String field) {
        return in.indexOf(field);
    }

    @Override
    public Schema schema() {
        return in.record;
    }

    @Override
    public boolean has(int field) {
        return in.kinds[field] != KindId.NONE;
    }

    @Override
    public boolean has(String field) {
        return in.record.indexOf(field) >= 0;
    }

    @Override
    public boolean readBoolean(int field) {
        return in.kinds[field] == KindId.BOOLEAN ? in.bit(field) : present(field, readNullableBoolean(field));
    }

    @Override
    public byte readInt8(int field) {
        int at = in.fixed(field, KindId.INT8);
        return at >= 0 ? bytes[at] : present(field, readNullableInt8(field));
    }

    @Override
    public short readInt16(int field) {
        int at = in.fixed(field, KindId.INT16);
        return at >= 0 ? Input.int16(bytes, at) : present(field, readNullableInt16(field));
    }

    @Override
    public int readInt32(int field) {
        int at = in.fixed(field, KindId.INT32);
        return at >= 0 ? Input.int32(bytes, at) : present(field, readNullableInt32(field));
    }

    @Override
    public long readInt64(int field) {
        int at = in.fixed(field, KindId.INT64);
        return at >= 0 ? Input.int64(bytes, at) : present(field, readNullableInt64(field));
    }

    @Override
    public float readFloat32(int field) {
        int at = in.fixed(field, KindId.FLOAT32);
        return at >= 0 ? Input.float32(bytes, at) : present(field, readNullableFloat32(field));
    }

    @Override
    public double readFloat64(int field) {
        int at = in.fixed(field, KindId.FLOAT64);
        return at >= 0 ? Input.float64(bytes, at) : present(field, readNullableFloat64(field));
    }

    @Override
    public @Nullable String readString(int field) {
        return value(field, KindId.STRING, ValueFormat.STRING);
    }

    @Override
    public @Nullable BigDecimal readDecimal(int field) {
        return value(field, KindId.DECIMAL, ValueFormat.DECIMAL);
    }

    @Override
    public @Nullable LocalTime readTime(int field) {
        return value(field, KindId.TIME, ValueFormat.TIME);
    }

    @Override
    public @Nullable LocalDate readDate(int field) {
        return value(field, KindId.DATE, ValueFormat.DATE);
    }

    @Override
    public @Nullable LocalDateTime readTimestamp(int field) {
        return value(field, KindId.TIMESTAMP, ValueFormat.TIMESTAMP);
    }

    @Override
    public @Nullable OffsetDateTime readTimestampWithTimezone(int field) {
        return value(field, KindId.TIMESTAMP_WITH_TIMEZONE, ValueFormat.TIMESTAMP_WITH_TIMEZONE);
    }

    @Override
    public @Nullable Boolean readNullableBoolean(int field) {
        return in.kinds[field] == KindId.BOOLEAN
                ? Boolean.valueOf(in.bit(field))
                : value(field, KindId.NULLABLE_BOOLEAN, ValueFormat.BOOLEAN);
    }

    @Override
    public @Nullable Byte readNullableInt8(int field) {
        int at = in.fixed(field, KindId.INT8);
        return at >= 0 ? Byte.valueOf(bytes[at]) : value(field, KindId.NULLABLE_INT8, ValueFormat.INT8);
    }

    @Override
    public @Nullable Short readNullableInt16(int field) {
        int at = in.fixed(field, KindId.INT16);
        return at >= 0 ? Short.valueOf(Input.int16(bytes, at)) : value(field, KindId.NULLABLE_INT16, ValueFormat.INT16);
    }

    @Override
    public @Nullable Integer readNullableInt32(int field) {
        int at = in.fixed(field, KindId.INT32);
        return at >= 0
                ? Integer.valueOf(Input.int32(bytes, at))
                : value(field, KindId.NULLABLE_INT32, ValueFormat.INT32);
    }

    @Override
    public @Nullable Long readNullableInt64(int field) {
        int at = in.fixed(field, KindId.INT64);
        return at >= 0 ? Long.valueOf(Input.int64(bytes, at)) : value(field, KindId.NULLABLE_INT64, ValueFormat.INT64);
    }

    @Override
    public @Nullable Float readNullableFloat32(int field) {
        int at = in.fixed(field, KindId.FLOAT32);
        return at >= 0
                ? Float.valueOf(Input.float32(bytes, at))
                : value(field, KindId.NULLABLE_FLOAT32, ValueFormat.FLOAT32);
    }

    @Override
    public @Nullable Double readNullableFloat64(int field) {
        int at = in.fixed(field, KindId.FLOAT64);
        return at >= 0
                ? Double.valueOf(Input.float64(bytes, at))
                : value(field, KindId.NULLABLE_FLOAT64, ValueFormat.FLOAT64);
    }

    @Override
    public boolean @Nullable [] readArrayOfBoolean(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_NULLABLE_BOOLEAN) {
            return value(field, KindId.ARRAY_OF_BOOLEAN, ArrayFormat.ARRAY_OF_BOOLEAN);
        }
        @Nullable Boolean[] boxed = readArrayOfNullableBoolean(field);
        if (boxed == null) {
            return null;
        }
        boolean[] values = new boolean[boxed.length];
        unboxed(field, boxed, (index, value) -> values[index] = value);
        return values;
    }

    @Override
    public byte @Nullable [] readArrayOfInt8(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_NULLABLE_INT8) {
            return value(field, KindId.ARRAY_OF_INT8, ArrayFormat.ARRAY_OF_INT8);
        }
        @Nullable Byte[] boxed = readArrayOfNullableInt8(field);
        if (boxed == null) {
            return null;
        }
        byte[] values = new byte[boxed.length];
        unboxed(field, boxed, (index, value) -> values[index] = value);
        return values;
    }

    @Override
    public short @Nullable [] readArrayOfInt16(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_NULLABLE_INT16) {
            return value(field, KindId.ARRAY_OF_INT16, ArrayFormat.ARRAY_OF_INT16);
        }
        @Nullable Short[] boxed = readArrayOfNullableInt16(field);
        if (boxed == null) {
            return null;
        }
        short[] values = new short[boxed.length];
        unboxed(field, boxed, (index, value) -> values[index] = value);
        return values;
    }

    @Override
    public int @Nullable [] readArrayOfInt32(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_NULLABLE_INT32) {
            return value(field, KindId.ARRAY_OF_INT32, ArrayFormat.ARRAY_OF_INT32);
        }
        @Nullable Integer[] boxed = readArrayOfNullableInt32(field);
        if (boxed == null) {
            return null;
        }
        int[] values = new int[boxed.length];
        unboxed(field, boxed, (index, value) -> values[index] = value);
        return values;
    }

    @Override
    public long @Nullable [] readArrayOfInt64(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_NULLABLE_INT64) {
            return value(field, KindId.ARRAY_OF_INT64, ArrayFormat.ARRAY_OF_INT64);
        }
        @Nullable Long[] boxed = readArrayOfNullableInt64(field);
        if (boxed == null) {
            return null;
        }
        long[] values = new long[boxed.length];
        unboxed(field, boxed, (index, value) -> values[index] = value);
        return values;
    }

    @Override
    public float @Nullable [] readArrayOfFloat32(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_NULLABLE_FLOAT32) {
            return value(field, KindId.ARRAY_OF_FLOAT32, ArrayFormat.ARRAY_OF_FLOAT32);
        }
        @Nullable Float[] boxed = readArrayOfNullableFloat32(field);
        if (boxed == null) {
            return null;
        }
        float[] values = new float[boxed.length];
        unboxed(field, boxed, (index, value) -> values[index] = value);
        return values;
    }

    @Override
    public double @Nullable [] readArrayOfFloat64(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_NULLABLE_FLOAT64) {
            return value(field, KindId.ARRAY_OF_FLOAT64, ArrayFormat.ARRAY_OF_FLOAT64);
        }
        @Nullable Double[] boxed = readArrayOfNullableFloat64(field);
        if (boxed == null) {
            return null;
        }
        double[] values = new double[boxed.length];
        unboxed(field, boxed, (index, value) -> values[index] = value);
        return values;
    }

    @Override
    public @Nullable String @Nullable [] readArrayOfString(int field) {
        return items(field, KindId.ARRAY_OF_STRING, ValueFormat.STRING, String[]::new);
    }

    @Override
    public @Nullable BigDecimal @Nullable [] readArrayOfDecimal(int field) {
        return items(field, KindId.ARRAY_OF_DECIMAL, ValueFormat.DECIMAL, BigDecimal[]::new);
    }

    @Override
    public @Nullable LocalTime @Nullable [] readArrayOfTime(int field) {
        return items(field, KindId.ARRAY_OF_TIME, ValueFormat.TIME, LocalTime[]::new);
    }

    @Override
    public @Nullable LocalDate @Nullable [] readArrayOfDate(int field) {
        return items(field, KindId.ARRAY_OF_DATE, ValueFormat.DATE, LocalDate[]::new);
    }

    @Override
    public @Nullable LocalDateTime @Nullable [] readArrayOfTimestamp(int field) {
        return items(field, KindId.ARRAY_OF_TIMESTAMP, ValueFormat.TIMESTAMP, LocalDateTime[]::new);
    }

    @Override
    public @Nullable OffsetDateTime @Nullable [] readArrayOfTimestampWithTimezone(int field) {
        return items(
                field,
                KindId.ARRAY_OF_TIMESTAMP_WITH_TIMEZONE,
                ValueFormat.TIMESTAMP_WITH_TIMEZONE,
                OffsetDateTime[]::new);
    }

    @Override
    public @Nullable Boolean @Nullable [] readArrayOfNullableBoolean(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_BOOLEAN) {
            return items(field, KindId.ARRAY_OF_NULLABLE_BOOLEAN, ValueFormat.BOOLEAN, Boolean[]::new);
        }
        boolean @Nullable [] values = readArrayOfBoolean(field);
        return values == null ? null : boxed(values.length, Boolean[]::new, index -> values[index]);
    }

    @Override
    public @Nullable Byte @Nullable [] readArrayOfNullableInt8(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_INT8) {
            return items(field, KindId.ARRAY_OF_NULLABLE_INT8, ValueFormat.INT8, Byte[]::new);
        }
        byte @Nullable [] values = readArrayOfInt8(field);
        return values == null ? null : boxed(values.length, Byte[]::new, index -> values[index]);
    }

    @Override
    public @Nullable Short @Nullable [] readArrayOfNullableInt16(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_INT16) {
            return items(field, KindId.ARRAY_OF_NULLABLE_INT16, ValueFormat.INT16, Short[]::new);
        }
        short @Nullable [] values = readArrayOfInt16(field);
        return values == null ? null : boxed(values.length, Short[]::new, index -> values[index]);
    }

    @Override
    public @Nullable Integer @Nullable [] readArrayOfNullableInt32(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_INT32) {
            return items(field, KindId.ARRAY_OF_NULLABLE_INT32, ValueFormat.INT32, Integer[]::new);
        }
        int @Nullable [] values = readArrayOfInt32(field);
        return values == null ? null : boxed(values.length, Integer[]::new, index -> values[index]);
    }

    @Override
    public @Nullable Long @Nullable [] readArrayOfNullableInt64(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_INT64) {
            return items(field, KindId.ARRAY_OF_NULLABLE_INT64, ValueFormat.INT64, Long[]::new);
        }
        long @Nullable [] values = readArrayOfInt64(field);
        return values == null ? null : boxed(values.length, Long[]::new, index -> values[index]);
    }

    @Override
    public @Nullable Float @Nullable [] readArrayOfNullableFloat32(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_FLOAT32) {
            return items(field, KindId.ARRAY_OF_NULLABLE_FLOAT32, ValueFormat.FLOAT32, Float[]::new);
        }
        float @Nullable [] values = readArrayOfFloat32(field);
        return values == null ? null : boxed(values.length, Float[]::new, index -> values[index]);
    }

    @Override
    public @Nullable Double @Nullable [] readArrayOfNullableFloat64(int field) {
        if (in.kinds[field] != KindId.ARRAY_OF_FLOAT64) {
            return items(field, KindId.ARRAY_OF_NULLABLE_FLOAT64, ValueFormat.FLOAT64, Double[]::new);
        }
        double @Nullable [] values = readArrayOfFloat64(field);
        return values == null ? null : boxed(values.length, Double[]::new, index -> values[index]);
    }

    @Override
    public <T> @Nullable T readCompact(int field, CompactCodec<T> codec) {
        return record(field, (inside, at, until) -> inside.object(codec, at, until));
    }

    @Override
    public <T> @Nullable T @Nullable [] readArrayOfCompact(
            int field, CompactCodec<T> codec, IntFunction<@Nullable T[]> newArray) {
        return records(field, newArray, (inside, at, until) -> inside.object(codec, at, until));
    }

    @Override
    public @Nullable GenericView readView(int field) {
        return record(field, RecordReader::view);
    }

    @Override
    public @Nullable GenericView @Nullable [] readArrayOfViews(int field) {
        return records(field, GenericView[]::new, RecordReader::view);
    }
}
