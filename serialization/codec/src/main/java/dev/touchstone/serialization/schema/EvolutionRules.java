package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compares two schemas of a type: which changes old or new readers cannot take. Immutable.
 *
 * <p>What decides is what a reader finds in a record of the other schema. The order in which fields are given is no difference. A field
 * that is not there counts as null, so one whose kind may be null can be added and removed; another only where it has a default. A kind
 * with nulls and the same without are read for each other, and a null is then refused. Everything else about a kind must stay.
 *
 * <p>A field with a new name cannot be told from one that goes and another that comes: where both have a kind that is read as the other's,
 * it counts as a new name and is refused. Who means two changes makes them one after the other.
 */
public final class EvolutionRules {
    private final Compatibility demanded;
    private final Predicate<FieldDescriptor> hasDefault;

    private EvolutionRules(Compatibility demanded, Predicate<FieldDescriptor> hasDefault) {
        this.demanded = requireNonNull(demanded, "demanded");
        this.hasDefault = requireNonNull(hasDefault, "hasDefault");
    }

    /** The rules of a compatibility, with null as the only default. */
    public static EvolutionRules of(Compatibility demanded) {
        return new EvolutionRules(demanded, field -> false);
    }

    /** These rules for readers that have values of their own for some fields that are not in a record. */
    public EvolutionRules withDefaults(Predicate<FieldDescriptor> fieldHasDefault) {
        return new EvolutionRules(demanded, fieldHasDefault);
    }

    /** What the change from one schema to another breaks: by field, in the order of names; nothing if all is well. */
    public List<Violation> check(Schema before, Schema after) {
        return check(before, after, renamed(before, after));
    }

    /** As {@link #check} for a schema that has others after it: what went since then cannot come again under a new name. */
    List<Violation> checkOlder(Schema before, Schema after) {
        return check(before, after, Set.of());
    }

    /** What it breaks that a type is gone, perhaps for one of another name with its fields. */
    List<Violation> checkRemoved(Schema before, boolean isRenamed) {
        EvolutionRule rule = isRenamed ? EvolutionRule.TYPE_RENAMED : EvolutionRule.TYPE_REMOVED;
        return rule.appliesTo(demanded) ? List.of(Violation.ofType(rule, before.typeName())) : List.of();
    }

    private List<Violation> check(Schema before, Schema after, Set<FieldKind> renamed) {
        if (!before.typeName().equals(after.typeName())) {
            return checkRemoved(before, true);
        }
        Map<String, Violation> found = new TreeMap<>();
        for (FieldDescriptor field : before.fields()) {
            int index = after.indexOf(field.name());
            Optional<FieldKind> kind = index < 0
                    ? Optional.empty()
                    : Optional.of(after.field(index).kind());
            EvolutionRule rule = index < 0
                    ? missing(field, renamed, EvolutionRule.FIELD_REMOVED)
                    : changed(field.kind(), after.field(index).kind());
            note(found, rule, before.typeName(), field.name(), Optional.of(field.kind()), kind);
        }
        for (FieldDescriptor field : after.fields()) {
            if (before.indexOf(field.name()) < 0) {
                EvolutionRule rule = missing(field, renamed, EvolutionRule.FIELD_ADDED);
                note(found, rule, before.typeName(), field.name(), Optional.empty(), Optional.of(field.kind()));
            }
        }
        return List.copyOf(found.values());
    }

    private void note(
            Map<String, Violation> found,
            @Nullable EvolutionRule rule,
            String typeName,
            String fieldName,
            Optional<FieldKind> oldKind,
            Optional<FieldKind> newKind) {
        if (rule != null && rule.appliesTo(demanded)) {
            found.put(fieldName, new Violation(rule, typeName, fieldName, oldKind, newKind));
        }
    }

    /** The rule that is broken by a field that one of two schemas does not have, or null. */
    private @Nullable EvolutionRule missing(FieldDescriptor field, Set<FieldKind> renamed, EvolutionRule otherwise) {
        if (renamed.contains(field.kind().nullable())) {
            return EvolutionRule.FIELD_RENAMED;
        }
        return !field.kind().isFixed() || hasDefault.test(field) ? null : otherwise;
    }

    private static @Nullable EvolutionRule changed(FieldKind before, FieldKind after) {
        if (before == after) {
            return null;
        }
        if (!before.isReadableAs(after)) {
            return EvolutionRule.FIELD_KIND_CHANGED;
        }
        return after == after.nullable() ? EvolutionRule.NULLS_ALLOWED : EvolutionRule.NULLS_FORBIDDEN;
    }

    /** The kinds, with nulls, of which fields go and others come. */
    private static Set<FieldKind> renamed(Schema before, Schema after) {
        Set<FieldKind> kinds = kindsOnlyIn(before, after);
        kinds.retainAll(kindsOnlyIn(after, before));
        return kinds;
    }

    private static Set<FieldKind> kindsOnlyIn(Schema schema, Schema other) {
        Set<FieldKind> kinds = EnumSet.noneOf(FieldKind.class);
        for (FieldDescriptor field : schema.fields()) {
            if (other.indexOf(field.name()) < 0) {
                kinds.add(field.kind().nullable());
            }
        }
        return kinds;
    }
}
