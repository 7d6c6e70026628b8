package dev.touchstone.serialization.processor;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * A component of a record, a field of a class, or the name of an enum's constant; one field of the schema as a rule, two for a map.
 *
 * @param name in the sources
 * @param javaType how the sources name its type
 * @param setter the statement that sets it in a variable {@code value}, with {@code $v} for what it is set to; empty if there is none
 * @param joined makes one expression of those of two fields; of no meaning for one
 * @param missing the value where a record lacks it
 */
record MemberModel(
        String name, String javaType, String setter, List<FieldModel> fields, Conversion joined, Missing missing) {
    /**
     * The value of what is missing.
     *
     * @param stated what the sources say, if they do
     * @param text an expression, with {@code $v} for {@code literal}
     */
    record Missing(Optional<String> stated, String text, String literal) {
        String expression(Imports imports) {
            return imports.resolve(text).replace("$v", literal);
        }
    }

    MemberModel indexed(IntFunction<FieldModel> byOrder, int first) {
        List<FieldModel> found = fields.size() == 1
                ? List.of(byOrder.apply(first))
                : List.of(byOrder.apply(first), byOrder.apply(first + 1));
        return new MemberModel(name, javaType, setter, found, joined, missing);
    }
}
