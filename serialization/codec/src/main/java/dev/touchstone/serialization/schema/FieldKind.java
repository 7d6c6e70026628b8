package dev.touchstone.serialization.schema;

import java.util.Optional;

/**
 * Kinds of fields, each with the number that stands for the kind in the fingerprint of a schema. Values of a fixed-size kind stand in the fixed
 * region of a record and are never null. Fields of any other kind may be null, and their values stand in the variable region. Items of an array may
 * be null, unless the items are of a fixed-size kind.
 *
 * <p>Hazelcast has four more kinds, for chars and Portable objects, which a Compact record cannot hold.
 */
public enum FieldKind {
    /** A boolean, in 1 bit of the fixed region. */
    BOOLEAN(KindId.BOOLEAN, RecordLayout.BIT),
    /** An array of booleans, 8 to a byte, or null. */
    ARRAY_OF_BOOLEAN(KindId.ARRAY_OF_BOOLEAN),
    /** A signed integer of 1 byte, from -128 to 127. */
    INT8(KindId.INT8, 1),
    /** An array of signed integers of 1 byte, or null. */
    ARRAY_OF_INT8(KindId.ARRAY_OF_INT8),
    /** A signed integer of 2 bytes, from -32,768 to 32,767. */
    INT16(KindId.INT16, 2),
    /** An array of signed integers of 2 bytes, or null. */
    ARRAY_OF_INT16(KindId.ARRAY_OF_INT16),
    /** A signed integer of 4 bytes, from -2<sup>31</sup> to 2<sup>31</sup> - 1. */
    INT32(KindId.INT32, 4),
    /** An array of signed integers of 4 bytes, or null. */
    ARRAY_OF_INT32(KindId.ARRAY_OF_INT32),
    /** A signed integer of 8 bytes, from -2<sup>63</sup> to 2<sup>63</sup> - 1. */
    INT64(KindId.INT64, 8),
    /** An array of signed integers of 8 bytes, or null. */
    ARRAY_OF_INT64(KindId.ARRAY_OF_INT64),
    /** An IEEE 754 floating-point number of 4 bytes. */
    FLOAT32(KindId.FLOAT32, 4),
    /** An array of IEEE 754 floating-point numbers of 4 bytes, or null. */
    ARRAY_OF_FLOAT32(KindId.ARRAY_OF_FLOAT32),
    /** An IEEE 754 floating-point number of 8 bytes. */
    FLOAT64(KindId.FLOAT64, 8),
    /** An array of IEEE 754 floating-point numbers of 8 bytes, or null. */
    ARRAY_OF_FLOAT64(KindId.ARRAY_OF_FLOAT64),
    /** A string in UTF-8 behind its length in bytes (int32), or null. */
    STRING(KindId.STRING),
    /** An array of strings, each of which may be null; or null. */
    ARRAY_OF_STRING(KindId.ARRAY_OF_STRING),
    /** A decimal number of any length, or null: unscaled value in two's complement behind its length in bytes (int32), then scale (int32). */
    DECIMAL(KindId.DECIMAL),
    /** An array of decimal numbers, each of which may be null; or null. */
    ARRAY_OF_DECIMAL(KindId.ARRAY_OF_DECIMAL),
    /** A time of day with nanoseconds, in 7 bytes, or null. */
    TIME(KindId.TIME),
    /** An array of times of day, each of which may be null; or null. */
    ARRAY_OF_TIME(KindId.ARRAY_OF_TIME),
    /** A date, in 6 bytes, or null; the year is an int32. */
    DATE(KindId.DATE),
    /** An array of dates, each of which may be null; or null. */
    ARRAY_OF_DATE(KindId.ARRAY_OF_DATE),
    /** A date and time without an offset from UTC, in 13 bytes, or null. */
    TIMESTAMP(KindId.TIMESTAMP),
    /** An array of dates and times without an offset from UTC, each of which may be null; or null. */
    ARRAY_OF_TIMESTAMP(KindId.ARRAY_OF_TIMESTAMP),
    /** A date and time with its offset from UTC in seconds, in 17 bytes, or null. */
    TIMESTAMP_WITH_TIMEZONE(KindId.TIMESTAMP_WITH_TIMEZONE),
    /** An array of dates and times with their offsets from UTC, each of which may be null; or null. */
    ARRAY_OF_TIMESTAMP_WITH_TIMEZONE(KindId.ARRAY_OF_TIMESTAMP_WITH_TIMEZONE),
    /** A record of any type inside this one, or null. */
    COMPACT(KindId.COMPACT),
    /** An array of records, each of which may be null; or null. */
    ARRAY_OF_COMPACT(KindId.ARRAY_OF_COMPACT),
    /** A boolean or null: 1 byte, 0 or 1. */
    NULLABLE_BOOLEAN(KindId.NULLABLE_BOOLEAN),
    /** An array of booleans, each of which may be null; or null. */
    ARRAY_OF_NULLABLE_BOOLEAN(KindId.ARRAY_OF_NULLABLE_BOOLEAN),
    /** A signed integer of 1 byte, or null. */
    NULLABLE_INT8(KindId.NULLABLE_INT8),
    /** An array of signed integers of 1 byte, each of which may be null; or null. */
    ARRAY_OF_NULLABLE_INT8(KindId.ARRAY_OF_NULLABLE_INT8),
    /** A signed integer of 2 bytes, or null. */
    NULLABLE_INT16(KindId.NULLABLE_INT16),
    /** An array of signed integers of 2 bytes, each of which may be null; or null. */
    ARRAY_OF_NULLABLE_INT16(KindId.ARRAY_OF_NULLABLE_INT16),
    /** A signed integer of 4 bytes, or null. */
    NULLABLE_INT32(KindId.NULLABLE_INT32),
    /** An array of signed integers of 4 bytes, each of which may be null; or null. */
    ARRAY_OF_NULLABLE_INT32(KindId.ARRAY_OF_NULLABLE_INT32),
    /** A signed integer of 8 bytes, or null. */
    NULLABLE_INT64(KindId.NULLABLE_INT64),
    /** An array of signed integers of 8 bytes, each of which may be null; or null. */
    ARRAY_OF_NULLABLE_INT64(KindId.ARRAY_OF_NULLABLE_INT64),
    /** An IEEE 754 floating-point number of 4 bytes, or null. */
    NULLABLE_FLOAT32(KindId.NULLABLE_FLOAT32),
    /** An array of IEEE 754 floating-point numbers of 4 bytes, each of which may be null; or null. */
    ARRAY_OF_NULLABLE_FLOAT32(KindId.ARRAY_OF_NULLABLE_FLOAT32),
    /** An IEEE 754 floating-point number of 8 bytes, or null. */
    NULLABLE_FLOAT64(KindId.NULLABLE_FLOAT64),
    /** An array of IEEE 754 floating-point numbers of 8 bytes, each of which may be null; or null. */
    ARRAY_OF_NULLABLE_FLOAT64(KindId.ARRAY_OF_NULLABLE_FLOAT64);

    private static final FieldKind[] BY_ID = byId();

    private final byte id;
    private final int fixedBytes;

    FieldKind(byte id) {
        this(id, RecordLayout.VARIABLE);
    }

    FieldKind(byte id, int fixedBytes) {
        this.id = id;
        this.fixedBytes = fixedBytes;
    }

    private static FieldKind[] byId() {
        FieldKind[] kinds = new FieldKind[KindId.ARRAY_OF_NULLABLE_FLOAT64 + 1];
        for (FieldKind kind : values()) {
            kinds[kind.id] = kind;
        }
        return kinds;
    }

    /**
     * Returns the kind that a number stands for.
     *
     * @param id any number
     * @return the kind, or nothing if Compact has no kind with this number
     */
    public static Optional<FieldKind> ofId(int id) {
        return id < 0 || id >= BY_ID.length ? Optional.empty() : Optional.ofNullable(BY_ID[id]);
    }

    /**
     * Returns the number that stands for this kind.
     *
     * @return number, one of the constants of {@link KindId}
     */
    public int id() {
        return id;
    }

    /**
     * Returns whether values stand in the fixed region of a record. Fields of such kinds are never null.
     *
     * @return whether this kind is a fixed-size one
     */
    public boolean isFixed() {
        return fixedBytes != RecordLayout.VARIABLE;
    }

    /**
     * Returns whether values are arrays.
     *
     * @return whether this kind is one of arrays
     */
    public boolean isArray() {
        return (id & 1) == 0;
    }

    /**
     * Returns whether a reader that asks for a kind can read a field of this kind. The reader refuses a null if the kind that it asks for has no
     * nulls.
     *
     * @param wanted kind that the reader asks for
     * @return whether the kinds are the same, or differ only in whether their values may be null
     */
    public boolean isReadableAs(FieldKind wanted) {
        return this == wanted || nullable() == wanted.nullable();
    }

    /** Returns the same kind with nulls, or this kind if its values may be null already. */
    FieldKind nullable() {
        return switch (this) {
            case BOOLEAN -> NULLABLE_BOOLEAN;
            case INT8 -> NULLABLE_INT8;
            case INT16 -> NULLABLE_INT16;
            case INT32 -> NULLABLE_INT32;
            case INT64 -> NULLABLE_INT64;
            case FLOAT32 -> NULLABLE_FLOAT32;
            case FLOAT64 -> NULLABLE_FLOAT64;
            case ARRAY_OF_BOOLEAN -> ARRAY_OF_NULLABLE_BOOLEAN;
            case ARRAY_OF_INT8 -> ARRAY_OF_NULLABLE_INT8;
            case ARRAY_OF_INT16 -> ARRAY_OF_NULLABLE_INT16;
            case ARRAY_OF_INT32 -> ARRAY_OF_NULLABLE_INT32;
            case ARRAY_OF_INT64 -> ARRAY_OF_NULLABLE_INT64;
            case ARRAY_OF_FLOAT32 -> ARRAY_OF_NULLABLE_FLOAT32;
            case ARRAY_OF_FLOAT64 -> ARRAY_OF_NULLABLE_FLOAT64;
            default -> this;
        };
    }

    int fixedBytes() {
        return fixedBytes;
    }
}
