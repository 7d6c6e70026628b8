package dev.touchstone.harness.sample;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Capsules of the sample benchmarks, as builds that differ in the work of one operation. */
public final class SampleCapsule {
    private SampleCapsule() {}

    /** Writes one: JMH's jars beside the application's, which holds this module's tests. */
    public static Path write(Path file, String commit, boolean dirty, int work) throws IOException {
        return write(file, commit, dirty, work, work);
    }

    /** Writes one whose every 64th operation has other work than the rest. */
    public static Path write(Path file, String commit, boolean dirty, int work, int rareWork) throws IOException {
        Map<String, byte[]> application = new TreeMap<>();
        Map<String, byte[]> jars = new TreeMap<>();
        for (String entry : List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))) {
            Path path = Path.of(entry);
            if (path.endsWith("test-classes")) {
                addFolder(application, path);
            } else if (path.getFileName().toString().matches("(jmh-core|jopt-simple|commons-math3).*[.]jar")) {
                jars.put(path.getFileName().toString(), Files.readAllBytes(path));
            }
        }
        application.put("dev/touchstone/harness/sample/sample-work.txt", bytes(work + " " + rareWork));
        application.put(
                "META-INF/touchstone/build.properties",
                bytes("version=1.0\ncommit=" + commit + "\ndirty=" + dirty + "\n"));
        ByteArrayOutputStream jar = new ByteArrayOutputStream();
        zip(jar, new Manifest(), application);
        jars.put("sample-1.0.jar", jar.toByteArray());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Application-Jar", "sample-1.0.jar");
        try (OutputStream out = Files.newOutputStream(file)) {
            zip(out, manifest, jars);
        }
        return file;
    }

    private static void addFolder(Map<String, byte[]> entries, Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            entries.put(folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
        }
    }

    private static void zip(OutputStream out, Manifest manifest, Map<String, byte[]> entries) throws IOException {
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        Set<String> written = new HashSet<>(Set.of("META-INF/MANIFEST.MF"));
        try (JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                if (written.add(entry.getKey())) {
                    jar.putNextEntry(new ZipEntry(entry.getKey()));
                    jar.write(entry.getValue());
                    jar.closeEntry();
                }
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
