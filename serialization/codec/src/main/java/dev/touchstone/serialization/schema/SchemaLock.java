package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The schemas that were accepted for the types of a program, oldest first, and what compatibility is demanded of the next. Immutable: what
 * is to be in a file is made by {@link #accept} and written by whoever was asked for it, never by a check.
 *
 * <p>A new schema is compared with every accepted one of its type, since records of each may still be somewhere, back to the last one that
 * was accepted although it broke a rule. See {@link SchemaLockFormat} for the text.
 */
public final class SchemaLock {
    /** What the file is called, by convention. */
    public static final String FILE_NAME = "compact.lock";

    private final Compatibility compatibility;
    private final SortedMap<String, List<LockedVersion>> types;

    SchemaLock(Compatibility compatibility, SortedMap<String, List<LockedVersion>> types) {
        this.compatibility = requireNonNull(compatibility, "compatibility");
        this.types = Collections.unmodifiableSortedMap(types);
    }

    /** A lock without types. */
    public static SchemaLock empty(Compatibility compatibility) {
        return new SchemaLock(compatibility, new TreeMap<>());
    }

    /** The lock of a text. @throws CompactLockException if it is not exactly what {@link #text} gives; line ends may be of Windows */
    public static SchemaLock parse(String text) {
        return new SchemaLockFormat(text).parse();
    }

    /** What to write to the file. */
    public String text() {
        return SchemaLockFormat.text(this);
    }

    /** What is demanded of a new schema. */
    public Compatibility compatibility() {
        return compatibility;
    }

    /** This lock with another demand. */
    public SchemaLock withCompatibility(Compatibility demanded) {
        return new SchemaLock(demanded, types);
    }

    /** The accepted versions of each type, oldest first; types by name. */
    public SortedMap<String, List<LockedVersion>> types() {
        return types;
    }

    /**
     * How schemas differ from the accepted ones.
     *
     * @param current all schemas of the program, one for each type
     * @throws IllegalArgumentException if there are two for a type
     */
    public LockReport check(Collection<Schema> current) {
        return check(current, EvolutionRules.of(compatibility));
    }

    /** As {@link #check(Collection)} by rules that know of defaults. */
    public LockReport check(Collection<Schema> current, EvolutionRules rules) {
        SortedMap<String, Schema> byName = byName(current);
        List<Violation> violations = new ArrayList<>();
        List<LockChange> changes = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>(types.keySet());
        names.addAll(byName.keySet());
        for (String name : names.stream().sorted().toList()) {
            List<LockedVersion> accepted = types.getOrDefault(name, List.of());
            Schema schema = byName.get(name);
            LockChange.Kind kind = kind(accepted, schema);
            if (kind != null) {
                changes.add(new LockChange(kind, schema == null ? newest(accepted) : schema));
                violations.addAll(
                        schema == null
                                ? rules.checkRemoved(newest(accepted), isRenamed(newest(accepted), byName))
                                : violations(accepted, schema, rules));
            }
        }
        return new LockReport(violations, changes);
    }

    /**
     * This lock with schemas as the accepted ones, whatever they break: types that it does not have yet, new versions of others, and without
     * the types that are gone.
     *
     * @param current all schemas of the program, one for each type
     * @throws IllegalArgumentException if there are two for a type
     */
    public SchemaLock accept(Collection<Schema> current) {
        return accept(current, EvolutionRules.of(compatibility));
    }

    /** As {@link #accept(Collection)} by rules that know of defaults. */
    public SchemaLock accept(Collection<Schema> current, EvolutionRules rules) {
        SortedMap<String, List<LockedVersion>> accepted = new TreeMap<>();
        byName(current).forEach((name, schema) -> accepted.put(name, accepted(schema, rules)));
        return new SchemaLock(compatibility, accepted);
    }

    /**
     * Returns this lock with a schema as the accepted one of its type, whatever it breaks; other types stay.
     *
     * @param schema the newest schema of its type
     * @param rules rules that know of the type's defaults
     * @return the lock
     */
    public SchemaLock accept(Schema schema, EvolutionRules rules) {
        SortedMap<String, List<LockedVersion>> accepted = new TreeMap<>(types);
        accepted.put(schema.typeName(), accepted(schema, rules));
        return new SchemaLock(compatibility, accepted);
    }

    private List<LockedVersion> accepted(Schema schema, EvolutionRules rules) {
        List<LockedVersion> versions = new ArrayList<>(types.getOrDefault(schema.typeName(), List.of()));
        if (kind(versions, schema) != null) {
            boolean isBreaking = !violations(versions, schema, rules).isEmpty();
            versions.add(new LockedVersion(schema, isBreaking));
        }
        return List.copyOf(versions);
    }

    private static LockChange.@Nullable Kind kind(List<LockedVersion> accepted, @Nullable Schema schema) {
        if (schema == null) {
            return LockChange.Kind.REMOVED_TYPE;
        }
        if (accepted.isEmpty()) {
            return LockChange.Kind.NEW_TYPE;
        }
        return newest(accepted).equals(schema) ? null : LockChange.Kind.NEW_VERSION;
    }

    private static Schema newest(List<LockedVersion> accepted) {
        return accepted.get(accepted.size() - 1).schema();
    }

    /** From the newest version back to the last breaking one. */
    private static Set<Violation> violations(List<LockedVersion> accepted, Schema schema, EvolutionRules rules) {
        Set<Violation> found = new LinkedHashSet<>();
        for (int i = accepted.size() - 1; i >= 0; i--) {
            LockedVersion version = accepted.get(i);
            boolean isNewest = i == accepted.size() - 1;
            found.addAll(isNewest ? rules.check(version.schema(), schema) : rules.checkOlder(version.schema(), schema));
            if (version.isBreaking()) {
                break;
            }
        }
        return found;
    }

    /** Whether a type that the lock does not have has the fields of one that is gone. */
    private boolean isRenamed(Schema gone, Map<String, Schema> current) {
        return current.values().stream()
                .anyMatch(schema ->
                        !types.containsKey(schema.typeName()) && schema.fields().equals(gone.fields()));
    }

    private static SortedMap<String, Schema> byName(Collection<Schema> schemas) {
        SortedMap<String, Schema> byName = new TreeMap<>();
        for (Schema schema : schemas) {
            Schema other = byName.putIfAbsent(schema.typeName(), schema);
            if (other != null && !other.equals(schema)) {
                throw new IllegalArgumentException("two schemas of a type: " + other + " " + schema);
            }
        }
        return byName;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SchemaLock lock && compatibility == lock.compatibility && types.equals(lock.types);
    }

    @Override
    public int hashCode() {
        return types.hashCode();
    }

    @Override
    public String toString() {
        return "compatibility=" + compatibility + " types=" + types.keySet();
    }
}
