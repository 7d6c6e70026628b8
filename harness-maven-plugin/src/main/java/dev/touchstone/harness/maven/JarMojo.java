package dev.touchstone.harness.maven;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Packs this build of the project's benchmarks, with all that they need, into one jar, which later builds can be compared with. */
@Mojo(name = "jar", requiresDependencyResolution = ResolutionScope.TEST)
@Execute(phase = LifecyclePhase.PROCESS_TEST_CLASSES)
@SuppressWarnings("NullAway.Init") // Maven sets the parameters
public final class JarMojo extends HarnessMojo {
    /** The jar to write. */
    @Parameter(property = "touchstone.jar", defaultValue = "${project.build.directory}/touchstone/build.jar")
    private File jar;

    @Override
    void run(Path project, Path own) throws IOException {
        pack(buildClassPath(), jar.toPath());
        getLog().info("Build: " + jar);
    }

    /** Writes each element of the class path as a jar at the top of the file; numbered, since the harness reads them in the order of their names. */
    static void pack(List<Path> classPath, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < classPath.size(); i++) {
                Path element = classPath.get(i);
                String name =
                        Objects.requireNonNull(element.getFileName()).toString().replaceFirst("\\.jar$", "");
                out.putNextEntry(new ZipEntry(String.format(Locale.ROOT, "%04d-%s.jar", i, name)));
                if (Files.isDirectory(element)) {
                    packFolder(element, out);
                } else {
                    Files.copy(element, out);
                }
                out.closeEntry();
            }
        }
    }

    private static void packFolder(Path folder, OutputStream to) throws IOException {
        ZipOutputStream inner = new ZipOutputStream(to);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                inner.putNextEntry(
                        new ZipEntry(folder.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, inner);
                inner.closeEntry();
            }
        }
        inner.finish(); // the outer archive goes on
    }
}
