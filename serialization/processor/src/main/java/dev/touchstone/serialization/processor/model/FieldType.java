package dev.touchstone.serialization.processor.model;

import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import org.jspecify.annotations.Nullable;

/**
 * The form that values of a Java type have in a field.
 *
 * @param kind in the schema
 * @param conversion of a Java value to one of the kind, and back
 * @param nested the type of the records inside, if the kind has such
 * @param meaning of the values
 */
public record FieldType(
        FieldKind kind, Conversion conversion, @Nullable Nested nested, FieldMeaning meaning) {
    /**
     * A type of records.
     *
     * @param type its class
     * @param codec the class that is generated to write it
     * @param isSealed whether the records are of several types
     */
    public record Nested(ClassRef type, ClassRef codec, boolean isSealed) {}

    /** Returns the type of values that are those of the kind. */
    public static FieldType of(FieldKind kind) {
        return of(kind, Conversion.NONE, FieldMeaning.PLAIN);
    }

    /** Returns the type of values that a conversion makes those of the kind. */
    public static FieldType of(FieldKind kind, Conversion conversion, FieldMeaning meaning) {
        return new FieldType(kind, conversion, null, meaning);
    }
}
