package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the fields of one record, in any order and any number of times, by index or by name. Not thread-safe, and of no use once {@link
 * CompactCodec#read} has returned.
 *
 * <p>An index is the place of a field in the schema of the codec that reads. If the record is of another version, the reader looks the field up there
 * by its name. A name is looked up in the schema of the record. A kind without nulls and the same kind with nulls can be read as each other.
 *
 * <p>All methods throw {@link CompactFieldException} if the record lacks the field, has it with another kind, or has a null that the method cannot
 * return; {@link IndexOutOfBoundsException} if no field has the index; {@link CompactFormatException} if the bytes are damaged; and {@link
 * CompactLimitException} if an array has too many items or records are too deep.
 */
public sealed interface CompactReader extends CompactArrayReader permits RecordReader {
    /**
     * Returns whether the record has a field.
     *
     * @param field index of the field in the codec's schema
     * @return whether the record has a field of the same name, of whatever kind
     */
    boolean has(int field);

    /**
     * Returns whether the record has a field.
     *
     * @param field name of the field
     * @return whether the record has it, of whatever kind
     */
    boolean has(String field);

    /**
     * Returns the schema of the record, which may be another version than the codec's.
     *
     * @return schema by which the record was written
     */
    Schema schema();

    /**
     * {@return the value of a field of the kind {@code BOOLEAN}}
     *
     * @param field index of the field
     */
    boolean readBoolean(int field);

    /**
     * {@return the value of a field of the kind {@code BOOLEAN}}
     *
     * @param field name of the field in the record
     */
    default boolean readBoolean(String field) {
        return readBoolean(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code INT8}}
     *
     * @param field index of the field
     */
    byte readInt8(int field);

    /**
     * {@return the value of a field of the kind {@code INT8}}
     *
     * @param field name of the field in the record
     */
    default byte readInt8(String field) {
        return readInt8(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code INT16}}
     *
     * @param field index of the field
     */
    short readInt16(int field);

    /**
     * {@return the value of a field of the kind {@code INT16}}
     *
     * @param field name of the field in the record
     */
    default short readInt16(String field) {
        return readInt16(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code INT32}}
     *
     * @param field index of the field
     */
    int readInt32(int field);

    /**
     * {@return the value of a field of the kind {@code INT32}}
     *
     * @param field name of the field in the record
     */
    default int readInt32(String field) {
        return readInt32(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code INT64}}
     *
     * @param field index of the field
     */
    long readInt64(int field);

    /**
     * {@return the value of a field of the kind {@code INT64}}
     *
     * @param field name of the field in the record
     */
    default long readInt64(String field) {
        return readInt64(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code FLOAT32}}
     *
     * @param field index of the field
     */
    float readFloat32(int field);

    /**
     * {@return the value of a field of the kind {@code FLOAT32}}
     *
     * @param field name of the field in the record
     */
    default float readFloat32(String field) {
        return readFloat32(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code FLOAT64}}
     *
     * @param field index of the field
     */
    double readFloat64(int field);

    /**
     * {@return the value of a field of the kind {@code FLOAT64}}
     *
     * @param field name of the field in the record
     */
    default double readFloat64(String field) {
        return readFloat64(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code STRING}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    String readString(int field);

    /**
     * {@return the value of a field of the kind {@code STRING}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable String readString(String field) {
        return readString(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code DECIMAL}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    BigDecimal readDecimal(int field);

    /**
     * {@return the value of a field of the kind {@code DECIMAL}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable BigDecimal readDecimal(String field) {
        return readDecimal(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code TIME}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    LocalTime readTime(int field);

    /**
     * {@return the value of a field of the kind {@code TIME}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable LocalTime readTime(String field) {
        return readTime(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code DATE}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    LocalDate readDate(int field);

    /**
     * {@return the value of a field of the kind {@code DATE}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable LocalDate readDate(String field) {
        return readDate(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code TIMESTAMP}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    LocalDateTime readTimestamp(int field);

    /**
     * {@return the value of a field of the kind {@code TIMESTAMP}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable LocalDateTime readTimestamp(String field) {
        return readTimestamp(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code TIMESTAMP_WITH_TIMEZONE}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    OffsetDateTime readTimestampWithTimezone(int field);

    /**
     * {@return the value of a field of the kind {@code TIMESTAMP_WITH_TIMEZONE}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable OffsetDateTime readTimestampWithTimezone(String field) {
        return readTimestampWithTimezone(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code NULLABLE_BOOLEAN}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Boolean readNullableBoolean(int field);

    /**
     * {@return the value of a field of the kind {@code NULLABLE_BOOLEAN}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Boolean readNullableBoolean(String field) {
        return readNullableBoolean(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code NULLABLE_INT8}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Byte readNullableInt8(int field);

    /**
     * {@return the value of a field of the kind {@code NULLABLE_INT8}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Byte readNullableInt8(String field) {
        return readNullableInt8(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code NULLABLE_INT16}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Short readNullableInt16(int field);

    /**
     * {@return the value of a field of the kind {@code NULLABLE_INT16}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Short readNullableInt16(String field) {
        return readNullableInt16(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code NULLABLE_INT32}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Integer readNullableInt32(int field);

    /**
     * {@return the value of a field of the kind {@code NULLABLE_INT32}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Integer readNullableInt32(String field) {
        return readNullableInt32(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code NULLABLE_INT64}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Long readNullableInt64(int field);

    /**
     * {@return the value of a field of the kind {@code NULLABLE_INT64}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Long readNullableInt64(String field) {
        return readNullableInt64(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code NULLABLE_FLOAT32}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Float readNullableFloat32(int field);

    /**
     * {@return the value of a field of the kind {@code NULLABLE_FLOAT32}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Float readNullableFloat32(String field) {
        return readNullableFloat32(indexOf(field));
    }

    /**
     * {@return the value of a field of the kind {@code NULLABLE_FLOAT64}, or null}
     *
     * @param field index of the field
     */
    @Nullable
    Double readNullableFloat64(int field);

    /**
     * {@return the value of a field of the kind {@code NULLABLE_FLOAT64}, or null}
     *
     * @param field name of the field in the record
     */
    default @Nullable Double readNullableFloat64(String field) {
        return readNullableFloat64(indexOf(field));
    }

    /**
     * Reads a record inside this one as an object.
     *
     * @param <T> type of the object
     * @param field index of the field
     * @param codec codec of the object
     * @return the object, or null
     */
    <T> @Nullable T readCompact(int field, CompactCodec<T> codec);

    /**
     * Reads a record inside this one as an object.
     *
     * @param <T> type of the object
     * @param field name of the field in the record
     * @param codec codec of the object
     * @return the object, or null
     */
    default <T> @Nullable T readCompact(String field, CompactCodec<T> codec) {
        return readCompact(indexOf(field), codec);
    }

    /**
     * Returns a view of a record inside this one. The view may be kept, and refers to all bytes of the outer record.
     *
     * @param field index of the field
     * @return view of the record, or null
     */
    @Nullable
    GenericView readView(int field);
}
