package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.processor.model.FieldModel;

/** The expressions of one of the generated classes for the fields that it reads. */
interface AccessorSyntax {
    /** The expression that reads the value of a field's kind. */
    String read(FieldModel field);

    /** The expression that says whether a record has a field. */
    String has(FieldModel field);

    /** The schema and the index of a field, as two arguments. */
    String context(FieldModel field);
}
