package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

/**
 * A difference between the types of a program and the accepted ones.
 *
 * @param kind kind of the difference, not null
 * @param schema schema of the type in the program, or the newest accepted one if the program no longer has the type; not null
 */
public record LockChange(Kind kind, Schema schema) {
    /** Creates a difference. */
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
        /** The program has a type that is not in the lock. */
        NEW_TYPE,
        /** The schema or the meanings of the fields are not those of the newest accepted version of the type. */
        NEW_VERSION,
        /**
         * The schema is the newest accepted one, but the lock does not know the class of the type, or the meanings of its fields, as they are now.
         */
        NEW_DETAILS,
        /** The lock has a type that the program does not have. */
        REMOVED_TYPE
    }
}
