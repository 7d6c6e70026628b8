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
 * Compares two versions of a type: which changes old or new readers cannot take. Immutable.
 *
 * <p>What decides is what a reader finds in a record of the other schema. The order in which fields are given is no difference. A field
 * that is not there counts as null, so one whose kind may be null can be added and removed; another only where it has a default. A kind
 * with nulls and the same without are read for each other, and a null is then refused. Everything else about a kind must stay.
 *
 * <p>Readers refuse a constant that their enum does not have, a text that is none of their format, and a record of a type that they do not know
 * in a field. Where only the schema of one version is known, this cannot be compared.
 *
 * <p>A field with a new name cannot be told from one that goes and another that comes: where both have a kind that is read as the other's,
 * it counts as a new name and is refused. Who means two changes makes them one after the other.
 */
public final class EvolutionRules {
    private final Compatibility demanded;

    private EvolutionRules(Compatibility demanded) {
        this.demanded = requireNonNull(demanded, "demanded");
    }

    /**
     * Returns the rules of a compatibility.
     *
     * @param demanded whose records must stay readable for whom
     * @return the rules of a compatibility
     */
    public static EvolutionRules of(Compatibility demanded) {
        return new EvolutionRules(demanded);
    }

    /**
     * Returns what the change from one version to another breaks: by field, in the order of names; nothing if all is well.
     *
     * @param before the older version
     * @param after the newer version
     * @return what the change from one version to another breaks
     */
    public List<Violation> check(TypeDescriptor before, TypeDescriptor after) {
        return check(before, after, renamed(before.schema(), after.schema()));
    }

    /** Compares like {@link #check} a version that has others after it: what went since then cannot come again under a new name. */
    List<Violation> checkOlder(TypeDescriptor before, TypeDescriptor after) {
        return check(before, after, Set.of());
    }

    /** Returns what it breaks that a type is gone, perhaps for one of another name with its fields. */
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

    /** A rule that a field breaks, and by what, where kinds do not tell. */
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

    /** A field that only one version has: whoever reads the other's records needs a value for it. */
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
