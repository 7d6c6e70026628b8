package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.schema.FieldKind;
import org.jspecify.annotations.Nullable;

/**
 * How values of a Java type stand in a field.
 *
 * @param nested the type of the records inside, if the kind has such
 */
record FieldType(
        FieldKind kind, Conversion conversion, @Nullable Nested nested) {
    /** A type of records: it, and the class that was generated to write it. */
    record Nested(ClassRef type, ClassRef codec, boolean isSealed) {}

    static FieldType of(FieldKind kind) {
        return new FieldType(kind, Conversion.NONE, null);
    }

    static FieldType of(FieldKind kind, Conversion conversion) {
        return new FieldType(kind, conversion, null);
    }
}
