package dev.touchstone.harness.run.plan;

import dev.touchstone.harness.store.BuildInfo;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.ZipException;
import org.openjdk.jmh.runner.BenchmarkList;

/**
 * A build to be measured, from its jar: a capsule, which holds the jars of its class path, or one jar with everything.
 *
 * @param info which build it says it is
 * @param classPath for its forks
 */
public record BuildJar(BuildInfo info, String classPath) {
    private static final String APPLICATION = "Application-Jar";

    /**
     * Unpacks the jars in a capsule into the folder; a jar with everything is used where it lies.
     *
     * @param jar a capsule, or one jar with everything
     * @param folder where to unpack; created only for a capsule
     * @return the build with the class path of its forks
     * @throws BuildJarException if the file is no such jar
     * @throws IOException if the file cannot be read, or the folder not written
     */
    public static BuildJar unpack(Path jar, Path folder) throws IOException {
        List<Path> classPath = new ArrayList<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : nested(file)) {
                Files.createDirectories(folder);
                Path target = folder.resolve(entry.getName());
                try (InputStream in = file.getInputStream(entry)) {
                    Files.copy(in, target);
                }
                classPath.add(target);
            }
        } catch (ZipException e) {
            throw new BuildJarException(jar + ": not a jar: " + e.getMessage());
        }
        if (classPath.isEmpty()) {
            classPath.add(jar.toAbsolutePath());
        }
        return of(jar, classPath);
    }

    private static BuildJar of(Path jar, List<Path> classPath) throws IOException {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = url(classPath.get(i));
        }
        try (URLClassLoader loader = new URLClassLoader(urls, null)) {
            if (loader.getResource(BenchmarkList.BENCHMARK_LIST.substring(1)) == null) {
                throw new BuildJarException(jar + ": no JMH benchmarks in it, expected a capsule or a jar with "
                        + BenchmarkList.BENCHMARK_LIST);
            }
            return new BuildJar(
                    BuildInfo.load(loader),
                    classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        }
    }

    private static URL url(Path file) throws MalformedURLException {
        return file.toUri().toURL();
    }

    /** The jars at a capsule's top, in the order of its own class path: the application's, then the others by name. */
    private static List<JarEntry> nested(JarFile capsule) throws IOException {
        Manifest manifest = capsule.getManifest();
        String application =
                manifest == null ? null : manifest.getMainAttributes().getValue(APPLICATION);
        return capsule.stream()
                .filter(entry -> entry.getName().matches("[^/\\\\]+\\.jar"))
                .sorted(Comparator.comparing(
                                (JarEntry entry) -> !entry.getName().equals(application))
                        .thenComparing(JarEntry::getName))
                .toList();
    }
}
