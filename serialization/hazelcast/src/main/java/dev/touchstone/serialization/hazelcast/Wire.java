package dev.touchstone.serialization.hazelcast;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/**
 * The objects that instances send to each other, and the numbers by which they know them, which must never change. {@link PredicateFormat} has
 * the form of a predicate; the others have no content. In front stands what Hazelcast puts before each object with a factory: the numbers of
 * the factory and of the class.
 */
final class Wire {
    /** Hazelcast's own are negative. */
    static final int FACTORY = 0x746f7563;

    // 1 was a predicate with one condition and no version; it must not be used again.
    static final int VALUE_BYTES = 2;
    static final int FIELD_PREDICATE = 3;
    // 4 was a projection whose answers had keys as objects; it must not be used again.
    static final int ENTRY_BYTES = 5;

    private Wire() {}

    /** Returns an object to be read into. @throws PredicateFormatException if there is none with the number */
    static IdentifiedDataSerializable create(int id) {
        return switch (id) {
            case VALUE_BYTES -> new ValueBytes<>();
            case FIELD_PREDICATE -> new FieldPredicate<>();
            case ENTRY_BYTES -> new EntryBytes<>();
            default ->
                throw new PredicateFormatException(
                        "unknown class: factory=" + FACTORY + " id=" + id
                                + "; the members must have the newer release of serialization-hazelcast",
                        null);
        };
    }
}
