package dev.touchstone.harness.run;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.HdrHistogram.Histogram;

/** The jar by which the harness's own classes get into a fork, whose class path may be that of a build that has none of them. */
final class AgentJar {
    private static final List<String> CLASSES = List.of(
            "Caller",
            "ClassFilePatch",
            "HistogramText",
            "LoopTransformer",
            "PaceAgent",
            "PacedIteration",
            "PaceProfiler",
            "Pacing",
            "ResponseTimes");

    private AgentJar() {}

    /**
     * Writes it.
     *
     * @param agent whose package goes into it, and whose {@code premain} the JVM calls
     */
    static void write(Path file, Class<?> agent) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(new Attributes.Name("Premain-Class"), agent.getName());
        attributes.put(Attributes.Name.CLASS_PATH, place(Histogram.class));
        String folder = agent.getPackageName().replace('.', '/') + "/";
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (String name : CLASSES) {
                jar.putNextEntry(new ZipEntry(folder + name + ".class"));
                copy(agent, name + ".class", jar);
                jar.closeEntry();
            }
        }
    }

    private static void copy(Class<?> beside, String name, OutputStream out) throws IOException {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new FileNotFoundException(name + " beside " + beside.getName());
            }
            in.transferTo(out);
        }
    }

    private static String place(Class<?> library) {
        return library.getProtectionDomain().getCodeSource().getLocation().toString();
    }
}
