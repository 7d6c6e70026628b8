package dev.touchstone.serialization;

import com.hazelcast.internal.serialization.impl.compact.DefaultCompactWriter;
import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import dev.touchstone.serialization.schema.FieldKind;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Hazelcast's method of each kind, for values that are objects. Records inside are generic records. */
@SuppressWarnings("NullAway")
final class HazelcastValues {
    private HazelcastValues() {}

    static void write(CompactWriter out, String field, FieldKind kind, @Nullable Object value) {
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
            case COMPACT -> out.writeCompact(field, value);
            case ARRAY_OF_COMPACT -> writeRecords(out, field, (GenericRecord[]) value);
        }
    }

    /** The public method takes objects only; it is the one that the schema is made with. */
    private static void writeRecords(CompactWriter out, String field, GenericRecord[] records) {
        if (out instanceof DefaultCompactWriter writer) {
            writer.writeArrayOfGenericRecord(field, records);
        } else {
            out.writeArrayOfCompact(field, records);
        }
    }

    static @Nullable Object read(CompactReader in, String field, FieldKind kind) {
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
            case COMPACT -> in.readCompact(field);
            case ARRAY_OF_COMPACT -> in.readArrayOfCompact(field, GenericRecord.class);
        };
    }

    static void set(GenericRecordBuilder out, String field, FieldKind kind, @Nullable Object value) {
        switch (kind) {
            case BOOLEAN -> out.setBoolean(field, (boolean) value);
            case INT8 -> out.setInt8(field, (byte) value);
            case INT16 -> out.setInt16(field, (short) value);
            case INT32 -> out.setInt32(field, (int) value);
            case INT64 -> out.setInt64(field, (long) value);
            case FLOAT32 -> out.setFloat32(field, (float) value);
            case FLOAT64 -> out.setFloat64(field, (double) value);
            case STRING -> out.setString(field, (String) value);
            case DECIMAL -> out.setDecimal(field, (BigDecimal) value);
            case TIME -> out.setTime(field, (LocalTime) value);
            case DATE -> out.setDate(field, (LocalDate) value);
            case TIMESTAMP -> out.setTimestamp(field, (LocalDateTime) value);
            case TIMESTAMP_WITH_TIMEZONE -> out.setTimestampWithTimezone(field, (OffsetDateTime) value);
            case NULLABLE_BOOLEAN -> out.setNullableBoolean(field, (Boolean) value);
            case NULLABLE_INT8 -> out.setNullableInt8(field, (Byte) value);
            case NULLABLE_INT16 -> out.setNullableInt16(field, (Short) value);
            case NULLABLE_INT32 -> out.setNullableInt32(field, (Integer) value);
            case NULLABLE_INT64 -> out.setNullableInt64(field, (Long) value);
            case NULLABLE_FLOAT32 -> out.setNullableFloat32(field, (Float) value);
            case NULLABLE_FLOAT64 -> out.setNullableFloat64(field, (Double) value);
            case ARRAY_OF_BOOLEAN -> out.setArrayOfBoolean(field, (boolean[]) value);
            case ARRAY_OF_INT8 -> out.setArrayOfInt8(field, (byte[]) value);
            case ARRAY_OF_INT16 -> out.setArrayOfInt16(field, (short[]) value);
            case ARRAY_OF_INT32 -> out.setArrayOfInt32(field, (int[]) value);
            case ARRAY_OF_INT64 -> out.setArrayOfInt64(field, (long[]) value);
            case ARRAY_OF_FLOAT32 -> out.setArrayOfFloat32(field, (float[]) value);
            case ARRAY_OF_FLOAT64 -> out.setArrayOfFloat64(field, (double[]) value);
            case ARRAY_OF_STRING -> out.setArrayOfString(field, (String[]) value);
            case ARRAY_OF_DECIMAL -> out.setArrayOfDecimal(field, (BigDecimal[]) value);
            case ARRAY_OF_TIME -> out.setArrayOfTime(field, (LocalTime[]) value);
            case ARRAY_OF_DATE -> out.setArrayOfDate(field, (LocalDate[]) value);
            case ARRAY_OF_TIMESTAMP -> out.setArrayOfTimestamp(field, (LocalDateTime[]) value);
            case ARRAY_OF_TIMESTAMP_WITH_TIMEZONE ->
                out.setArrayOfTimestampWithTimezone(field, (OffsetDateTime[]) value);
            case ARRAY_OF_NULLABLE_BOOLEAN -> out.setArrayOfNullableBoolean(field, (Boolean[]) value);
            case ARRAY_OF_NULLABLE_INT8 -> out.setArrayOfNullableInt8(field, (Byte[]) value);
            case ARRAY_OF_NULLABLE_INT16 -> out.setArrayOfNullableInt16(field, (Short[]) value);
            case ARRAY_OF_NULLABLE_INT32 -> out.setArrayOfNullableInt32(field, (Integer[]) value);
            case ARRAY_OF_NULLABLE_INT64 -> out.setArrayOfNullableInt64(field, (Long[]) value);
            case ARRAY_OF_NULLABLE_FLOAT32 -> out.setArrayOfNullableFloat32(field, (Float[]) value);
            case ARRAY_OF_NULLABLE_FLOAT64 -> out.setArrayOfNullableFloat64(field, (Double[]) value);
            case COMPACT -> out.setGenericRecord(field, (GenericRecord) value);
            case ARRAY_OF_COMPACT -> out.setArrayOfGenericRecord(field, (GenericRecord[]) value);
        }
    }

    static @Nullable Object get(GenericRecord in, String field, FieldKind kind) {
        return switch (kind) {
            case BOOLEAN -> in.getBoolean(field);
            case INT8 -> in.getInt8(field);
            case INT16 -> in.getInt16(field);
            case INT32 -> in.getInt32(field);
            case INT64 -> in.getInt64(field);
            case FLOAT32 -> in.getFloat32(field);
            case FLOAT64 -> in.getFloat64(field);
            case STRING -> in.getString(field);
            case DECIMAL -> in.getDecimal(field);
            case TIME -> in.getTime(field);
            case DATE -> in.getDate(field);
            case TIMESTAMP -> in.getTimestamp(field);
            case TIMESTAMP_WITH_TIMEZONE -> in.getTimestampWithTimezone(field);
            case NULLABLE_BOOLEAN -> in.getNullableBoolean(field);
            case NULLABLE_INT8 -> in.getNullableInt8(field);
            case NULLABLE_INT16 -> in.getNullableInt16(field);
            case NULLABLE_INT32 -> in.getNullableInt32(field);
            case NULLABLE_INT64 -> in.getNullableInt64(field);
            case NULLABLE_FLOAT32 -> in.getNullableFloat32(field);
            case NULLABLE_FLOAT64 -> in.getNullableFloat64(field);
            case ARRAY_OF_BOOLEAN -> in.getArrayOfBoolean(field);
            case ARRAY_OF_INT8 -> in.getArrayOfInt8(field);
            case ARRAY_OF_INT16 -> in.getArrayOfInt16(field);
            case ARRAY_OF_INT32 -> in.getArrayOfInt32(field);
            case ARRAY_OF_INT64 -> in.getArrayOfInt64(field);
            case ARRAY_OF_FLOAT32 -> in.getArrayOfFloat32(field);
            case ARRAY_OF_FLOAT64 -> in.getArrayOfFloat64(field);
            case ARRAY_OF_STRING -> in.getArrayOfString(field);
            case ARRAY_OF_DECIMAL -> in.getArrayOfDecimal(field);
            case ARRAY_OF_TIME -> in.getArrayOfTime(field);
            case ARRAY_OF_DATE -> in.getArrayOfDate(field);
            case ARRAY_OF_TIMESTAMP -> in.getArrayOfTimestamp(field);
            case ARRAY_OF_TIMESTAMP_WITH_TIMEZONE -> in.getArrayOfTimestampWithTimezone(field);
            case ARRAY_OF_NULLABLE_BOOLEAN -> in.getArrayOfNullableBoolean(field);
            case ARRAY_OF_NULLABLE_INT8 -> in.getArrayOfNullableInt8(field);
            case ARRAY_OF_NULLABLE_INT16 -> in.getArrayOfNullableInt16(field);
            case ARRAY_OF_NULLABLE_INT32 -> in.getArrayOfNullableInt32(field);
            case ARRAY_OF_NULLABLE_INT64 -> in.getArrayOfNullableInt64(field);
            case ARRAY_OF_NULLABLE_FLOAT32 -> in.getArrayOfNullableFloat32(field);
            case ARRAY_OF_NULLABLE_FLOAT64 -> in.getArrayOfNullableFloat64(field);
            case COMPACT -> in.getGenericRecord(field);
            case ARRAY_OF_COMPACT -> in.getArrayOfGenericRecord(field);
        };
    }
}
