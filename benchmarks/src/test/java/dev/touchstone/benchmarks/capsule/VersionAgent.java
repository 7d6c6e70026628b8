package dev.touchstone.benchmarks.capsule;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A Java agent under which a JVM claims to be of another version: {@code -D} can't change that property. */
final class VersionAgent {
    private VersionAgent() {}

    public static void premain(String version) {
        System.setProperty("java.version", version);
    }

    /** Writes the agent's jar and returns the flag that claims {@code version}. */
    static String claiming(String version, Path folder) throws IOException {
        Path jar = folder.resolve("version-agent.jar");
        String name = VersionAgent.class.getName();
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            String entry = name.replace('.', '/') + ".class";
            out.putNextEntry(new ZipEntry(entry));
            out.write(MiniCapsule.resource(entry));
        }
        return "-javaagent:" + jar + "=" + version;
    }
}
