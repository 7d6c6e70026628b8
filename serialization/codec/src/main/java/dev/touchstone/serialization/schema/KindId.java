package dev.touchstone.serialization.schema;

/** The numbers that stand for field kinds in a fingerprint; an array's is its items' plus one. 5, 6, 31 and 32 are not Compact's. */
public final class KindId {
    /** No kind: the field is not there. */
    public static final byte NONE = 0;

    public static final byte BOOLEAN = 1;
    public static final byte ARRAY_OF_BOOLEAN = 2;
    public static final byte INT8 = 3;
    public static final byte ARRAY_OF_INT8 = 4;
    public static final byte INT16 = 7;
    public static final byte ARRAY_OF_INT16 = 8;
    public static final byte INT32 = 9;
    public static final byte ARRAY_OF_INT32 = 10;
    public static final byte INT64 = 11;
    public static final byte ARRAY_OF_INT64 = 12;
    public static final byte FLOAT32 = 13;
    public static final byte ARRAY_OF_FLOAT32 = 14;
    public static final byte FLOAT64 = 15;
    public static final byte ARRAY_OF_FLOAT64 = 16;
    public static final byte STRING = 17;
    public static final byte ARRAY_OF_STRING = 18;
    public static final byte DECIMAL = 19;
    public static final byte ARRAY_OF_DECIMAL = 20;
    public static final byte TIME = 21;
    public static final byte ARRAY_OF_TIME = 22;
    public static final byte DATE = 23;
    public static final byte ARRAY_OF_DATE = 24;
    public static final byte TIMESTAMP = 25;
    public static final byte ARRAY_OF_TIMESTAMP = 26;
    public static final byte TIMESTAMP_WITH_TIMEZONE = 27;
    public static final byte ARRAY_OF_TIMESTAMP_WITH_TIMEZONE = 28;
    public static final byte COMPACT = 29;
    public static final byte ARRAY_OF_COMPACT = 30;
    public static final byte NULLABLE_BOOLEAN = 33;
    public static final byte ARRAY_OF_NULLABLE_BOOLEAN = 34;
    public static final byte NULLABLE_INT8 = 35;
    public static final byte ARRAY_OF_NULLABLE_INT8 = 36;
    public static final byte NULLABLE_INT16 = 37;
    public static final byte ARRAY_OF_NULLABLE_INT16 = 38;
    public static final byte NULLABLE_INT32 = 39;
    public static final byte ARRAY_OF_NULLABLE_INT32 = 40;
    public static final byte NULLABLE_INT64 = 41;
    public static final byte ARRAY_OF_NULLABLE_INT64 = 42;
    public static final byte NULLABLE_FLOAT32 = 43;
    public static final byte ARRAY_OF_NULLABLE_FLOAT32 = 44;
    public static final byte NULLABLE_FLOAT64 = 45;
    public static final byte ARRAY_OF_NULLABLE_FLOAT64 = 46;

    private KindId() {}
}
