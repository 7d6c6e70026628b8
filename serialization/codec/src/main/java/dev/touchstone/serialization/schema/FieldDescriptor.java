package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

/** A field of a schema: its name, which may be any string, and its kind. */
public record FieldDescriptor(String name, FieldKind kind) {
    public FieldDescriptor {
        requireNonNull(name, "name");
        requireNonNull(kind, "kind");
    }
}
