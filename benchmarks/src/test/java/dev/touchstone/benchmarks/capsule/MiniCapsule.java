package dev.touchstone.benchmarks.capsule;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** Makes small capsules of the real launcher classes and {@link ProbeApp}: all of one name and version, told apart by a marker. */
final class MiniCapsule {
    static final String OPENS = "META-INF/touchstone/add-opens.txt";

    private static final String APPLICATION_JAR = "probe-1.0.jar";

    private MiniCapsule() {}

    /** Writes {@code folder/probe-1.0-capsule.jar}, whose application prints {@code marker} when asked. */
    static Path write(Path folder, String marker) throws IOException {
        Path jar = Files.createDirectories(folder).resolve("probe-1.0-capsule.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest())) {
            add(out, "Capsule.class", resource("Capsule.class"));
            add(out, "JavaGate.class", resource("JavaGate.class"));
            add(out, "HarnessCaplet.class", resource("HarnessCaplet.class"));
            add(out, "another.jar", emptyJar());
            add(out, APPLICATION_JAR, application(marker));
        }
        return jar;
    }

    private static Manifest manifest() {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(Attributes.Name.MAIN_CLASS, "Capsule");
        main.putValue("Application-Class", ProbeApp.class.getName());
        main.putValue("Application-Name", "probe-1.0-capsule");
        main.putValue("Application-Jar", APPLICATION_JAR);
        main.putValue("Caplets", "JavaGate HarnessCaplet");
        return manifest;
    }

    private static byte[] application(String marker) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes)) {
            String app = ProbeApp.class.getName().replace('.', '/') + ".class";
            add(out, app, resource(app));
            add(out, OPENS, resource(OPENS));
            add(out, "marker.txt", marker.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] emptyJar() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new JarOutputStream(bytes, new Manifest()).close();
        return bytes.toByteArray();
    }

    static byte[] resource(String name) throws IOException {
        try (InputStream in = MiniCapsule.class.getResourceAsStream("/" + name)) {
            return requireNonNull(in, name).readAllBytes();
        }
    }

    private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        out.write(bytes);
        out.closeEntry();
    }
}
