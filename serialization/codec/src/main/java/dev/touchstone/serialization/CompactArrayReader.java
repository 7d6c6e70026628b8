package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactFieldException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The methods of {@link CompactReader} for fields that are arrays. Each call returns a new array. */
public sealed interface CompactArrayReader permits CompactReader {
    /**
     * Returns the index of a field of the record, which is of use for this reader only.
     *
     * @param field name of the field
     * @return index
     * @throws CompactFieldException if the record has no such field
     */
    int indexOf(String field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_BOOLEAN}, or null}
     *
     * @param field index of the field
     */
    boolean @Nullable [] readArrayOfBoolean(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_BOOLEAN}, or null}
     *
     * @param field name of the field in the record
     */
    default boolean @Nullable [] readArrayOfBoolean(String field) {
        return readArrayOfBoolean(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_INT8}, or null}
     *
     * @param field index of the field
     */
    byte @Nullable [] readArrayOfInt8(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_INT8}, or null}
     *
     * @param field name of the field in the record
     */
    default byte @Nullable [] readArrayOfInt8(String field) {
        return readArrayOfInt8(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_INT16}, or null}
     *
     * @param field index of the field
     */
    short @Nullable [] readArrayOfInt16(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_INT16}, or null}
     *
     * @param field name of the field in the record
     */
    default short @Nullable [] readArrayOfInt16(String field) {
        return readArrayOfInt16(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_INT32}, or null}
     *
     * @param field index of the field
     */
    int @Nullable [] readArrayOfInt32(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_INT32}, or null}
     *
     * @param field name of the field in the record
     */
    default int @Nullable [] readArrayOfInt32(String field) {
        return readArrayOfInt32(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_INT64}, or null}
     *
     * @param field index of the field
     */
    long @Nullable [] readArrayOfInt64(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_INT64}, or null}
     *
     * @param field name of the field in the record
     */
    default long @Nullable [] readArrayOfInt64(String field) {
        return readArrayOfInt64(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_FLOAT32}, or null}
     *
     * @param field index of the field
     */
    float @Nullable [] readArrayOfFloat32(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_FLOAT32}, or null}
     *
     * @param field name of the field in the record
     */
    default float @Nullable [] readArrayOfFloat32(String field) {
        return readArrayOfFloat32(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_FLOAT64}, or null}
     *
     * @param field index of the field
     */
    double @Nullable [] readArrayOfFloat64(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_FLOAT64}, or null}
     *
     * @param field name of the field in the record
     */
    default double @Nullable [] readArrayOfFloat64(String field) {
        return readArrayOfFloat64(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_STRING}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    String @Nullable [] readArrayOfString(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_STRING}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable String @Nullable [] readArrayOfString(String field) {
        return readArrayOfString(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_DECIMAL}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    BigDecimal @Nullable [] readArrayOfDecimal(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_DECIMAL}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable BigDecimal @Nullable [] readArrayOfDecimal(String field) {
        return readArrayOfDecimal(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_TIME}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    LocalTime @Nullable [] readArrayOfTime(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_TIME}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable LocalTime @Nullable [] readArrayOfTime(String field) {
        return readArrayOfTime(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_DATE}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    LocalDate @Nullable [] readArrayOfDate(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_DATE}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable LocalDate @Nullable [] readArrayOfDate(String field) {
        return readArrayOfDate(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_TIMESTAMP}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    LocalDateTime @Nullable [] readArrayOfTimestamp(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_TIMESTAMP}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable LocalDateTime @Nullable [] readArrayOfTimestamp(String field) {
        return readArrayOfTimestamp(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_TIMESTAMP_WITH_TIMEZONE}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    OffsetDateTime @Nullable [] readArrayOfTimestampWithTimezone(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_TIMESTAMP_WITH_TIMEZONE}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable OffsetDateTime @Nullable [] readArrayOfTimestampWithTimezone(String field) {
        return readArrayOfTimestampWithTimezone(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_BOOLEAN}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Boolean @Nullable [] readArrayOfNullableBoolean(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_BOOLEAN}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Boolean @Nullable [] readArrayOfNullableBoolean(String field) {
        return readArrayOfNullableBoolean(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_INT8}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Byte @Nullable [] readArrayOfNullableInt8(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_INT8}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Byte @Nullable [] readArrayOfNullableInt8(String field) {
        return readArrayOfNullableInt8(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_INT16}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Short @Nullable [] readArrayOfNullableInt16(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_INT16}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Short @Nullable [] readArrayOfNullableInt16(String field) {
        return readArrayOfNullableInt16(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_INT32}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Integer @Nullable [] readArrayOfNullableInt32(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_INT32}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Integer @Nullable [] readArrayOfNullableInt32(String field) {
        return readArrayOfNullableInt32(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_INT64}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Long @Nullable [] readArrayOfNullableInt64(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_INT64}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Long @Nullable [] readArrayOfNullableInt64(String field) {
        return readArrayOfNullableInt64(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_FLOAT32}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Float @Nullable [] readArrayOfNullableFloat32(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_FLOAT32}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Float @Nullable [] readArrayOfNullableFloat32(String field) {
        return readArrayOfNullableFloat32(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_FLOAT64}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Double @Nullable [] readArrayOfNullableFloat64(int field);

    /**
     * {@return the value of a field of the kind {@code ARRAY_OF_NULLABLE_FLOAT64}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Double @Nullable [] readArrayOfNullableFloat64(String field) {
        return readArrayOfNullableFloat64(indexOf(field));
    }

    /**
     * Reads records inside this one as objects.
     *
     * @param <T> type of the objects
     * @param field index of the field
     * @param codec codec of the objects
     * @param newArray makes an array of a length
     * @return the objects, some of which may be null; or null
     */
    <T> @Nullable T @Nullable [] readArrayOfCompact(
            int field, CompactCodec<T> codec, IntFunction<@Nullable T[]> newArray);

    /**
     * Reads records inside this one as objects.
     *
     * @param <T> type of the objects
     * @param field name of the field in the record
     * @param codec codec of the objects
     * @param newArray makes an array of a length
     * @return the objects, some of which may be null; or null
     */
    default <T> @Nullable T @Nullable [] readArrayOfCompact(
            String field, CompactCodec<T> codec, IntFunction<@Nullable T[]> newArray) {
        return readArrayOfCompact(indexOf(field), codec, newArray);
    }

    /**
     * Returns records inside this one, for their fields. They may be kept, and refer to all the bytes.
     *
     * @param field index of the field
     * @return views of the records, some of which may be null; or null
     */
    @Nullable
    GenericView @Nullable [] readArrayOfViews(int field);
}
