package dev.touchstone.serialization.processor.model;

import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * A component of a record, a field of a class, or the name of an enum's constant; one field of the schema as a rule, two for a map.
 *
 * @param name in the sources
 * @param javaType how the sources name its type
 * @param setter the statement that sets it in a variable {@code javaValue}, with {@code #v} for what it is set to; empty if there is none
 * @param fields one or two
 * @param joined makes one expression of those of two fields; of no meaning for one
 * @param missing the value where a record lacks it
 */
public record MemberModel(
        String name, String javaType, String setter, List<FieldModel> fields, Conversion joined, Missing missing) {
    /**
     * The value of what is missing.
     *
     * @param stated what the sources say, if they do
     * @param text an expression, with {@code #v} for {@code literal}
     * @param literal a constant in sources
     */
    public record Missing(Optional<String> stated, String text, String literal) {
        /** Returns the expression, with its classes as a file names them. */
        public String expression(UnaryOperator<String> resolve) {
            return resolve.apply(text).replace("#v", literal);
        }
    }

    /** Returns this member with its fields as they are found by their place among all, from that of the first on. */
    public MemberModel indexed(IntFunction<FieldModel> byOrder, int first) {
        List<FieldModel> found = fields.size() == 1
                ? List.of(byOrder.apply(first))
                : List.of(byOrder.apply(first), byOrder.apply(first + 1));
        return new MemberModel(name, javaType, setter, found, joined, missing);
    }
}
