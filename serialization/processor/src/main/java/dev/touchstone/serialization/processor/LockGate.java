package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.CompactLockException;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.EvolutionRule;
import dev.touchstone.serialization.schema.LockChange;
import dev.touchstone.serialization.schema.LockReport;
import dev.touchstone.serialization.schema.SchemaLock;
import dev.touchstone.serialization.schema.TypeDescriptor;
import dev.touchstone.serialization.schema.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/**
 * Holds the types of a compilation against {@code compact.lock}: one that is not as it was accepted is an error at the type, with the rules that
 * it breaks. Types that are not compiled are left alone, so that a part of a program can be compiled; only where a new type has the fields of
 * one whose class is gone, that is refused as a new name.
 */
final class LockGate {
    static final String LOCK = "touchstone.compact.lock";
    static final String ACCEPT = "touchstone.compact.accept";

    private final Path file;
    private final SchemaLock lock;
    private final boolean isAccepting;
    private final Elements elements;
    private final Map<String, TypeModel> seen = new LinkedHashMap<>();

    private LockGate(Path file, SchemaLock lock, boolean isAccepting, Elements elements) {
        this.file = file;
        this.lock = lock;
        this.isAccepting = isAccepting;
        this.elements = elements;
    }

    /** The gate that the options ask for, or null. @throws IOException if there is a file that can't be read, or is no lock */
    static @Nullable LockGate of(Map<String, String> options, Elements elements) throws IOException {
        String name = options.get(LOCK);
        if (name == null) {
            return null;
        }
        Path file = Path.of(name);
        try {
            SchemaLock lock = Files.exists(file) ? SchemaLock.read(file) : SchemaLock.empty(Compatibility.FULL);
            return new LockGate(file, lock, Boolean.parseBoolean(options.get(ACCEPT)), elements);
        } catch (CompactLockException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Checks a type. */
    void check(TypeModel model) throws Problem {
        String typeName = model.schema().typeName();
        TypeModel other = seen.putIfAbsent(typeName, model);
        if (other != null) {
            throw new Problem(model.element(), "two types of one name: name=" + typeName + " other=" + other.element());
        }
        LockReport report = lock.check(List.of(model.descriptor()), this::isGone);
        boolean isChanged = report.changes().stream().anyMatch(change -> change.kind() != LockChange.Kind.REMOVED_TYPE);
        if (isAccepting || !isChanged) {
            return;
        }
        String broken = report.violations().stream()
                .filter(violation -> violation.rule() != EvolutionRule.TYPE_REMOVED)
                .map(Violation::toString)
                .collect(Collectors.joining("\n  ", "\n  ", ""));
        throw new Problem(
                model.element(),
                "schema is not the accepted one: type=" + typeName + " lock=" + file.getFileName()
                        + (broken.isBlank() ? "; it breaks no rule" : "; it breaks" + broken)
                        + "\n  accept it by compiling once with -A" + ACCEPT + "=true");
    }

    /** Returns whether no class has the name of an accepted type any more. */
    private boolean isGone(TypeDescriptor accepted) {
        String className = accepted.isBare() ? accepted.typeName() : accepted.className();
        TypeElement type = elements.getTypeElement(className.replace('$', '.'));
        return type == null
                || !TypeChecks.isCompact(type)
                || !TypeChecks.typeName(type, elements).equals(accepted.typeName());
    }

    /** Writes the file if that was asked for, with the types as they were that this compilation had nothing of. */
    void finish() throws IOException {
        if (isAccepting) {
            List<TypeDescriptor> descriptors =
                    seen.values().stream().map(TypeModel::descriptor).toList();
            List<String> renamed = lock.check(descriptors, this::isGone).violations().stream()
                    .filter(violation -> violation.rule() == EvolutionRule.TYPE_RENAMED)
                    .map(Violation::typeName)
                    .toList();
            lock.accept(descriptors, type -> renamed.contains(type.typeName())).write(file);
        }
    }
}
