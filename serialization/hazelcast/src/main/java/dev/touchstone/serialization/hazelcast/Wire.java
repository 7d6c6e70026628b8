package dev.touchstone.serialization.hazelcast;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/**
 * What a client sends to members, and the numbers by which they know it, which must never change.
 *
 * <pre>
 *   predicate    name of the field: string | number of the condition: int8 | what it compares with
 *   projection   nothing
 *   string       length in bytes: int32 | UTF-8
 *
 *   1  equal to a text        string
 *   2  text between           from: string  | to: string
 *   3  integer between        from: int64   | to: int64
 *   4  number between         from: float64 | to: float64
 *   5  equal to a boolean     int8
 * </pre>
 *
 * <p>All numbers are in the byte order of the cluster, big-endian as a rule. In front stands what Hazelcast puts before each object with a
 * factory: the numbers of the factory and of the class.
 */
final class Wire {
    /** Hazelcast's own are negative. */
    static final int FACTORY = 0x746f7563;

    static final int FIELD_PREDICATE = 1;
    static final int VALUE_BYTES = 2;

    private Wire() {}

    static IdentifiedDataSerializable create(int id) {
        return switch (id) {
            case FIELD_PREDICATE -> new FieldPredicate<>();
            case VALUE_BYTES -> new ValueBytes<>();
            default -> throw new IllegalArgumentException("unknown class: factory=" + FACTORY + " id=" + id);
        };
    }
}
