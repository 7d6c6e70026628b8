package dev.touchstone.serialization.annotation;

/**
 * How a Java type that has no kind of its own becomes fields that Hazelcast and its clients understand. Each must be asked for, because what
 * is written once must be read for ever. They combine: a list of UUIDs is an array of strings. All values may be null.
 */
public enum Encoding {
    /**
     * {@code List}, {@code Set} and {@code Collection} are an array of their items, and {@code Map a} is the two arrays {@code a!keys} and
     * {@code a!values}, as where Hazelcast takes a class apart itself. They are read as {@code ArrayList}, {@code LinkedHashSet} and
     * {@code LinkedHashMap}, which fields may be declared as, too, and as {@code HashSet} and {@code HashMap}. They cannot be nested.
     */
    COLLECTIONS,

    /** An enum that is not {@link Compact} is STRING, its constant's name. One that nobody has is refused when it is read. */
    ENUM_AS_STRING,

    /** {@code UUID} is STRING: 40 bytes, and readable in a query. */
    UUID_AS_STRING,

    /** {@code UUID} is ARRAY_OF_INT64, of its upper and its lower half: 20 bytes. There are no arrays or collections of it. */
    UUID_AS_INT64S,

    /** {@code char} is INT16 and {@code Character} NULLABLE_INT16, its UTF-16 code unit, as where Hazelcast takes a class apart itself. */
    CHAR_AS_INT16,

    /**
     * {@code Optional} is the field of what it holds, with null for an empty one, which is also what it is where a record lacks the field. It
     * cannot hold arrays, maps or another {@code Optional}.
     */
    OPTIONAL_AS_NULL,

    /** {@code Instant} is TIMESTAMP_WITH_TIMEZONE at UTC. Years of ten digits cannot be written. */
    INSTANT_AS_TIMESTAMP,

    /**
     * {@code Duration}, {@code Period}, {@code Year}, {@code YearMonth}, {@code MonthDay}, {@code OffsetTime}, {@code ZonedDateTime}, {@code
     * ZoneId} and {@code ZoneOffset} are STRING, as {@code toString} writes them.
     */
    TIME_AS_STRING
}
