package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.exception.CompactLimitException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the fields of one record. Each field of the schema is written once, with the method of its kind, by its name or by its index: its place
 * among the fields of the schema, which are sorted by name. An index saves the look-up of the name. Not thread-safe, and of no use once {@link
 * CompactCodec#write} has returned.
 *
 * <p>A string is written as UTF-8, with a question mark for each surrogate without its other half. An array is not copied, and must not be changed
 * during the call.
 *
 * <p>All methods throw {@link CompactFieldException} if the schema has no such field, has it with another kind, or the field is written a second
 * time; {@link IndexOutOfBoundsException} if no field has the index; and {@link CompactLimitException} if the record becomes too large or too deep,
 * or an array has too many items, which also ends the writing of objects that refer to each other in a circle.
 */
public sealed interface CompactWriter extends CompactArrayWriter permits RecordWriter {
    /**
     * Writes a field of the kind {@code BOOLEAN}.
     *
     * @param field index of the field
     * @param value value
     */
    void writeBoolean(int field, boolean value);

    /**
     * Writes a field of the kind {@code BOOLEAN}.
     *
     * @param field name of the field
     * @param value value
     */
    default void writeBoolean(String field, boolean value) {
        writeBoolean(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code INT8}.
     *
     * @param field index of the field
     * @param value value
     */
    void writeInt8(int field, byte value);

    /**
     * Writes a field of the kind {@code INT8}.
     *
     * @param field name of the field
     * @param value value
     */
    default void writeInt8(String field, byte value) {
        writeInt8(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code INT16}.
     *
     * @param field index of the field
     * @param value value
     */
    void writeInt16(int field, short value);

    /**
     * Writes a field of the kind {@code INT16}.
     *
     * @param field name of the field
     * @param value value
     */
    default void writeInt16(String field, short value) {
        writeInt16(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code INT32}.
     *
     * @param field index of the field
     * @param value value
     */
    void writeInt32(int field, int value);

    /**
     * Writes a field of the kind {@code INT32}.
     *
     * @param field name of the field
     * @param value value
     */
    default void writeInt32(String field, int value) {
        writeInt32(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code INT64}.
     *
     * @param field index of the field
     * @param value value
     */
    void writeInt64(int field, long value);

    /**
     * Writes a field of the kind {@code INT64}.
     *
     * @param field name of the field
     * @param value value
     */
    default void writeInt64(String field, long value) {
        writeInt64(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code FLOAT32}.
     *
     * @param field index of the field
     * @param value value
     */
    void writeFloat32(int field, float value);

    /**
     * Writes a field of the kind {@code FLOAT32}.
     *
     * @param field name of the field
     * @param value value
     */
    default void writeFloat32(String field, float value) {
        writeFloat32(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code FLOAT64}.
     *
     * @param field index of the field
     * @param value value
     */
    void writeFloat64(int field, double value);

    /**
     * Writes a field of the kind {@code FLOAT64}.
     *
     * @param field name of the field
     * @param value value
     */
    default void writeFloat64(String field, double value) {
        writeFloat64(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code STRING}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeString(int field, @Nullable String value);

    /**
     * Writes a field of the kind {@code STRING}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeString(String field, @Nullable String value) {
        writeString(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code DECIMAL}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeDecimal(int field, @Nullable BigDecimal value);

    /**
     * Writes a field of the kind {@code DECIMAL}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeDecimal(String field, @Nullable BigDecimal value) {
        writeDecimal(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code TIME}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeTime(int field, @Nullable LocalTime value);

    /**
     * Writes a field of the kind {@code TIME}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeTime(String field, @Nullable LocalTime value) {
        writeTime(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code DATE}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeDate(int field, @Nullable LocalDate value);

    /**
     * Writes a field of the kind {@code DATE}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeDate(String field, @Nullable LocalDate value) {
        writeDate(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code TIMESTAMP}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeTimestamp(int field, @Nullable LocalDateTime value);

    /**
     * Writes a field of the kind {@code TIMESTAMP}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeTimestamp(String field, @Nullable LocalDateTime value) {
        writeTimestamp(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code TIMESTAMP_WITH_TIMEZONE}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeTimestampWithTimezone(int field, @Nullable OffsetDateTime value);

    /**
     * Writes a field of the kind {@code TIMESTAMP_WITH_TIMEZONE}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeTimestampWithTimezone(String field, @Nullable OffsetDateTime value) {
        writeTimestampWithTimezone(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code NULLABLE_BOOLEAN}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeNullableBoolean(int field, @Nullable Boolean value);

    /**
     * Writes a field of the kind {@code NULLABLE_BOOLEAN}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeNullableBoolean(String field, @Nullable Boolean value) {
        writeNullableBoolean(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code NULLABLE_INT8}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeNullableInt8(int field, @Nullable Byte value);

    /**
     * Writes a field of the kind {@code NULLABLE_INT8}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeNullableInt8(String field, @Nullable Byte value) {
        writeNullableInt8(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code NULLABLE_INT16}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeNullableInt16(int field, @Nullable Short value);

    /**
     * Writes a field of the kind {@code NULLABLE_INT16}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeNullableInt16(String field, @Nullable Short value) {
        writeNullableInt16(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code NULLABLE_INT32}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeNullableInt32(int field, @Nullable Integer value);

    /**
     * Writes a field of the kind {@code NULLABLE_INT32}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeNullableInt32(String field, @Nullable Integer value) {
        writeNullableInt32(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code NULLABLE_INT64}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeNullableInt64(int field, @Nullable Long value);

    /**
     * Writes a field of the kind {@code NULLABLE_INT64}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeNullableInt64(String field, @Nullable Long value) {
        writeNullableInt64(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code NULLABLE_FLOAT32}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeNullableFloat32(int field, @Nullable Float value);

    /**
     * Writes a field of the kind {@code NULLABLE_FLOAT32}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeNullableFloat32(String field, @Nullable Float value) {
        writeNullableFloat32(indexOf(field), value);
    }

    /**
     * Writes a field of the kind {@code NULLABLE_FLOAT64}.
     *
     * @param field index of the field
     * @param value value, or null
     */
    void writeNullableFloat64(int field, @Nullable Double value);

    /**
     * Writes a field of the kind {@code NULLABLE_FLOAT64}.
     *
     * @param field name of the field
     * @param value value, or null
     */
    default void writeNullableFloat64(String field, @Nullable Double value) {
        writeNullableFloat64(indexOf(field), value);
    }

    /**
     * Writes an object as a record inside this one.
     *
     * @param <T> type of the object
     * @param field index of the field
     * @param value object, or null
     * @param codec codec of the object
     */
    <T> void writeCompact(int field, @Nullable T value, CompactCodec<T> codec);

    /**
     * Writes an object as a record inside this one.
     *
     * @param <T> type of the object
     * @param field name of the field
     * @param value object, or null
     * @param codec codec of the object
     */
    default <T> void writeCompact(String field, @Nullable T value, CompactCodec<T> codec) {
        writeCompact(indexOf(field), value, codec);
    }
}
