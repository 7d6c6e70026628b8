package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import org.jspecify.annotations.Nullable;

/**
 * The form that values of a Java type have in a field.
 *
 * @param nested the type of the records inside, if the kind has such
 * @param meaning of the values
 */
record FieldType(
        FieldKind kind, Conversion conversion, @Nullable Nested nested, FieldMeaning meaning) {
    /** A type of records: it, and the class that was generated to write it. */
    record Nested(ClassRef type, ClassRef codec, boolean isSealed) {}

    static FieldType of(FieldKind kind) {
        return of(kind, Conversion.NONE, FieldMeaning.PLAIN);
    }

    static FieldType of(FieldKind kind, Conversion conversion, FieldMeaning meaning) {
        return new FieldType(kind, conversion, null, meaning);
    }
}
