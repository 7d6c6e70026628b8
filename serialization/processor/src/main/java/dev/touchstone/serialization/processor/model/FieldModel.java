package dev.touchstone.serialization.processor.model;

import dev.touchstone.serialization.schema.FieldKind;

/**
 * A field of the schema.
 *
 * @param name in the schema
 * @param index in the schema
 * @param constant the name of the constant that holds the index
 * @param accessor the expression for the Java value, of a variable {@code javaValue}
 * @param type the form of the values
 */
public record FieldModel(String name, int index, String constant, String accessor, FieldType type) {
    /** Returns the kind in the schema. */
    public FieldKind kind() {
        return type.kind();
    }

    /** Returns this field at an index of the schema. */
    public FieldModel at(int schemaIndex) {
        return new FieldModel(name, schemaIndex, constant, accessor, type);
    }
}
