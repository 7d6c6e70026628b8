package dev.touchstone.harness.paced;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The jar that stands first on the class path of a fork whose calls come at a fixed rate: the class that JMH generated for its benchmark, with
 * paced loops, and the harness's classes that these call.
 */
public final class PaceJar {
    private static final List<Class<?>> CLASSES = List.of(
            Caller.class,
            HistogramText.class,
            PacedIteration.class,
            PaceProfiler.class,
            Pacing.class,
            ResponseTimes.class);

    private PaceJar() {}

    /**
     * Writes the jar.
     *
     * @param file where; is replaced if it exists
     * @param generated name of the class that JMH generated for the benchmark
     * @param classPath of the build that the fork runs, in the form of {@code java.class.path}
     * @return the class path for the fork
     * @throws IOException if the jar can't be written, or the class path lacks the generated class
     */
    public static String write(Path file, String generated, String classPath) throws IOException {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
                URLClassLoader build = new URLClassLoader(urls(classPath), null)) {
            put(jar, generated, PacedLoops.in(bytes(generated, build.getResourceAsStream(resource(generated)))));
            for (Class<?> type : CLASSES) {
                String name = type.getSimpleName() + ".class";
                put(jar, type.getName(), bytes(type.getName(), type.getResourceAsStream(name)));
            }
        }
        // Last, so that a build that has a version of its own keeps it.
        URL histograms = Histogram.class.getProtectionDomain().getCodeSource().getLocation();
        return String.join(
                File.pathSeparator,
                file.toString(),
                classPath,
                Path.of(URI.create(histograms.toString())).toString());
    }

    private static URL[] urls(String classPath) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String element : classPath.split(File.pathSeparator, -1)) {
            urls.add(Path.of(element).toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }

    private static byte[] bytes(String type, @Nullable InputStream found) throws IOException {
        try (InputStream in = found) {
            if (in == null) {
                throw new FileNotFoundException("no class " + type + " on the class path of the build");
            }
            return in.readAllBytes();
        }
    }

    private static void put(JarOutputStream jar, String type, byte[] classFile) throws IOException {
        jar.putNextEntry(new ZipEntry(resource(type)));
        jar.write(classFile);
        jar.closeEntry();
    }

    private static String resource(String type) {
        return type.replace('.', '/') + ".class";
    }
}
