package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules that a change of a type must keep under one compatibility. Immutable.
 *
 * <p>A change is judged by what a reader of one schema finds in a record of the other. The order in which fields are declared makes no difference. A
 * field that a record lacks counts as null: a field whose kind has nulls can be added and removed, and any other field only if it has a default. A
 * kind with nulls and the same kind without them are read as each other, and a null is then refused. Any other change of a kind is a breach.
 *
 * <p>Readers refuse an enum constant that they do not have, a text that is not of their format, and in a field a record of a type that they do not
 * know. Such values are not compared if only the schema of one version is known.
 *
 * <p>A renamed field cannot be told from one field that is removed and another that is added. If both have kinds that are read as each other, the
 * change counts as a renaming and is refused. Two separate changes can be made one after the other.
 */
public final class EvolutionRules {
    private final Compatibility demanded;

    private EvolutionRules(Compatibility demanded) {
        this.demanded = requireNonNull(demanded, "demanded");
    }

    /**
     * Returns the rules of a compatibility.
     *
     * @param demanded compatibility that is demanded of each change, not null
     * @return rules
     */
    public static EvolutionRules of(Compatibility demanded) {
        return new EvolutionRules(demanded);
    }

    /**
     * Returns the breaches of rules by the change from one version of a type to the next.
     *
     * @param before the older version
     * @param after the newer version
     * @return breaches in the order of the names of fields; empty if there are none
     */
    public List<Violation> check(TypeDescriptor before, TypeDescriptor after) {
        return check(before, after, renamed(before.schema(), after.schema()));
    }

    /**
     * Returns the breaches by the change from a version that is not the newest one. Fields that are only in one of the two do not count as renamed.
     */
    List<Violation> checkOlder(TypeDescriptor before, TypeDescriptor after) {
        return check(before, after, Set.of());
    }

    /** Returns the breaches by the removal of a type, or by its renaming if there is a new name. */
    List<Violation> checkRemoved(TypeDescriptor before, Optional<String> newName) {
        EvolutionRule rule = newName.isPresent() ? EvolutionRule.TYPE_RENAMED : EvolutionRule.TYPE_REMOVED;
        String detail = newName.map(name -> "name=" + name).orElse("");
        return rule.appliesTo(demanded) ? List.of(Violation.ofType(rule, before.typeName(), detail)) : List.of();
    }

    private List<Violation> check(TypeDescriptor before, TypeDescriptor after, Set<FieldKind> renamed) {
        if (!before.typeName().equals(after.typeName())) {
            return checkRemoved(before, Optional.of(after.typeName()));
        }
        SortedSet<String> names = new TreeSet<>();
        before.schema().fields().forEach(field -> names.add(field.name()));
        after.schema().fields().forEach(field -> names.add(field.name()));
        List<Violation> found = new ArrayList<>();
        for (String name : names) {
            Optional<FieldKind> old = before.schema().kindOf(name);
            Optional<FieldKind> now = after.schema().kindOf(name);
            for (Breach breach : breaches(before, after, name, renamed)) {
                if (breach.rule().appliesTo(demanded)) {
                    found.add(new Violation(breach.rule(), before.typeName(), name, old, now, breach.detail()));
                }
            }
        }
        return found;
    }

    /** A rule that a field breaks, with a detail where the kinds of the field do not tell the reason. */
    private record Breach(EvolutionRule rule, String detail) {}

    private static List<Breach> breaches(
            TypeDescriptor before, TypeDescriptor after, String name, Set<FieldKind> renamed) {
        FieldKind old = before.schema().kindOf(name).orElse(null);
        FieldKind now = after.schema().kindOf(name).orElse(null);
        if (old == null || now == null) {
            FieldKind kind = requireNonNull(old == null ? now : old);
            TypeDescriptor lacking = old == null ? after : before;
            return missing(kind, renamed, lacking.meaning(name).missing().isPresent(), old == null);
        }
        EvolutionRule rule = changed(old, now);
        if (rule == EvolutionRule.FIELD_KIND_CHANGED) {
            return List.of(new Breach(rule, ""));
        }
        List<Breach> found = new ArrayList<>();
        if (rule != null) {
            found.add(new Breach(rule, ""));
        }
        if (!before.isBare() && !after.isBare()) {
            changed(before.meaning(name), after.meaning(name), found);
        }
        return found;
    }

    /** Returns the breaches of a field that only one version has: a reader of that version needs a value for the field in records of the other. */
    private static List<Breach> missing(FieldKind kind, Set<FieldKind> renamed, boolean hasDefault, boolean isAdded) {
        if (renamed.contains(kind.nullable())) {
            return List.of(new Breach(EvolutionRule.FIELD_RENAMED, ""));
        }
        EvolutionRule rule = isAdded ? EvolutionRule.FIELD_ADDED : EvolutionRule.FIELD_REMOVED;
        return !kind.isFixed() || hasDefault ? List.of() : List.of(new Breach(rule, ""));
    }

    private static void changed(FieldMeaning before, FieldMeaning after, List<Breach> found) {
        String formats = "was=" + shown(before) + " is=" + shown(after);
        if (!before.format().equals(after.format())) {
            EvolutionRule rule = before.isPlain()
                    ? EvolutionRule.VALUES_REMOVED
                    : after.isPlain() ? EvolutionRule.VALUES_ADDED : EvolutionRule.FORMAT_CHANGED;
            found.add(new Breach(rule, formats));
            return;
        }
        List<String> removed = before.without(after);
        if (!removed.isEmpty()) {
            found.add(new Breach(EvolutionRule.VALUES_REMOVED, "values=" + removed));
        }
        List<String> added = after.without(before);
        if (!added.isEmpty()) {
            found.add(new Breach(EvolutionRule.VALUES_ADDED, "values=" + added));
        }
    }

    private static String shown(FieldMeaning meaning) {
        return meaning.isPlain() ? "any" : meaning.format();
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

    /** Returns the kinds, each in its form with nulls, of which the change removes a field and adds another. */
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
