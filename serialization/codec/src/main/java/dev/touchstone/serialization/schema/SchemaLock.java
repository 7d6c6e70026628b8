package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.exception.CompactLockException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The accepted versions of the types of a program, oldest first, and the compatibility that is demanded of the next version. Immutable: {@link
 * #accept} makes a new lock, and only {@link #write} changes a file.
 *
 * <p>A new version is compared with the accepted versions of its type, since records of each may still be stored, from the newest back to the last
 * one that was accepted although it broke a rule. See {@link SchemaLockFormat} for the text.
 */
public final class SchemaLock {
    /** Conventional name of the file. */
    public static final String FILE_NAME = "compact.lock";
    /** First line of the file. */
    public static final String START = SchemaLockFormat.COMMENT;
    /** Maximum length of a file that {@link #read} accepts, in bytes. */
    public static final int MAX_BYTES = 8 << 20;

    private final Compatibility compatibility;
    private final SortedMap<String, List<LockedVersion>> types;
    private final EvolutionRules rules;

    SchemaLock(Compatibility compatibility, SortedMap<String, List<LockedVersion>> types) {
        this.compatibility = requireNonNull(compatibility, "compatibility");
        this.types = Collections.unmodifiableSortedMap(types);
        rules = EvolutionRules.of(compatibility);
    }

    /**
     * Returns a lock without types.
     *
     * @param compatibility compatibility that is demanded of new versions, not null
     * @return lock
     */
    public static SchemaLock empty(Compatibility compatibility) {
        return new SchemaLock(compatibility, new TreeMap<>());
    }

    /**
     * Parses the text of a lock.
     *
     * @param text the whole text of a file
     * @return lock
     * @throws CompactLockException if the text is not exactly what {@link #text} returns, apart from line ends of Windows and the older format 1
     */
    public static SchemaLock parse(String text) {
        return new SchemaLockFormat(text).parse();
    }

    /**
     * Reads a lock from a file.
     *
     * @param file path of the file
     * @return lock
     * @throws IOException if the file cannot be read, is larger than {@link #MAX_BYTES}, or is not UTF-8
     * @throws CompactLockException if the text of the file is not that of a lock; the message names the file
     */
    public static SchemaLock read(Path file) throws IOException {
        long bytes = Files.size(file);
        if (bytes > MAX_BYTES) {
            throw new IOException("lock is too large: file=" + file + " bytes=" + bytes + " max=" + MAX_BYTES);
        }
        String text = Files.readString(file);
        try {
            return parse(text);
        } catch (CompactLockException e) {
            throw new CompactLockException(file, e);
        }
    }

    /**
     * Writes this lock to a file, completely or not at all.
     *
     * @param file path of the file
     * @throws IOException if the file cannot be written
     */
    public void write(Path file) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file;
        Path temporary = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try {
            Files.writeString(temporary, text(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            PosixFileAttributeView modes = Files.getFileAttributeView(target, PosixFileAttributeView.class);
            if (modes != null && Files.exists(target)) {
                Files.setPosixFilePermissions(temporary, modes.readAttributes().permissions());
            }
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /**
     * Returns the text of this lock as it stands in a file.
     *
     * @return text, with a line end behind the last line
     */
    public String text() {
        return SchemaLockFormat.text(this);
    }

    /**
     * Returns the compatibility that is demanded of a new version.
     *
     * @return compatibility
     */
    public Compatibility compatibility() {
        return compatibility;
    }

    /**
     * Returns this lock with another demand.
     *
     * @param demanded compatibility that is demanded of new versions, not null
     * @return lock
     */
    public SchemaLock withCompatibility(Compatibility demanded) {
        return new SchemaLock(demanded, types);
    }

    /**
     * Returns the accepted versions of each type, by the name of the type.
     *
     * @return unmodifiable map, versions oldest first
     */
    public SortedMap<String, List<LockedVersion>> types() {
        return types;
    }

    /**
     * Compares all types of a program with the accepted ones.
     *
     * @param current descriptors of all types of the program, one for each type
     * @return violations and changes
     * @throws IllegalArgumentException if two different descriptors are of the same type
     */
    public LockReport check(Collection<TypeDescriptor> current) {
        return check(current, gone -> true);
    }

    /**
     * Compares some types of a program with the accepted ones.
     *
     * @param current descriptors of some types of the program, one for each type
     * @param isGone whether the program no longer has an accepted type that {@code current} lacks
     * @return violations and changes
     * @throws IllegalArgumentException if two different descriptors are of the same type
     */
    public LockReport check(Collection<TypeDescriptor> current, Predicate<TypeDescriptor> isGone) {
        SortedMap<String, TypeDescriptor> byName = byName(current);
        List<Violation> violations = new ArrayList<>();
        List<LockChange> changes = new ArrayList<>();
        Set<String> names = new TreeSet<>(types.keySet());
        names.addAll(byName.keySet());
        for (String name : names) {
            List<LockedVersion> accepted = types.getOrDefault(name, List.of());
            TypeDescriptor descriptor = byName.get(name);
            if (descriptor == null) {
                TypeDescriptor newest = newest(accepted);
                if (isGone.test(newest)) {
                    changes.add(new LockChange(LockChange.Kind.REMOVED_TYPE, newest.schema()));
                    violations.addAll(rules.checkRemoved(newest, renamed(newest, byName)));
                }
            } else if (accepted.isEmpty()) {
                changes.add(new LockChange(LockChange.Kind.NEW_TYPE, descriptor.schema()));
            } else if (!newest(accepted).covers(descriptor)) {
                boolean isSame = newest(accepted).isSameAs(descriptor);
                LockChange.Kind kind = isSame ? LockChange.Kind.NEW_DETAILS : LockChange.Kind.NEW_VERSION;
                changes.add(new LockChange(kind, descriptor.schema()));
                violations.addAll(violations(accepted, descriptor));
            }
        }
        return new LockReport(violations, changes);
    }

    /**
     * Returns a lock that accepts all types of a program, whatever rules they break: new types and new versions are added, and types that are gone
     * are removed.
     *
     * @param current descriptors of all types of the program, one for each type
     * @return lock
     * @throws IllegalArgumentException if two different descriptors are of the same type
     */
    public SchemaLock accept(Collection<TypeDescriptor> current) {
        return accept(current, gone -> true);
    }

    /**
     * Returns a lock that accepts some types of a program, whatever rules they break. Other types stay as they are.
     *
     * @param current descriptors of some types of the program, one for each type
     * @param isGone whether to remove an accepted type that {@code current} lacks
     * @return lock
     * @throws IllegalArgumentException if two different descriptors are of the same type
     */
    public SchemaLock accept(Collection<TypeDescriptor> current, Predicate<TypeDescriptor> isGone) {
        SortedMap<String, TypeDescriptor> byName = byName(current);
        SortedMap<String, List<LockedVersion>> accepted = new TreeMap<>(types);
        accepted.entrySet()
                .removeIf(each -> !byName.containsKey(each.getKey()) && isGone.test(newest(each.getValue())));
        byName.forEach((name, descriptor) -> accepted.put(name, accepted(descriptor)));
        return new SchemaLock(compatibility, accepted);
    }

    private List<LockedVersion> accepted(TypeDescriptor descriptor) {
        List<LockedVersion> versions = new ArrayList<>(types.getOrDefault(descriptor.typeName(), List.of()));
        int last = versions.size() - 1;
        boolean isBreaking = !violations(versions, descriptor).isEmpty();
        if (last < 0 || isBreaking || !newest(versions).isSameAs(descriptor)) {
            versions.add(new LockedVersion(descriptor, isBreaking));
        } else if (!newest(versions).covers(descriptor)) {
            versions.set(last, new LockedVersion(descriptor, versions.get(last).isBreaking()));
        }
        return List.copyOf(versions);
    }

    private static TypeDescriptor newest(List<LockedVersion> accepted) {
        return accepted.get(accepted.size() - 1).descriptor();
    }

    /** Returns the breaches by the change from each accepted version, from the newest back to the last breaking one. */
    private Set<Violation> violations(List<LockedVersion> accepted, TypeDescriptor descriptor) {
        Set<Violation> found = new LinkedHashSet<>();
        for (int i = accepted.size() - 1; i >= 0; i--) {
            LockedVersion version = accepted.get(i);
            boolean isNewest = i == accepted.size() - 1;
            TypeDescriptor before = version.descriptor();
            found.addAll(isNewest ? rules.check(before, descriptor) : rules.checkOlder(before, descriptor));
            if (version.isBreaking()) {
                break;
            }
        }
        return found;
    }

    /** Returns the name of a type of the program that has the fields of a type that is gone and is not in the lock; nothing if there is none. */
    private Optional<String> renamed(TypeDescriptor gone, Map<String, TypeDescriptor> current) {
        return current.values().stream()
                .filter(descriptor -> !types.containsKey(descriptor.typeName())
                        && descriptor.schema().fields().equals(gone.schema().fields()))
                .map(TypeDescriptor::typeName)
                .findFirst();
    }

    private static SortedMap<String, TypeDescriptor> byName(Collection<TypeDescriptor> descriptors) {
        SortedMap<String, TypeDescriptor> byName = new TreeMap<>();
        for (TypeDescriptor descriptor : descriptors) {
            TypeDescriptor other = byName.putIfAbsent(descriptor.typeName(), descriptor);
            if (other != null && !other.equals(descriptor)) {
                throw new IllegalArgumentException("two descriptors of a type: type=" + descriptor.typeName()
                        + " classes=" + other.className() + "," + descriptor.className() + " schemas=" + other.schema()
                        + "," + descriptor.schema());
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
