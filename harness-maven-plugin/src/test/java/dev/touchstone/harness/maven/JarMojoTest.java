package dev.touchstone.harness.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarMojoTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void pack_foldersAndJars_jarsInTheClassPathsOrder() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("test-classes/a"));
        Files.writeString(classes.resolve("B.txt"), "b");
        Path library = Files.writeString(folder.resolve("a-library.jar"), "as it is");
        Path name = BuildName.write(folder.resolve("build"), "1.2", folder);
        Path jar = folder.resolve("deep/packed.jar");
        JarMojo.pack(List.of(folder.resolve("test-classes"), library, name), jar);
        try (JarFile packed = new JarFile(jar.toFile())) {
            assertThat(packed.stream().map(JarEntry::getName))
                    .containsExactly("0000-test-classes.jar", "0001-a-library.jar", "0002-build.jar");
            assertThat(entries(packed, "0000-test-classes.jar")).containsExactly("a/B.txt=b");
            assertThat(new String(
                            packed.getInputStream(packed.getEntry("0001-a-library.jar"))
                                    .readAllBytes(),
                            StandardCharsets.UTF_8))
                    .isEqualTo("as it is");
            assertThat(entries(packed, "0002-build.jar"))
                    .singleElement()
                    .asString()
                    .startsWith("META-INF/touchstone/build.properties=version=1.2")
                    .contains("commit=unknown", "dirty=false");
        }
    }

    @Test
    void buildName_inACheckout_namesTheCommitAndChanges() throws Exception {
        git("init", "-q", ".");
        Path file = Files.writeString(folder.resolve("file"), "1");
        git("add", "file");
        git("-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "-q", "-m", "first");
        assertThat(name()).containsPattern("commit=\\p{XDigit}{10}\n").contains("dirty=false");
        Files.writeString(file, "2");
        assertThat(name()).contains("dirty=true");
    }

    private String name() throws Exception {
        Path written = BuildName.write(folder.resolve("build"), "1", folder);
        return Files.readString(written.resolve("META-INF/touchstone/build.properties"));
    }

    private void git(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private static List<String> entries(JarFile packed, String name) throws Exception {
        List<String> entries = new ArrayList<>();
        try (InputStream in = packed.getInputStream(packed.getEntry(name));
                JarInputStream jar = new JarInputStream(in)) {
            for (JarEntry entry = jar.getNextJarEntry(); entry != null; entry = jar.getNextJarEntry()) {
                entries.add(entry.getName() + "=" + new String(jar.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }
}
