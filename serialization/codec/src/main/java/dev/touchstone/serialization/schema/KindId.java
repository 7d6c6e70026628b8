package dev.touchstone.serialization.schema;

/**
 * The numbers that stand for the kinds of fields in the fingerprint of a schema. The number of an array is that of its items plus one. Compact does
 * not use the numbers 5, 6, 31 and 32. {@link FieldKind} describes the values of each kind.
 */
public final class KindId {
    /** No kind: the record does not have the field. */
    public static final byte NONE = 0;

    /** Number of {@link FieldKind#BOOLEAN}. */
    public static final byte BOOLEAN = 1;

    /** Number of {@link FieldKind#ARRAY_OF_BOOLEAN}. */
    public static final byte ARRAY_OF_BOOLEAN = 2;

    /** Number of {@link FieldKind#INT8}. */
    public static final byte INT8 = 3;

    /** Number of {@link FieldKind#ARRAY_OF_INT8}. */
    public static final byte ARRAY_OF_INT8 = 4;

    /** Number of {@link FieldKind#INT16}. */
    public static final byte INT16 = 7;

    /** Number of {@link FieldKind#ARRAY_OF_INT16}. */
    public static final byte ARRAY_OF_INT16 = 8;

    /** Number of {@link FieldKind#INT32}. */
    public static final byte INT32 = 9;

    /** Number of {@link FieldKind#ARRAY_OF_INT32}. */
    public static final byte ARRAY_OF_INT32 = 10;

    /** Number of {@link FieldKind#INT64}. */
    public static final byte INT64 = 11;

    /** Number of {@link FieldKind#ARRAY_OF_INT64}. */
    public static final byte ARRAY_OF_INT64 = 12;

    /** Number of {@link FieldKind#FLOAT32}. */
    public static final byte FLOAT32 = 13;

    /** Number of {@link FieldKind#ARRAY_OF_FLOAT32}. */
    public static final byte ARRAY_OF_FLOAT32 = 14;

    /** Number of {@link FieldKind#FLOAT64}. */
    public static final byte FLOAT64 = 15;

    /** Number of {@link FieldKind#ARRAY_OF_FLOAT64}. */
    public static final byte ARRAY_OF_FLOAT64 = 16;

    /** Number of {@link FieldKind#STRING}. */
    public static final byte STRING = 17;

    /** Number of {@link FieldKind#ARRAY_OF_STRING}. */
    public static final byte ARRAY_OF_STRING = 18;

    /** Number of {@link FieldKind#DECIMAL}. */
    public static final byte DECIMAL = 19;

    /** Number of {@link FieldKind#ARRAY_OF_DECIMAL}. */
    public static final byte ARRAY_OF_DECIMAL = 20;

    /** Number of {@link FieldKind#TIME}. */
    public static final byte TIME = 21;

    /** Number of {@link FieldKind#ARRAY_OF_TIME}. */
    public static final byte ARRAY_OF_TIME = 22;

    /** Number of {@link FieldKind#DATE}. */
    public static final byte DATE = 23;

    /** Number of {@link FieldKind#ARRAY_OF_DATE}. */
    public static final byte ARRAY_OF_DATE = 24;

    /** Number of {@link FieldKind#TIMESTAMP}. */
    public static final byte TIMESTAMP = 25;

    /** Number of {@link FieldKind#ARRAY_OF_TIMESTAMP}. */
    public static final byte ARRAY_OF_TIMESTAMP = 26;

    /** Number of {@link FieldKind#TIMESTAMP_WITH_TIMEZONE}. */
    public static final byte TIMESTAMP_WITH_TIMEZONE = 27;

    /** Number of {@link FieldKind#ARRAY_OF_TIMESTAMP_WITH_TIMEZONE}. */
    public static final byte ARRAY_OF_TIMESTAMP_WITH_TIMEZONE = 28;

    /** Number of {@link FieldKind#COMPACT}. */
    public static final byte COMPACT = 29;

    /** Number of {@link FieldKind#ARRAY_OF_COMPACT}. */
    public static final byte ARRAY_OF_COMPACT = 30;

    /** Number of {@link FieldKind#NULLABLE_BOOLEAN}. */
    public static final byte NULLABLE_BOOLEAN = 33;

    /** Number of {@link FieldKind#ARRAY_OF_NULLABLE_BOOLEAN}. */
    public static final byte ARRAY_OF_NULLABLE_BOOLEAN = 34;

    /** Number of {@link FieldKind#NULLABLE_INT8}. */
    public static final byte NULLABLE_INT8 = 35;

    /** Number of {@link FieldKind#ARRAY_OF_NULLABLE_INT8}. */
    public static final byte ARRAY_OF_NULLABLE_INT8 = 36;

    /** Number of {@link FieldKind#NULLABLE_INT16}. */
    public static final byte NULLABLE_INT16 = 37;

    /** Number of {@link FieldKind#ARRAY_OF_NULLABLE_INT16}. */
    public static final byte ARRAY_OF_NULLABLE_INT16 = 38;

    /** Number of {@link FieldKind#NULLABLE_INT32}. */
    public static final byte NULLABLE_INT32 = 39;

    /** Number of {@link FieldKind#ARRAY_OF_NULLABLE_INT32}. */
    public static final byte ARRAY_OF_NULLABLE_INT32 = 40;

    /** Number of {@link FieldKind#NULLABLE_INT64}. */
    public static final byte NULLABLE_INT64 = 41;

    /** Number of {@link FieldKind#ARRAY_OF_NULLABLE_INT64}. */
    public static final byte ARRAY_OF_NULLABLE_INT64 = 42;

    /** Number of {@link FieldKind#NULLABLE_FLOAT32}. */
    public static final byte NULLABLE_FLOAT32 = 43;

    /** Number of {@link FieldKind#ARRAY_OF_NULLABLE_FLOAT32}. */
    public static final byte ARRAY_OF_NULLABLE_FLOAT32 = 44;

    /** Number of {@link FieldKind#NULLABLE_FLOAT64}. */
    public static final byte NULLABLE_FLOAT64 = 45;

    /** Number of {@link FieldKind#ARRAY_OF_NULLABLE_FLOAT64}. */
    public static final byte ARRAY_OF_NULLABLE_FLOAT64 = 46;

    private KindId() {}
}
