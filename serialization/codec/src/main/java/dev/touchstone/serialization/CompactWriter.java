package dev.touchstone.serialization;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Takes the fields of one record. Each field of the schema is written once, with the method of its kind, by its name or by its index: its
 * place among the schema's fields, which are sorted by name. An index saves the look-up of a name. Not thread-safe, and of no use
 * once {@link CompactCodec#write} has returned.
 *
 * <p>A string is written as UTF-8, a surrogate without its other half as a question mark. An array is not copied and must not be changed
 * meanwhile.
 *
 * <p>All methods throw {@link CompactFieldException} where the schema has no such field, has it with another kind, or where it is written a
 * second time, {@link IndexOutOfBoundsException} for an index that is none, and {@link CompactLimitException} where the record becomes too
 * large, too deep, or has too large an array: objects that refer to each other in a circle end there.
 */
public sealed interface CompactWriter permits RecordWriter {
    /** The index of the field with a name. @throws CompactFieldException if there is none */
    int indexOf(String field);

    void writeBoolean(int field, boolean value);

    default void writeBoolean(String field, boolean value) {
        writeBoolean(indexOf(field), value);
    }

    void writeInt8(int field, byte value);

    default void writeInt8(String field, byte value) {
        writeInt8(indexOf(field), value);
    }

    void writeInt16(int field, short value);

    default void writeInt16(String field, short value) {
        writeInt16(indexOf(field), value);
    }

    void writeInt32(int field, int value);

    default void writeInt32(String field, int value) {
        writeInt32(indexOf(field), value);
    }

    void writeInt64(int field, long value);

    default void writeInt64(String field, long value) {
        writeInt64(indexOf(field), value);
    }

    void writeFloat32(int field, float value);

    default void writeFloat32(String field, float value) {
        writeFloat32(indexOf(field), value);
    }

    void writeFloat64(int field, double value);

    default void writeFloat64(String field, double value) {
        writeFloat64(indexOf(field), value);
    }

    void writeString(int field, @Nullable String value);

    default void writeString(String field, @Nullable String value) {
        writeString(indexOf(field), value);
    }

    void writeDecimal(int field, @Nullable BigDecimal value);

    default void writeDecimal(String field, @Nullable BigDecimal value) {
        writeDecimal(indexOf(field), value);
    }

    void writeTime(int field, @Nullable LocalTime value);

    default void writeTime(String field, @Nullable LocalTime value) {
        writeTime(indexOf(field), value);
    }

    void writeDate(int field, @Nullable LocalDate value);

    default void writeDate(String field, @Nullable LocalDate value) {
        writeDate(indexOf(field), value);
    }

    void writeTimestamp(int field, @Nullable LocalDateTime value);

    default void writeTimestamp(String field, @Nullable LocalDateTime value) {
        writeTimestamp(indexOf(field), value);
    }

    void writeTimestampWithTimezone(int field, @Nullable OffsetDateTime value);

    default void writeTimestampWithTimezone(String field, @Nullable OffsetDateTime value) {
        writeTimestampWithTimezone(indexOf(field), value);
    }

    void writeNullableBoolean(int field, @Nullable Boolean value);

    default void writeNullableBoolean(String field, @Nullable Boolean value) {
        writeNullableBoolean(indexOf(field), value);
    }

    void writeNullableInt8(int field, @Nullable Byte value);

    default void writeNullableInt8(String field, @Nullable Byte value) {
        writeNullableInt8(indexOf(field), value);
    }

    void writeNullableInt16(int field, @Nullable Short value);

    default void writeNullableInt16(String field, @Nullable Short value) {
        writeNullableInt16(indexOf(field), value);
    }

    void writeNullableInt32(int field, @Nullable Integer value);

    default void writeNullableInt32(String field, @Nullable Integer value) {
        writeNullableInt32(indexOf(field), value);
    }

    void writeNullableInt64(int field, @Nullable Long value);

    default void writeNullableInt64(String field, @Nullable Long value) {
        writeNullableInt64(indexOf(field), value);
    }

    void writeNullableFloat32(int field, @Nullable Float value);

    default void writeNullableFloat32(String field, @Nullable Float value) {
        writeNullableFloat32(indexOf(field), value);
    }

    void writeNullableFloat64(int field, @Nullable Double value);

    default void writeNullableFloat64(String field, @Nullable Double value) {
        writeNullableFloat64(indexOf(field), value);
    }

    void writeArrayOfBoolean(int field, boolean @Nullable [] value);

    default void writeArrayOfBoolean(String field, boolean @Nullable [] value) {
        writeArrayOfBoolean(indexOf(field), value);
    }

    void writeArrayOfInt8(int field, byte @Nullable [] value);

    default void writeArrayOfInt8(String field, byte @Nullable [] value) {
        writeArrayOfInt8(indexOf(field), value);
    }

    void writeArrayOfInt16(int field, short @Nullable [] value);

    default void writeArrayOfInt16(String field, short @Nullable [] value) {
        writeArrayOfInt16(indexOf(field), value);
    }

    void writeArrayOfInt32(int field, int @Nullable [] value);

    default void writeArrayOfInt32(String field, int @Nullable [] value) {
        writeArrayOfInt32(indexOf(field), value);
    }

    void writeArrayOfInt64(int field, long @Nullable [] value);

    default void writeArrayOfInt64(String field, long @Nullable [] value) {
        writeArrayOfInt64(indexOf(field), value);
    }

    void writeArrayOfFloat32(int field, float @Nullable [] value);

    default void writeArrayOfFloat32(String field, float @Nullable [] value) {
        writeArrayOfFloat32(indexOf(field), value);
    }

    void writeArrayOfFloat64(int field, double @Nullable [] value);

    default void writeArrayOfFloat64(String field, double @Nullable [] value) {
        writeArrayOfFloat64(indexOf(field), value);
    }

    void writeArrayOfString(int field, @Nullable String @Nullable [] value);

    default void writeArrayOfString(String field, @Nullable String @Nullable [] value) {
        writeArrayOfString(indexOf(field), value);
    }

    void writeArrayOfDecimal(int field, @Nullable BigDecimal @Nullable [] value);

    default void writeArrayOfDecimal(String field, @Nullable BigDecimal @Nullable [] value) {
        writeArrayOfDecimal(indexOf(field), value);
    }

    void writeArrayOfTime(int field, @Nullable LocalTime @Nullable [] value);

    default void writeArrayOfTime(String field, @Nullable LocalTime @Nullable [] value) {
        writeArrayOfTime(indexOf(field), value);
    }

    void writeArrayOfDate(int field, @Nullable LocalDate @Nullable [] value);

    default void writeArrayOfDate(String field, @Nullable LocalDate @Nullable [] value) {
        writeArrayOfDate(indexOf(field), value);
    }

    void writeArrayOfTimestamp(int field, @Nullable LocalDateTime @Nullable [] value);

    default void writeArrayOfTimestamp(String field, @Nullable LocalDateTime @Nullable [] value) {
        writeArrayOfTimestamp(indexOf(field), value);
    }

    void writeArrayOfTimestampWithTimezone(int field, @Nullable OffsetDateTime @Nullable [] value);

    default void writeArrayOfTimestampWithTimezone(String field, @Nullable OffsetDateTime @Nullable [] value) {
        writeArrayOfTimestampWithTimezone(indexOf(field), value);
    }

    void writeArrayOfNullableBoolean(int field, @Nullable Boolean @Nullable [] value);

    default void writeArrayOfNullableBoolean(String field, @Nullable Boolean @Nullable [] value) {
        writeArrayOfNullableBoolean(indexOf(field), value);
    }

    void writeArrayOfNullableInt8(int field, @Nullable Byte @Nullable [] value);

    default void writeArrayOfNullableInt8(String field, @Nullable Byte @Nullable [] value) {
        writeArrayOfNullableInt8(indexOf(field), value);
    }

    void writeArrayOfNullableInt16(int field, @Nullable Short @Nullable [] value);

    default void writeArrayOfNullableInt16(String field, @Nullable Short @Nullable [] value) {
        writeArrayOfNullableInt16(indexOf(field), value);
    }

    void writeArrayOfNullableInt32(int field, @Nullable Integer @Nullable [] value);

    default void writeArrayOfNullableInt32(String field, @Nullable Integer @Nullable [] value) {
        writeArrayOfNullableInt32(indexOf(field), value);
    }

    void writeArrayOfNullableInt64(int field, @Nullable Long @Nullable [] value);

    default void writeArrayOfNullableInt64(String field, @Nullable Long @Nullable [] value) {
        writeArrayOfNullableInt64(indexOf(field), value);
    }

    void writeArrayOfNullableFloat32(int field, @Nullable Float @Nullable [] value);

    default void writeArrayOfNullableFloat32(String field, @Nullable Float @Nullable [] value) {
        writeArrayOfNullableFloat32(indexOf(field), value);
    }

    void writeArrayOfNullableFloat64(int field, @Nullable Double @Nullable [] value);

    default void writeArrayOfNullableFloat64(String field, @Nullable Double @Nullable [] value) {
        writeArrayOfNullableFloat64(indexOf(field), value);
    }

    /** Writes an object as a record inside this one. */
    <T> void writeCompact(int field, @Nullable T value, CompactCodec<T> codec);

    /** Writes an object as a record inside this one. */
    default <T> void writeCompact(String field, @Nullable T value, CompactCodec<T> codec) {
        writeCompact(indexOf(field), value, codec);
    }

    /** Writes objects as records inside this one. */
    <T> void writeArrayOfCompact(int field, @Nullable T @Nullable [] value, CompactCodec<T> codec);

    /** Writes objects as records inside this one. */
    default <T> void writeArrayOfCompact(String field, @Nullable T @Nullable [] value, CompactCodec<T> codec) {
        writeArrayOfCompact(indexOf(field), value, codec);
    }
}
