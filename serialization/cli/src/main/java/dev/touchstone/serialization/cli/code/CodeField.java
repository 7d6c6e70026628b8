package dev.touchstone.serialization.cli.code;

import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import java.util.List;
import java.util.Optional;

/**
 * A field of a type, with its names in the generated code.
 *
 * @param descriptor name and kind in the schema
 * @param meaning what the lock tells of its values
 * @param attribute name in the class
 * @param constants enum of the field's values, if the lock knows them
 * @param records names of the classes of the field's records; empty if the lock does not know all of them
 */
record CodeField(
        FieldDescriptor descriptor,
        FieldMeaning meaning,
        String attribute,
        Optional<CodeEnum> constants,
        List<String> records) {
    String name() {
        return descriptor.name();
    }

    FieldKind kind() {
        return descriptor.kind();
    }

    /** Returns the kind of one value: of the field, or of an item of its array. */
    FieldKind itemKind() {
        FieldKind kind = kind();
        return kind.isArray() ? FieldKind.ofId(kind.id() - 1).orElseThrow() : kind;
    }
}
