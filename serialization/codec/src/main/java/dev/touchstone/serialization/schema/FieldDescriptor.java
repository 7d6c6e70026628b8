package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

/**
 * A field of a schema.
 *
 * @param name name of the field, which may be any string, not null
 * @param kind kind of the field, not null
 */
public record FieldDescriptor(String name, FieldKind kind) {
    /** Creates a descriptor of a field. */
    public FieldDescriptor {
        requireNonNull(name, "name");
        requireNonNull(kind, "kind");
    }
}
