package dev.touchstone.benchmarks.capsule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.capsule.Launch.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a capsule unpacks, and what it runs: always its own content, whatever its name and its file's time. */
@Timeout(180)
class CapsuleCacheTest {
    @TempDir
    Path folder;

    @Test
    void run_twoBuildsOfOneVersionAlternately_eachRunsItsOwnCode() throws Exception {
        Path a = MiniCapsule.write(folder.resolve("a"), "A");
        Path b = MiniCapsule.write(folder.resolve("b"), "B");

        for (int round = 0; round < 3; round++) {
            assertThat(marker(a)).isEqualTo(new Outcome(0, "A", ""));
            assertThat(marker(b)).isEqualTo(new Outcome(0, "B", ""));
        }

        assertThat(copies()).hasSize(2);
    }

    @Test
    void run_rebuiltInPlace_runsTheNewCode() throws Exception {
        Path jar = MiniCapsule.write(folder.resolve("a"), "old");
        FileTime time = Files.getLastModifiedTime(jar);
        marker(jar);

        MiniCapsule.write(folder.resolve("a"), "new");
        Files.setLastModifiedTime(jar, time);

        assertThat(marker(jar).out()).isEqualTo("new");
    }

    @Test
    void run_onlyTheTimeChanged_notUnpackedAgain() throws Exception {
        Path jar = MiniCapsule.write(folder.resolve("a"), "A");
        marker(jar);
        Path witness = Files.createFile(copies().get(0).resolve("witness"));

        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(3600)));
        marker(jar);

        assertThat(copies()).hasSize(1);
        assertThat(witness).exists();
    }

    @Test
    void run_copyDamaged_unpackedAgain() throws Exception {
        Path jar = MiniCapsule.write(folder.resolve("a"), "A");
        marker(jar);
        Path copy = copies().get(0);
        Files.writeString(copy.resolve("probe-1.0.jar"), "torn");
        Files.delete(copy.resolve("another.jar"));

        assertThat(marker(jar)).isEqualTo(new Outcome(0, "A", ""));
        assertThat(copies()).containsExactly(copy);
    }

    @Test
    void run_firstStartsAtOnce_shareOneCompleteCopy() throws Exception {
        Path jar = MiniCapsule.write(folder.resolve("a"), "A");
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            processes.add(launch(jar).start("marker"));
        }

        for (Process process : processes) {
            try (BufferedReader reader = process.inputReader()) {
                assertThat(reader.lines()).containsExactly("A");
            }
            assertThat(process.waitFor(Launch.TIMEOUT_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.exitValue()).isZero();
        }
        assertThat(copies()).hasSize(1);
    }

    @Test
    void run_manyBuilds_newestThreeAndTheOneInUseStay() throws Exception {
        Path first = MiniCapsule.write(folder.resolve("first"), "in use");
        Process running = launch(first).start("wait");
        try (BufferedReader reader = running.inputReader()) {
            assertThat(reader.readLine()).isNotNull();
            Path inUse = copies().get(0);

            for (String build : List.of("1", "2", "3", "4", "5")) {
                marker(MiniCapsule.write(folder.resolve(build), build));
            }

            assertThat(copies()).hasSize(4).contains(inUse);
        } finally {
            running.destroy();
        }
    }

    private Outcome marker(Path jar) throws Exception {
        return launch(jar).run("marker");
    }

    private Launch launch(Path jar) {
        return Launch.of(jar, folder.resolve("cache"));
    }

    /** The unpacked copies; a name of another form would be a leftover and fail the count. */
    private List<Path> copies() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("cache").resolve("apps"))) {
            return files.toList();
        }
    }
}
