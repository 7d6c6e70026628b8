package dev.touchstone.benchmarks.capsule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The last step of the build: equal contents, equal bytes. */
class JarNormaliserTest {
    private static final Path NORMALISER = Path.of("..", "config", "JarNormaliser.java");

    @TempDir
    Path folder;

    @Test
    void main_sameContentsOfAnotherDayAndOrder_sameBytes() throws Exception {
        Path one = jar("one.jar", "g:b:1 g:a:1", 1_700_000_000, List.of("z.txt", "a/b.txt", "app.jar"));
        Path two = jar("two.jar", "g:a:1 g:b:1", 1_800_000_000, List.of("app.jar", "a/b.txt", "z.txt"));

        normalise(one);
        normalise(two);

        assertThat(one).hasSameBinaryContentAs(two);
        try (JarFile jar = new JarFile(one.toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .containsExactly(
                            JarFile.MANIFEST_NAME,
                            "META-INF/LICENSE",
                            "META-INF/NOTICE",
                            "a/b.txt",
                            "app.jar",
                            "z.txt");
            assertThat(jar.getManifest().getMainAttributes().getValue("Embedded-Artifacts"))
                    .isEqualTo("g:a:1 g:b:1");
            assertThat(jar.getInputStream(jar.getEntry("z.txt"))).hasContent("z.txt");
        }
    }

    @Test
    void main_manifestEntries_setAndRemoved() throws Exception {
        Path jar = jar("one.jar", "g:a:1", 1_700_000_000, List.of("app.jar"));

        normalise(jar);

        try (JarFile normalised = new JarFile(jar.toFile())) {
            Attributes attributes = normalised.getManifest().getMainAttributes();
            assertThat(attributes.getValue("Implementation-Version")).isEqualTo("1.2.3");
            assertThat(attributes.getValue("Class-Path")).isNull();
        }
    }

    @Test
    void main_whatShrinks_isCompressedAndOtherwiseStored() throws Exception {
        Path jar = jar("one.jar", "g:a:1", 1_700_000_000, List.of("app.jar", "a"));

        normalise(jar);

        try (JarFile normalised = new JarFile(jar.toFile())) {
            assertThat(normalised.getEntry("META-INF/LICENSE").getMethod()).isEqualTo(ZipEntry.DEFLATED);
            assertThat(normalised.getEntry("a").getMethod()).isEqualTo(ZipEntry.STORED);
            assertThat(normalised.getEntry("app.jar").getMethod()).isEqualTo(ZipEntry.STORED);
        }
    }

    private Path jar(String name, String artifacts, long second, List<String> entries) throws IOException {
        Path jar = folder.resolve(name);
        Files.write(jar, bytes(artifacts, second, entries));
        return jar;
    }

    private static byte[] bytes(String artifacts, long second, List<String> entries) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Embedded-Artifacts", artifacts);
        manifest.getMainAttributes().putValue("Application-Jar", "app.jar");
        manifest.getMainAttributes().putValue("Class-Path", "lib/a.jar");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes, manifest)) {
            for (String entry : entries) {
                ZipEntry zipEntry = new ZipEntry(entry);
                zipEntry.setTime(Instant.ofEpochSecond(second).toEpochMilli());
                out.putNextEntry(zipEntry);
                out.write(
                        entry.equals("app.jar")
                                ? bytes("", second, List.of("inner.txt"))
                                : entry.getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    private static void normalise(Path jar) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        NORMALISER.toString(),
                        "2026-11-01T00:00:00Z",
                        "..",
                        "Implementation-Version=1.2.3",
                        "Class-Path=",
                        "--",
                        jar.toString())
                .inheritIO()
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
