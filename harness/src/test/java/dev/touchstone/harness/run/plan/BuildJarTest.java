package dev.touchstone.harness.run.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.harness.sample.SampleCapsule;
import dev.touchstone.harness.store.BuildInfo;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildJarTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void unpack_capsule_applicationFirstAndItsBuildInfo() throws IOException {
        Path capsule = SampleCapsule.write(folder.resolve("x-capsule.jar"), "abc1234", true, 100);
        BuildJar build = BuildJar.unpack(capsule, folder.resolve("unpacked"));
        assertThat(build.info()).isEqualTo(new BuildInfo("1.0", "abc1234", true));
        List<String> classPath = List.of(build.classPath().split(File.pathSeparator, -1));
        assertThat(classPath)
                .hasSize(4)
                .allSatisfy(jar -> assertThat(Path.of(jar)).isRegularFile().hasParent(folder.resolve("unpacked")));
        assertThat(classPath.get(0)).endsWith("sample-1.0.jar");
        assertThat(classPath.subList(1, 4)).isSorted();
    }

    @Test
    void unpack_plainJar_isItsOwnClassPath() throws IOException {
        SampleCapsule.write(folder.resolve("x-capsule.jar"), "abc1234", false, 100);
        BuildJar.unpack(folder.resolve("x-capsule.jar"), folder.resolve("unpacked"));
        Path plain = folder.resolve("unpacked").resolve("sample-1.0.jar");
        assertThat(BuildJar.unpack(plain, folder.resolve("none")).classPath()).isEqualTo(plain.toString());
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void unpack_noJarOrNoBenchmarks_refusedWithItsName() throws IOException {
        Path text = Files.writeString(folder.resolve("text.jar"), "no jar");
        assertThatThrownBy(() -> BuildJar.unpack(text, folder.resolve("a")))
                .isInstanceOf(BuildJarException.class)
                .hasMessageContaining("text.jar: not a jar");
        Path empty = folder.resolve("empty.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(empty))) {
            jar.putNextEntry(new ZipEntry("../evil.jar"));
        }
        assertThatThrownBy(() -> BuildJar.unpack(empty, folder.resolve("b")))
                .isInstanceOf(BuildJarException.class)
                .hasMessageContaining("empty.jar: no JMH benchmarks");
        assertThat(folder.resolve("evil.jar")).doesNotExist();
    }
}
