package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

/**
 * A difference between a program's types and the accepted ones.
 *
 * @param kind of the difference
 * @param schema that the program has, or the newest accepted one of a type that it no longer has
 */
public record LockChange(Kind kind, Schema schema) {
    public LockChange {
        requireNonNull(kind, "kind");
        requireNonNull(schema, "schema");
    }

    @Override
    public String toString() {
        return kind + ": type=" + schema.typeName() + " id=" + Long.toHexString(schema.id());
    }

    /** Kinds of differences. */
    public enum Kind {
        /** The type is not in the lock. */
        NEW_TYPE,
        /** The type's newest accepted schema is another. */
        NEW_VERSION,
        /** The schema is the accepted one; the class, or what its fields mean, was not known. */
        NEW_DETAILS,
        /** The type is in the lock only. */
        REMOVED_TYPE
    }
}
