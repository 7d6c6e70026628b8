package dev.touchstone.buildsupport;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Measures of how a module is divided into packages. */
final class Rooms {
    static final int MAX_TYPES = 25;
    static final int MAX_TYPES_WITH_REASON = 40;

    private Rooms() {}

    /** Reads the classes below a folder, without the classes of other folders that they depend on. */
    static JavaClasses importClasses(Path folder) {
        return ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter().importPath(folder);
        });
    }

    /**
     * Returns the dependencies between packages that are part of a cycle: from each package, those that depend on it in turn, each with one
     * dependency between two types as an example.
     */
    static Map<String, Map<String, String>> cycles(JavaClasses classes) {
        Map<String, Map<String, String>> cycles = packageDependencies(classes);
        Map<String, Set<String>> reachable = new TreeMap<>();
        cycles.keySet().forEach(start -> reachable.put(start, reachableFrom(start, cycles)));
        cycles.forEach((user, used) -> used.keySet()
                .removeIf(other -> !reachable.getOrDefault(other, Set.of()).contains(user)));
        cycles.values().removeIf(Map::isEmpty);
        return cycles;
    }

    /**
     * Returns each package of more types than it may have, with their number. A source file holds one type.
     *
     * @param withReason packages that may have more types than others
     * @param dictated packages that may have any number of types, for another library dictates their names
     */
    static Map<String, Integer> crowds(Path sources, List<Path> files, Set<String> withReason, Set<String> dictated) {
        Map<String, Integer> types = new TreeMap<>();
        typeFiles(sources, files).forEach(file -> types.merge(packageOf(sources, file), 1, Integer::sum));
        types.keySet().removeAll(dictated);
        types.entrySet()
                .removeIf(room ->
                        room.getValue() <= (withReason.contains(room.getKey()) ? MAX_TYPES_WITH_REASON : MAX_TYPES));
        return types;
    }

    /** Returns each simple name of several types, with their number. */
    static Map<String, Integer> sharedNames(Path sources, List<Path> files) {
        Map<String, Integer> names = new TreeMap<>();
        typeFiles(sources, files).forEach(file -> names.merge(simpleName(file), 1, Integer::sum));
        names.values().removeIf(times -> times == 1);
        return names;
    }

    /**
     * Returns each type of an API package that depends on types of internal packages, with these. Builders and factories are left out: types
     * whose name ends so, and the doors.
     *
     * @param exported the API packages
     * @param doors names of further types that may know the engine
     */
    static Map<String, Set<String>> apiOnEngine(JavaClasses classes, Set<String> exported, Set<String> doors) {
        Set<String> internal = new HashSet<>(packageDependencies(classes).keySet());
        internal.removeAll(exported);
        Map<String, Set<String>> engine = new TreeMap<>();
        for (JavaClass type : classes) {
            String name = topLevel(type).getName();
            if (!exported.contains(type.getPackageName())
                    || name.matches(".*(Builder|Factory)")
                    || doors.contains(name)) {
                continue;
            }
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = topLevel(dependency.getTargetClass().getBaseComponentType());
                if (internal.contains(target.getPackageName())) {
                    engine.computeIfAbsent(name, any -> new TreeSet<>()).add(target.getName());
                }
            }
        }
        return engine;
    }

    /** Returns the packages of the classes, each with the others among them that it depends on, and one such dependency as an example. */
    private static Map<String, Map<String, String>> packageDependencies(JavaClasses classes) {
        Map<String, Map<String, String>> uses = new TreeMap<>();
        classes.forEach(type -> uses.put(type.getPackageName(), new TreeMap<>()));
        for (JavaClass type : classes) {
            Map<String, String> used = uses.getOrDefault(type.getPackageName(), Map.of());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (uses.containsKey(target.getPackageName())
                        && !target.getPackageName().equals(type.getPackageName())) {
                    used.putIfAbsent(target.getPackageName(), type.getSimpleName() + " uses " + target.getSimpleName());
                }
            }
        }
        return uses;
    }

    private static Set<String> reachableFrom(String start, Map<String, Map<String, String>> uses) {
        Set<String> reached = new HashSet<>();
        TreeSet<String> open = new TreeSet<>(Set.of(start));
        for (String next = open.pollFirst(); next != null; next = open.pollFirst()) {
            for (String used : uses.getOrDefault(next, Map.of()).keySet()) {
                if (reached.add(used)) {
                    open.add(used);
                }
            }
        }
        return reached;
    }

    private static JavaClass topLevel(JavaClass type) {
        return type.getEnclosingClass().map(Rooms::topLevel).orElse(type);
    }

    private static List<Path> typeFiles(Path sources, List<Path> files) {
        return files.stream()
                .filter(file -> !simpleName(file).endsWith("-info"))
                .filter(file -> !sources.equals(file.getParent()))
                .toList();
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static String packageOf(Path sources, Path file) {
        return sources.relativize(file.getParent()).toString().replace('/', '.').replace('\\', '.');
    }
}
