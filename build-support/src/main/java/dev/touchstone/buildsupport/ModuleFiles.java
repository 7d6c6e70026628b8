package dev.touchstone.buildsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of the module that is tested. Surefire names its folder and the root's. */
final class ModuleFiles {
    private final Path folder = Path.of(property("basedir"));
    private final Path root = Path.of(property("touchstone.root"));

    /** Returns the module's folder from the root, such as {@code serialization/codec}. */
    String name() {
        return root.relativize(folder).toString().replace('\\', '/');
    }

    Path root() {
        return root;
    }

    Path classes() {
        return folder.resolve("target/classes");
    }

    Path sources() {
        return folder.resolve("src/main/java");
    }

    Path checkstyleReport() {
        return folder.resolve("target/checkstyle-result.xml");
    }

    /** Returns the source files below {@code src/main/java}, in the order of their names. */
    List<Path> sourceFiles() {
        return javaFiles(sources());
    }

    /** Returns those of the source files that belong to the exported packages. */
    List<Path> apiFiles() {
        Set<Path> folders = exportedPackages().stream()
                .map(room -> sources().resolve(room.replace('.', '/')))
                .collect(Collectors.toSet());
        return sourceFiles().stream()
                .filter(file -> folders.contains(file.getParent()))
                .toList();
    }

    List<Path> testFiles() {
        return javaFiles(folder.resolve("src/test/java"));
    }

    private static List<Path> javaFiles(Path below) {
        if (Files.notExists(below)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the packages that {@code module-info} exports to everybody; none where there is no {@code module-info}. */
    Set<String> exportedPackages() {
        Path descriptor = classes().resolve("module-info.class");
        if (Files.notExists(descriptor)) {
            return Set.of();
        }
        try (InputStream bytes = Files.newInputStream(descriptor)) {
            return ModuleDescriptor.read(bytes).exports().stream()
                    .filter(export -> !export.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a report below {@code target/offences}, where {@code scripts/offences} collects it. */
    void writeReport(String file, List<String> lines) {
        try {
            Path reports = Files.createDirectories(folder.resolve("target/offences"));
            Files.write(reports.resolve(file), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String property(String name) {
        return Objects.requireNonNull(
                System.getProperty(name),
                () -> "system property " + name + " is missing: run the tests by ./mvnw, whose surefire sets it");
    }
}
