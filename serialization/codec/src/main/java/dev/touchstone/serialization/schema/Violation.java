package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A breach of a rule by a change of a type. No component is null.
 *
 * @param rule rule that is broken
 * @param typeName name of the type in the old schema
 * @param fieldName name of the field, or empty if the rule is about the type
 * @param oldKind kind of the field in the old schema, or nothing if that has no such field
 * @param newKind kind of the field in the new schema, or nothing if that has no such field
 * @param detail reason of the breach where the kinds do not tell it, else empty
 */
public record Violation(
        EvolutionRule rule,
        String typeName,
        String fieldName,
        Optional<FieldKind> oldKind,
        Optional<FieldKind> newKind,
        String detail) {
    /** Creates a violation. */
    public Violation {
        requireNonNull(rule, "rule");
        requireNonNull(typeName, "typeName");
        requireNonNull(fieldName, "fieldName");
        requireNonNull(oldKind, "oldKind");
        requireNonNull(newKind, "newKind");
        requireNonNull(detail, "detail");
    }

    static Violation ofType(EvolutionRule rule, String typeName, String detail) {
        return new Violation(rule, typeName, "", Optional.empty(), Optional.empty(), detail);
    }

    @Override
    public String toString() {
        return rule + ": type=" + typeName + " field=" + fieldName + " old=" + text(oldKind) + " new=" + text(newKind)
                + (detail.isEmpty() ? "" : " " + detail) + " (" + rule.reason() + ")";
    }

    private static String text(Optional<FieldKind> kind) {
        return kind.map(FieldKind::name).orElse("none");
    }
}
