package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gives the fields of one record, in any order and any number of times, by index or by name. Not thread-safe, and of no use once {@link
 * CompactCodec#read} has returned.
 *
 * <p>An index is a field's place in the schema of the codec that reads, also where the record is of another version: it is then looked up by
 * its name there. A name is looked up in the record's schema. A kind without nulls and the same one with nulls can be read for each other.
 *
 * <p>All methods throw {@link CompactFieldException} where the record lacks the field, has it with another kind, or has a null for which there
 * is no value, {@link IndexOutOfBoundsException} for an index that is none, {@link CompactFormatException} where the bytes are damaged, and
 * {@link CompactLimitException} where an array or a depth is too large.
 */
public sealed interface CompactReader permits RecordReader {
    /** The index of the field with a name in the record, for this reader only. @throws CompactFieldException if there is none */
    int indexOf(String field);

    /** Whether the record has a field that can be read as the kind that the codec's schema gives it. */
    boolean has(int field);

    /** Whether the record has a field. */
    boolean has(String field);

    /** The schema of the record, which may be another version than the codec's. */
    Schema schema();

    boolean readBoolean(int field);

    default boolean readBoolean(String field) {
        return readBoolean(indexOf(field));
    }

    byte readInt8(int field);

    default byte readInt8(String field) {
        return readInt8(indexOf(field));
    }

    short readInt16(int field);

    default short readInt16(String field) {
        return readInt16(indexOf(field));
    }

    int readInt32(int field);

    default int readInt32(String field) {
        return readInt32(indexOf(field));
    }

    long readInt64(int field);

    default long readInt64(String field) {
        return readInt64(indexOf(field));
    }

    float readFloat32(int field);

    default float readFloat32(String field) {
        return readFloat32(indexOf(field));
    }

    double readFloat64(int field);

    default double readFloat64(String field) {
        return readFloat64(indexOf(field));
    }

    @Nullable
    String readString(int field);

    default @Nullable String readString(String field) {
        return readString(indexOf(field));
    }

    @Nullable
    BigDecimal readDecimal(int field);

    default @Nullable BigDecimal readDecimal(String field) {
        return readDecimal(indexOf(field));
    }

    @Nullable
    LocalTime readTime(int field);

    default @Nullable LocalTime readTime(String field) {
        return readTime(indexOf(field));
    }

    @Nullable
    LocalDate readDate(int field);

    default @Nullable LocalDate readDate(String field) {
        return readDate(indexOf(field));
    }

    @Nullable
    LocalDateTime readTimestamp(int field);

    default @Nullable LocalDateTime readTimestamp(String field) {
        return readTimestamp(indexOf(field));
    }

    @Nullable
    OffsetDateTime readTimestampWithTimezone(int field);

    default @Nullable OffsetDateTime readTimestampWithTimezone(String field) {
        return readTimestampWithTimezone(indexOf(field));
    }

    @Nullable
    Boolean readNullableBoolean(int field);

    default @Nullable Boolean readNullableBoolean(String field) {
        return readNullableBoolean(indexOf(field));
    }

    @Nullable
    Byte readNullableInt8(int field);

    default @Nullable Byte readNullableInt8(String field) {
        return readNullableInt8(indexOf(field));
    }

    @Nullable
    Short readNullableInt16(int field);

    default @Nullable Short readNullableInt16(String field) {
        return readNullableInt16(indexOf(field));
    }

    @Nullable
    Integer readNullableInt32(int field);

    default @Nullable Integer readNullableInt32(String field) {
        return readNullableInt32(indexOf(field));
    }

    @Nullable
    Long readNullableInt64(int field);

    default @Nullable Long readNullableInt64(String field) {
        return readNullableInt64(indexOf(field));
    }

    @Nullable
    Float readNullableFloat32(int field);

    default @Nullable Float readNullableFloat32(String field) {
        return readNullableFloat32(indexOf(field));
    }

    @Nullable
    Double readNullableFloat64(int field);

    default @Nullable Double readNullableFloat64(String field) {
        return readNullableFloat64(indexOf(field));
    }

    boolean @Nullable [] readArrayOfBoolean(int field);

    default boolean @Nullable [] readArrayOfBoolean(String field) {
        return readArrayOfBoolean(indexOf(field));
    }

    byte @Nullable [] readArrayOfInt8(int field);

    default byte @Nullable [] readArrayOfInt8(String field) {
        return readArrayOfInt8(indexOf(field));
    }

    short @Nullable [] readArrayOfInt16(int field);

    default short @Nullable [] readArrayOfInt16(String field) {
        return readArrayOfInt16(indexOf(field));
    }

    int @Nullable [] readArrayOfInt32(int field);

    default int @Nullable [] readArrayOfInt32(String field) {
        return readArrayOfInt32(indexOf(field));
    }

    long @Nullable [] readArrayOfInt64(int field);

    default long @Nullable [] readArrayOfInt64(String field) {
        return readArrayOfInt64(indexOf(field));
    }

    float @Nullable [] readArrayOfFloat32(int field);

    default float @Nullable [] readArrayOfFloat32(String field) {
        return readArrayOfFloat32(indexOf(field));
    }

    double @Nullable [] readArrayOfFloat64(int field);

    default double @Nullable [] readArrayOfFloat64(String field) {
        return readArrayOfFloat64(indexOf(field));
    }

    @Nullable
    String @Nullable [] readArrayOfString(int field);

    default @Nullable String @Nullable [] readArrayOfString(String field) {
        return readArrayOfString(indexOf(field));
    }

    @Nullable
    BigDecimal @Nullable [] readArrayOfDecimal(int field);

    default @Nullable BigDecimal @Nullable [] readArrayOfDecimal(String field) {
        return readArrayOfDecimal(indexOf(field));
    }

    @Nullable
    LocalTime @Nullable [] readArrayOfTime(int field);

    default @Nullable LocalTime @Nullable [] readArrayOfTime(String field) {
        return readArrayOfTime(indexOf(field));
    }

    @Nullable
    LocalDate @Nullable [] readArrayOfDate(int field);

    default @Nullable LocalDate @Nullable [] readArrayOfDate(String field) {
        return readArrayOfDate(indexOf(field));
    }

    @Nullable
    LocalDateTime @Nullable [] readArrayOfTimestamp(int field);

    default @Nullable LocalDateTime @Nullable [] readArrayOfTimestamp(String field) {
        return readArrayOfTimestamp(indexOf(field));
    }

    @Nullable
    OffsetDateTime @Nullable [] readArrayOfTimestampWithTimezone(int field);

    default @Nullable OffsetDateTime @Nullable [] readArrayOfTimestampWithTimezone(String field) {
        return readArrayOfTimestampWithTimezone(indexOf(field));
    }

    @Nullable
    Boolean @Nullable [] readArrayOfNullableBoolean(int field);

    default @Nullable Boolean @Nullable [] readArrayOfNullableBoolean(String field) {
        return readArrayOfNullableBoolean(indexOf(field));
    }

    @Nullable
    Byte @Nullable [] readArrayOfNullableInt8(int field);

    default @Nullable Byte @Nullable [] readArrayOfNullableInt8(String field) {
        return readArrayOfNullableInt8(indexOf(field));
    }

    @Nullable
    Short @Nullable [] readArrayOfNullableInt16(int field);

    default @Nullable Short @Nullable [] readArrayOfNullableInt16(String field) {
        return readArrayOfNullableInt16(indexOf(field));
    }

    @Nullable
    Integer @Nullable [] readArrayOfNullableInt32(int field);

    default @Nullable Integer @Nullable [] readArrayOfNullableInt32(String field) {
        return readArrayOfNullableInt32(indexOf(field));
    }

    @Nullable
    Long @Nullable [] readArrayOfNullableInt64(int field);

    default @Nullable Long @Nullable [] readArrayOfNullableInt64(String field) {
        return readArrayOfNullableInt64(indexOf(field));
    }

    @Nullable
    Float @Nullable [] readArrayOfNullableFloat32(int field);

    default @Nullable Float @Nullable [] readArrayOfNullableFloat32(String field) {
        return readArrayOfNullableFloat32(indexOf(field));
    }

    @Nullable
    Double @Nullable [] readArrayOfNullableFloat64(int field);

    default @Nullable Double @Nullable [] readArrayOfNullableFloat64(String field) {
        return readArrayOfNullableFloat64(indexOf(field));
    }

    /** Reads a record inside this one as an object. */
    <T> @Nullable T readCompact(int field, CompactCodec<T> codec);

    /** Reads a record inside this one as an object. */
    default <T> @Nullable T readCompact(String field, CompactCodec<T> codec) {
        return readCompact(indexOf(field), codec);
    }

    /** Reads records inside this one as objects. {@code newArray} makes an array of a length. */
    <T> @Nullable T @Nullable [] readArrayOfCompact(
            int field, CompactCodec<T> codec, IntFunction<@Nullable T[]> newArray);

    /** Reads records inside this one as objects. {@code newArray} makes an array of a length. */
    default <T> @Nullable T @Nullable [] readArrayOfCompact(
            String field, CompactCodec<T> codec, IntFunction<@Nullable T[]> newArray) {
        return readArrayOfCompact(indexOf(field), codec, newArray);
    }

    /** A record inside this one, for its fields. It may be kept, and refers to all the bytes. */
    @Nullable
    GenericView readView(int field);

    /** Records inside this one, for their fields. They may be kept, and refer to all the bytes. */
    @Nullable
    GenericView @Nullable [] readArrayOfViews(int field);
}
