package dev.touchstone.serialization.annotation;

/**
 * Encodings of Java types that have no kind of field of their own as fields that Hazelcast and its clients understand. Each encoding must be asked
 * for, because records that were written once must stay readable. Encodings can be combined: a list of UUIDs is an array of strings. All values may
 * be null.
 */
public enum Encoding {
    /**
     * {@code List}, {@code Set} and {@code Collection} are an array of their items. A {@code Map} named {@code a} is two arrays, {@code a!keys} and
     * {@code a!values}, as in records that Hazelcast makes by reflection. Collections are read as {@code ArrayList}, {@code LinkedHashSet} and {@code
     * LinkedHashMap}. Fields may be declared as these types too, and as {@code HashSet} and {@code HashMap}. Collections cannot be nested.
     */
    COLLECTIONS,

    /** An enum that is not {@link Compact} is STRING, the name of the constant. An unknown name is refused when it is read. */
    ENUM_AS_STRING,

    /** {@code UUID} is STRING, in 40 bytes, which queries can use. */
    UUID_AS_STRING,

    /**
     * {@code UUID} is ARRAY_OF_INT64 of the most and the least significant half, in 20 bytes. Arrays and collections of such UUIDs are not supported.
     */
    UUID_AS_INT64S,

    /** {@code char} is INT16 and {@code Character} is NULLABLE_INT16, the UTF-16 code unit, as in records that Hazelcast makes by reflection. */
    CHAR_AS_INT16,

    /**
     * {@code Optional} is a field of the type that it holds, with null for an empty {@code Optional}. A field that a record lacks is read as an empty
     * {@code Optional}. The type cannot be an array, a map or another {@code Optional}.
     */
    OPTIONAL_AS_NULL,

    /** {@code Instant} is TIMESTAMP_WITH_TIMEZONE at UTC. Years of ten digits cannot be written. */
    INSTANT_AS_TIMESTAMP,

    /**
     * {@code Duration}, {@code Period}, {@code Year}, {@code YearMonth}, {@code MonthDay}, {@code OffsetTime}, {@code ZonedDateTime}, {@code ZoneId}
     * and {@code ZoneOffset} are STRING, the text that {@code toString} returns.
     */
    TIME_AS_STRING
}
