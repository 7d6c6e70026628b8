package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.exception.CompactLockException;
import dev.touchstone.serialization.processor.model.TypeModel;
import dev.touchstone.serialization.schema.Compatibility;
import dev.touchstone.serialization.schema.EvolutionRule;
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
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import org.jspecify.annotations.Nullable;

/**
 * A check of the types of a compilation against {@code compact.lock}: a type that is not as it was accepted is an error, with the rules that
 * the change breaks. Accepted types that are not compiled stay as they are, so that a part of a program can be compiled. A new type whose
 * fields are those of a type that has lost its class is refused as a renamed one.
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
        if (!options.containsKey(LOCK)) {
            return null;
        }
        String name = options.get(LOCK);
        String accept = options.getOrDefault(ACCEPT, "false");
        if (name == null || name.isBlank()) {
            throw new IOException("the option has no path: option=" + LOCK);
        }
        if (accept == null || !Set.of("true", "false").contains(accept)) {
            throw new IOException("neither true nor false: option=" + ACCEPT + " value=" + accept);
        }
        Path file = Path.of(name);
        try {
            SchemaLock lock = Files.exists(file) ? SchemaLock.read(file) : SchemaLock.empty(Compatibility.FULL);
            return new LockGate(file, lock, accept.equals("true"), elements);
        } catch (CompactLockException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Takes a type, to be judged with all others at the end. */
    void add(TypeModel model) throws Problem {
        String typeName = model.schema().typeName();
        TypeModel other = seen.putIfAbsent(typeName, model);
        if (other != null) {
            throw new Problem(model.element(), "two types of one name: name=" + typeName + " other=" + other.element());
        }
    }

    /**
     * Ends the compilation: says what is not accepted, or writes the file if that was asked for, with the types as they were that this
     * compilation had nothing of.
     *
     * @param isSound whether there was no error so far; if there was one, nothing is written
     */
    void finish(boolean isSound, Consumer<Problem> problems) throws IOException {
        if (!isAccepting) {
            seen.values().forEach(model -> check(model, problems));
        } else if (isSound) {
            List<TypeDescriptor> descriptors =
                    seen.values().stream().map(TypeModel::descriptor).toList();
            Set<String> renamed = lock.check(descriptors, this::isGone).violations().stream()
                    .filter(violation -> violation.rule() == EvolutionRule.TYPE_RENAMED)
                    .map(Violation::typeName)
                    .collect(Collectors.toSet());
            lock.accept(descriptors, type -> renamed.contains(type.typeName())).write(file);
        }
    }

    private void check(TypeModel model, Consumer<Problem> problems) {
        String typeName = model.schema().typeName();
        LockReport report = lock.check(List.of(model.descriptor()), this::isGone);
        if (report.changes().stream()
                .noneMatch(change -> change.schema().typeName().equals(typeName))) {
            return;
        }
        String broken = report.violations().stream()
                .filter(violation ->
                        violation.rule() != EvolutionRule.TYPE_REMOVED) // a compiler may see a part of the program
                .map(Violation::toString)
                .collect(Collectors.joining("\n  ", "\n  ", ""));
        problems.accept(new Problem(
                model.element(),
                "schema is not the accepted one: type=" + typeName + " lock=" + file.getFileName()
                        + (broken.isBlank() ? "; it breaks no rule" : "; it breaks" + broken)
                        + "\n  accept it by compiling once with -A" + ACCEPT + "=true"));
    }

    /** Returns whether an accepted type is none any more: its class has another name for it, or is gone from a package that is compiled. */
    private boolean isGone(TypeDescriptor accepted) {
        if (seen.containsKey(accepted.typeName())) {
            return false;
        }
        String className = accepted.isBare() ? accepted.typeName() : accepted.className();
        TypeElement type = elements.getTypeElement(className);
        if (type == null) {
            type = elements.getTypeElement(className.replace('$', '.'));
        }
        if (type != null) {
            return !TypeChecks.isCompact(type)
                    || !TypeChecks.typeName(type, elements).equals(accepted.typeName());
        }
        String packageName = className.substring(0, Math.max(0, className.lastIndexOf('.')));
        return seen.values().stream()
                .anyMatch(model -> model.type().packageName().equals(packageName));
    }
}
