package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.schema.FieldKind;

/**
 * A field of the schema.
 *
 * @param name in the schema
 * @param index in the schema
 * @param constant the name of the constant that holds the index
 * @param accessor the expression for the Java value, of a variable {@code value}
 */
record FieldModel(String name, int index, String constant, String accessor, FieldType type) {
    FieldKind kind() {
        return type.kind();
    }

    FieldModel at(int schemaIndex) {
        return new FieldModel(name, schemaIndex, constant, accessor, type);
    }
}
