package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.FieldKind;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** The method of each kind, for values that are objects. */
@SuppressWarnings("NullAway")
final class Values {
    private Values() {}

    static void write(
            CompactWriter out, int field, FieldKind kind, @Nullable Object value, @Nullable SampleCodec inside) {
        switch (kind) {
            case BOOLEAN -> out.writeBoolean(field, (boolean) value);
            case INT8 -> out.writeInt8(field, (byte) value);
            case INT16 -> out.writeInt16(field, (short) value);
            case INT32 -> out.writeInt32(field, (int) value);
            case INT64 -> out.writeInt64(field, (long) value);
            case FLOAT32 -> out.writeFloat32(field, (float) value);
            case FLOAT64 -> out.writeFloat64(field, (double) value);
            case STRING -> out.writeString(field, (String) value);
            case DECIMAL -> out.writeDecimal(field, (BigDecimal) value);
            case TIME -> out.writeTime(field, (LocalTime) value);
            case DATE -> out.writeDate(field, (LocalDate) value);
            case TIMESTAMP -> out.writeTimestamp(field, (LocalDateTime) value);
            case TIMESTAMP_WITH_TIMEZONE -> out.writeTimestampWithTimezone(field, (OffsetDateTime) value);
            case NULLABLE_BOOLEAN -> out.writeNullableBoolean(field, (Boolean) value);
            case NULLABLE_INT8 -> out.writeNullableInt8(field, (Byte) value);
            case NULLABLE_INT16 -> out.writeNullableInt16(field, (Short) value);
            case NULLABLE_INT32 -> out.writeNullableInt32(field, (Integer) value);
            case NULLABLE_INT64 -> out.writeNullableInt64(field, (Long) value);
            case NULLABLE_FLOAT32 -> out.writeNullableFloat32(field, (Float) value);
            case NULLABLE_FLOAT64 -> out.writeNullableFloat64(field, (Double) value);
            case ARRAY_OF_BOOLEAN -> out.writeArrayOfBoolean(field, (boolean[]) value);
            case ARRAY_OF_INT8 -> out.writeArrayOfInt8(field, (byte[]) value);
            case ARRAY_OF_INT16 -> out.writeArrayOfInt16(field, (short[]) value);
            case ARRAY_OF_INT32 -> out.writeArrayOfInt32(field, (int[]) value);
            case ARRAY_OF_INT64 -> out.writeArrayOfInt64(field, (long[]) value);
            case ARRAY_OF_FLOAT32 -> out.writeArrayOfFloat32(field, (float[]) value);
            case ARRAY_OF_FLOAT64 -> out.writeArrayOfFloat64(field, (double[]) value);
            case ARRAY_OF_STRING -> out.writeArrayOfString(field, (String[]) value);
            case ARRAY_OF_DECIMAL -> out.writeArrayOfDecimal(field, (BigDecimal[]) value);
            case ARRAY_OF_TIME -> out.writeArrayOfTime(field, (LocalTime[]) value);
            case ARRAY_OF_DATE -> out.writeArrayOfDate(field, (LocalDate[]) value);
            case ARRAY_OF_TIMESTAMP -> out.writeArrayOfTimestamp(field, (LocalDateTime[]) value);
            case ARRAY_OF_TIMESTAMP_WITH_TIMEZONE ->
                out.writeArrayOfTimestampWithTimezone(field, (OffsetDateTime[]) value);
            case ARRAY_OF_NULLABLE_BOOLEAN -> out.writeArrayOfNullableBoolean(field, (Boolean[]) value);
            case ARRAY_OF_NULLABLE_INT8 -> out.writeArrayOfNullableInt8(field, (Byte[]) value);
            case ARRAY_OF_NULLABLE_INT16 -> out.writeArrayOfNullableInt16(field, (Short[]) value);
            case ARRAY_OF_NULLABLE_INT32 -> out.writeArrayOfNullableInt32(field, (Integer[]) value);
            case ARRAY_OF_NULLABLE_INT64 -> out.writeArrayOfNullableInt64(field, (Long[]) value);
            case ARRAY_OF_NULLABLE_FLOAT32 -> out.writeArrayOfNullableFloat32(field, (Float[]) value);
            case ARRAY_OF_NULLABLE_FLOAT64 -> out.writeArrayOfNullableFloat64(field, (Double[]) value);
            case COMPACT -> out.writeCompact(field, (Sample) value, inside);
            case ARRAY_OF_COMPACT -> out.writeArrayOfCompact(field, (Sample[]) value, inside);
        }
    }

    static @Nullable Object read(CompactReader in, int field, FieldKind kind, @Nullable SampleCodec inside) {
        return switch (kind) {
            case BOOLEAN -> in.readBoolean(field);
            case INT8 -> in.readInt8(field);
            case INT16 -> in.readInt16(field);
            case INT32 -> in.readInt32(field);
            case INT64 -> in.readInt64(field);
            case FLOAT32 -> in.readFloat32(field);
            case FLOAT64 -> in.readFloat64(field);
            case STRING -> in.readString(field);
            case DECIMAL -> in.readDecimal(field);
            case TIME -> in.readTime(field);
            case DATE -> in.readDate(field);
            case TIMESTAMP -> in.readTimestamp(field);
            case TIMESTAMP_WITH_TIMEZONE -> in.readTimestampWithTimezone(field);
            case NULLABLE_BOOLEAN -> in.readNullableBoolean(field);
            case NULLABLE_INT8 -> in.readNullableInt8(field);
            case NULLABLE_INT16 -> in.readNullableInt16(field);
            case NULLABLE_INT32 -> in.readNullableInt32(field);
            case NULLABLE_INT64 -> in.readNullableInt64(field);
            case NULLABLE_FLOAT32 -> in.readNullableFloat32(field);
            case NULLABLE_FLOAT64 -> in.readNullableFloat64(field);
            case ARRAY_OF_BOOLEAN -> in.readArrayOfBoolean(field);
            case ARRAY_OF_INT8 -> in.readArrayOfInt8(field);
            case ARRAY_OF_INT16 -> in.readArrayOfInt16(field);
            case ARRAY_OF_INT32 -> in.readArrayOfInt32(field);
            case ARRAY_OF_INT64 -> in.readArrayOfInt64(field);
            case ARRAY_OF_FLOAT32 -> in.readArrayOfFloat32(field);
            case ARRAY_OF_FLOAT64 -> in.readArrayOfFloat64(field);
            case ARRAY_OF_STRING -> in.readArrayOfString(field);
            case ARRAY_OF_DECIMAL -> in.readArrayOfDecimal(field);
            case ARRAY_OF_TIME -> in.readArrayOfTime(field);
            case ARRAY_OF_DATE -> in.readArrayOfDate(field);
            case ARRAY_OF_TIMESTAMP -> in.readArrayOfTimestamp(field);
            case ARRAY_OF_TIMESTAMP_WITH_TIMEZONE -> in.readArrayOfTimestampWithTimezone(field);
            case ARRAY_OF_NULLABLE_BOOLEAN -> in.readArrayOfNullableBoolean(field);
            case ARRAY_OF_NULLABLE_INT8 -> in.readArrayOfNullableInt8(field);
            case ARRAY_OF_NULLABLE_INT16 -> in.readArrayOfNullableInt16(field);
            case ARRAY_OF_NULLABLE_INT32 -> in.readArrayOfNullableInt32(field);
            case ARRAY_OF_NULLABLE_INT64 -> in.readArrayOfNullableInt64(field);
            case ARRAY_OF_NULLABLE_FLOAT32 -> in.readArrayOfNullableFloat32(field);
            case ARRAY_OF_NULLABLE_FLOAT64 -> in.readArrayOfNullableFloat64(field);
            case COMPACT -> in.readCompact(field, inside);
            case ARRAY_OF_COMPACT -> in.readArrayOfCompact(field, inside, Sample[]::new);
        };
    }
}
