package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.CompactLockException;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.EvolutionRules;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.LockChange;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holds the schemas of a compilation against {@code compact.lock}: a schema that is not the accepted one of its type is an error at the type,
 * with the rules that it breaks. Types that are not compiled are left alone, so that a part of a program can be compiled.
 */
final class LockGate {
    static final String LOCK = "touchstone.compact.lock";
    static final String ACCEPT = "touchstone.compact.accept";

    private final Path file;
    private final SchemaLock lock;
    private final boolean isAccepting;
    private final Map<String, TypeModel> seen = new LinkedHashMap<>();

    private LockGate(Path file, SchemaLock lock, boolean isAccepting) {
        this.file = file;
        this.lock = lock;
        this.isAccepting = isAccepting;
    }

    /** The gate that the options ask for, or null. @throws IOException if there is a file that can't be read, or is no lock */
    static @Nullable LockGate of(Map<String, String> options) throws IOException {
        String name = options.get(LOCK);
        if (name == null) {
            return null;
        }
        Path file = Path.of(name);
        try {
            SchemaLock lock = Files.exists(file)
                    ? SchemaLock.parse(Files.readString(file))
                    : SchemaLock.empty(Compatibility.FULL);
            return new LockGate(file, lock, Boolean.parseBoolean(options.get(ACCEPT)));
        } catch (CompactLockException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Checks a type. */
    void check(TypeModel model) throws Problem {
        Schema schema = model.schema();
        TypeModel other = seen.putIfAbsent(schema.typeName(), model);
        if (other != null) {
            throw new Problem(
                    model.element(), "two types of one name: name=" + schema.typeName() + " other=" + other.element());
        }
        LockReport report = lock.check(List.of(schema), rules(model));
        boolean isChanged = report.changes().stream().anyMatch(change -> change.kind() != LockChange.Kind.REMOVED_TYPE);
        if (isAccepting || !isChanged) {
            return;
        }
        String broken = report.violations().stream()
                .filter(violation -> violation.typeName().equals(schema.typeName()))
                .map(Violation::toString)
                .collect(Collectors.joining("\n  ", "\n  ", ""));
        throw new Problem(
                model.element(),
                "schema is not the accepted one: type=" + schema.typeName() + " lock=" + file.getFileName()
                        + (broken.isBlank() ? "; it breaks no rule" : "; it breaks" + broken)
                        + "\n  accept it by compiling once with -A" + ACCEPT + "=true");
    }

    private EvolutionRules rules(TypeModel model) {
        Set<String> stated = model.members().stream()
                .filter(member -> member.missing().isStated())
                .flatMap(member -> member.fields().stream())
                .map(FieldModel::name)
                .collect(Collectors.toSet());
        return EvolutionRules.of(lock.compatibility())
                .withDefaults((FieldDescriptor field) -> stated.contains(field.name()));
    }

    /** Writes the file if that was asked for, with the types as they were that this compilation had nothing of. */
    void finish() throws IOException {
        if (!isAccepting) {
            return;
        }
        SchemaLock accepted = lock;
        for (TypeModel model : seen.values()) {
            accepted = accepted.accept(model.schema(), rules(model));
        }
        Files.writeString(file, accepted.text());
    }
}
