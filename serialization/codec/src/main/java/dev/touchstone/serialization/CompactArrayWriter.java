package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactFieldException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** The methods of {@link CompactWriter} for fields that are arrays. An array is not copied, and must not be changed during the call. */
public sealed interface CompactArrayWriter permits CompactWriter {
    /**
     * Returns the index of a field of the schema.
     *
     * @param field name of the field
     * @return index
     * @throws CompactFieldException if the schema has no such field
     */
    int indexOf(String field);

    /**
     * Writes a field of the kind {@code ARRAY_OF_BOOLEAN}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfBoolean(int field, boolean @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_BOOLEAN}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfBoolean(String field, boolean @Nullable [] value) {
        writeArrayOfBoolean(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_INT8}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfInt8(int field, byte @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_INT8}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfInt8(String field, byte @Nullable [] value) {
        writeArrayOfInt8(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_INT16}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfInt16(int field, short @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_INT16}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfInt16(String field, short @Nullable [] value) {
        writeArrayOfInt16(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_INT32}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfInt32(int field, int @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_INT32}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfInt32(String field, int @Nullable [] value) {
        writeArrayOfInt32(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_INT64}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfInt64(int field, long @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_INT64}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfInt64(String field, long @Nullable [] value) {
        writeArrayOfInt64(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_FLOAT32}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfFloat32(int field, float @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_FLOAT32}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfFloat32(String field, float @Nullable [] value) {
        writeArrayOfFloat32(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_FLOAT64}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfFloat64(int field, double @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_FLOAT64}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfFloat64(String field, double @Nullable [] value) {
        writeArrayOfFloat64(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_STRING}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfString(int field, @Nullable String @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_STRING}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfString(String field, @Nullable String @Nullable [] value) {
        writeArrayOfString(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_DECIMAL}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfDecimal(int field, @Nullable BigDecimal @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_DECIMAL}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfDecimal(String field, @Nullable BigDecimal @Nullable [] value) {
        writeArrayOfDecimal(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_TIME}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfTime(int field, @Nullable LocalTime @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_TIME}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfTime(String field, @Nullable LocalTime @Nullable [] value) {
        writeArrayOfTime(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_DATE}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfDate(int field, @Nullable LocalDate @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_DATE}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfDate(String field, @Nullable LocalDate @Nullable [] value) {
        writeArrayOfDate(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_TIMESTAMP}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfTimestamp(int field, @Nullable LocalDateTime @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_TIMESTAMP}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfTimestamp(String field, @Nullable LocalDateTime @Nullable [] value) {
        writeArrayOfTimestamp(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_TIMESTAMP_WITH_TIMEZONE}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfTimestampWithTimezone(int field, @Nullable OffsetDateTime @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_TIMESTAMP_WITH_TIMEZONE}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfTimestampWithTimezone(String field, @Nullable OffsetDateTime @Nullable [] value) {
        writeArrayOfTimestampWithTimezone(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_BOOLEAN}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfNullableBoolean(int field, @Nullable Boolean @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_BOOLEAN}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfNullableBoolean(String field, @Nullable Boolean @Nullable [] value) {
        writeArrayOfNullableBoolean(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_INT8}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfNullableInt8(int field, @Nullable Byte @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_INT8}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfNullableInt8(String field, @Nullable Byte @Nullable [] value) {
        writeArrayOfNullableInt8(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_INT16}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfNullableInt16(int field, @Nullable Short @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_INT16}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfNullableInt16(String field, @Nullable Short @Nullable [] value) {
        writeArrayOfNullableInt16(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_INT32}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfNullableInt32(int field, @Nullable Integer @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_INT32}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfNullableInt32(String field, @Nullable Integer @Nullable [] value) {
        writeArrayOfNullableInt32(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_INT64}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfNullableInt64(int field, @Nullable Long @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_INT64}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfNullableInt64(String field, @Nullable Long @Nullable [] value) {
        writeArrayOfNullableInt64(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_FLOAT32}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfNullableFloat32(int field, @Nullable Float @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_FLOAT32}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfNullableFloat32(String field, @Nullable Float @Nullable [] value) {
        writeArrayOfNullableFloat32(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_FLOAT64}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeArrayOfNullableFloat64(int field, @Nullable Double @Nullable [] value);

    /**
     * Writes a field of the kind {@code ARRAY_OF_NULLABLE_FLOAT64}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeArrayOfNullableFloat64(String field, @Nullable Double @Nullable [] value) {
        writeArrayOfNullableFloat64(indexOf(field), value);
    }

    /**
     * Writes objects as records inside this one.
     *
     * @param <T> type of the objects
     * @param field index of the field
     * @param value objects, some of which may be null; or null
     * @param codec codec of the objects
     */
    <T> void writeArrayOfCompact(int field, @Nullable T @Nullable [] value, CompactCodec<T> codec);

    /**
     * Writes objects as records inside this one.
     *
     * @param <T> type of the objects
     * @param field name of the field
     * @param value objects, some of which may be null; or null
     * @param codec codec of the objects
     */
    default <T> void writeArrayOfCompact(String field, @Nullable T @Nullable [] value, CompactCodec<T> codec) {
        writeArrayOfCompact(indexOf(field), value, codec);
    }
}
