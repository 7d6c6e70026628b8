package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A breach of a rule by a change of a type.
 *
 * @param rule that is broken
 * @param typeName of the old schema
 * @param fieldName or empty where the rule is about the type
 * @param oldKind of the field, or nothing where the old schema does not have it
 * @param newKind of the field, or nothing where the new schema does not have it
 * @param detail what the rule is broken by, where kinds do not tell; empty where they do
 */
public record Violation(
        EvolutionRule rule,
        String typeName,
        String fieldName,
        Optional<FieldKind> oldKind,
        Optional<FieldKind> newKind,
        String detail) {
    /** Makes a breach; nothing may be null. */
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
