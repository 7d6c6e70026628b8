package dev.touchstone.benchmarks.capsule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.capsule.Launch.Outcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a capsule starts: versions, flags, class path, exit code, and a silent standard error. */
class CapsuleStartTest {
    @TempDir
    static Path folder;

    private static Path capsule = Path.of("");
    private static Path cache = Path.of("");

    @BeforeAll
    static void assemble() throws Exception {
        capsule = MiniCapsule.write(folder, "one");
        cache = folder.resolve("cache");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 77})
    void run_childExits_codePassedOnAndStderrSilent(int code) throws Exception {
        assertThat(Launch.of(capsule, cache).run("exit", Integer.toString(code)))
                .isEqualTo(new Outcome(code, "", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "17.0.8.1", "17.0.16+8", "25.0.1.0.1", "27-ea"})
    void run_versionOfAnyForm_starts(String version) throws Exception {
        Outcome outcome = claiming(version);

        assertThat(outcome).isEqualTo(new Outcome(0, "one", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"11.0.2", "1.8.0_292", "16"})
    void run_versionBelow17_oneLineAndUsageCode(String version) throws Exception {
        Outcome outcome = claiming(version);

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .hasLineCount(1)
                .contains("needs Java 17 or later", version)
                .doesNotContain("EXCEPTION");
    }

    /** Only that class is loaded before the version is known; 52 is Java 8's class file. */
    @Test
    void javaGate_classFile_loadsOnJava8() throws Exception {
        assertThat(MiniCapsule.resource("JavaGate.class")[7]).isEqualTo((byte) 52);
    }

    @Test
    void run_flagsOfListAndUser_allReachTheApplication() throws Exception {
        String[] own = {
            "-Xmx96m",
            "-Dtouchstone.probe=a b",
            "--add-opens=java.base/java.time=ALL-UNNAMED",
            "--add-opens=java.base/java.text=ALL-UNNAMED",
            "--add-exports=java.base/sun.security.util=ALL-UNNAMED"
        };

        Outcome outcome = Launch.of(capsule, cache).with(own).run("flags");

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out().lines()).containsAll(opens()).contains(own).doesNotHaveDuplicates();
    }

    @Test
    void run_classPath_applicationFirst() throws Exception {
        String classPath = Launch.of(capsule, cache).run("classpath").out();

        assertThat(Stream.of(classPath.split(":"))
                        .map(jar -> Path.of(jar).getFileName().toString()))
                .containsExactly("probe-1.0.jar", "another.jar");
    }

    @Test
    void run_noFolderForTheCache_temporaryOneLeftEmpty() throws Exception {
        Path notAFolder = Files.createFile(folder.resolve("file"));
        Path temporary = Files.createDirectory(folder.resolve("temporary"));

        Outcome outcome = Launch.of(capsule, notAFolder.resolve("cache"))
                .with("-Djava.io.tmpdir=" + temporary, "-XX:-UsePerfData")
                .run("marker");

        assertThat(outcome).isEqualTo(new Outcome(0, "one", ""));
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void run_noFolderAtAll_oneLineAndFailureCode() throws Exception {
        Path notAFolder = Files.createFile(folder.resolve("file2"));

        Outcome outcome = Launch.of(capsule, notAFolder.resolve("cache"))
                .with("-Djava.io.tmpdir=" + notAFolder)
                .run("marker");

        assertThat(outcome.code()).isEqualTo(4);
        assertThat(outcome.err()).contains("cannot unpack " + capsule).doesNotContain("EXCEPTION");
    }

    private static Outcome claiming(String version) throws Exception {
        return Launch.of(capsule, cache)
                .with(VersionAgent.claiming(version, folder))
                .run("marker");
    }

    private static List<String> opens() throws Exception {
        return new String(MiniCapsule.resource(MiniCapsule.OPENS), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("--"))
                .toList();
    }
}
