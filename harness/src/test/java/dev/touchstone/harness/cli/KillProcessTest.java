package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.HostId;
import dev.touchstone.harness.store.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that is killed, again and again, and goes on each time. */
@Tag("slow")
@Timeout(900)
class KillProcessTest {
    private static final int KILLS = 20;
    private static final int FORKS = 60;
    private static final long SEED = Long.getLong("kill.seed", 8);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void resume_afterKillAtAnyMoment_nothingRecordedIsLostOrRepeated() throws Exception {
        Files.createDirectory(folder.resolve("tmp"));
        Calibration.OPEN.write(folder.resolve("results"), HostId.ofThisMachine());
        Random random = new Random(SEED);
        List<ForkResult> before = List.of();
        int kills = 0;
        Process process = start();
        while (kills < KILLS && !process.waitFor(2_000 + random.nextInt(3_000), TimeUnit.MILLISECONDS)) {
            List<ProcessHandle> all = process.descendants().toList();
            process.destroyForcibly().waitFor(); // SIGKILL: no hook of the program runs
            kills++;
            for (ProcessHandle child : all) {
                assertThat(child.onExit()
                                .completeOnTimeout(child, 20, TimeUnit.SECONDS)
                                .join()
                                .isAlive())
                        .as("a fork ends with its parent; kill " + kills + ", seed " + SEED)
                        .isFalse();
            }
            List<ForkResult> now = recorded();
            assertThat(now.subList(0, before.size()))
                    .as("kill %d, seed %d", kills, SEED)
                    .isEqualTo(before);
            assertThat(keys(now)).as("kill %d, seed %d", kills, SEED).doesNotHaveDuplicates();
            before = now;
            process = start("--resume");
        }
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("err")))
                .isEqualTo(ExitCode.OK);
        assertThat(kills).isEqualTo(KILLS);
        assertThat(keys(recorded())).doesNotHaveDuplicates().hasSize(FORKS);
        assertThat(new HashSet<>(recorded())).containsAll(before);
        assertThat(folder.toFile().list())
                .as("no killed run leaves its data")
                .noneMatch(name -> name.startsWith(DataFolder.PREFIX));
    }

    private static List<String> keys(List<ForkResult> forks) {
        return forks.stream()
                .map(fork -> fork.cell() + " " + fork.round() + " " + fork.rerun())
                .toList();
    }

    private List<ForkResult> recorded() throws IOException {
        List<Path> runs = runs();
        assertThat(runs).hasSizeLessThanOrEqualTo(1);
        if (runs.isEmpty()) {
            return List.of();
        }
        RunFolder run = RunFolder.open(Objects.requireNonNull(runs.get(0).getParent()));
        run.readInfo();
        return run.readForks();
    }

    private List<Path> runs() throws IOException {
        try (var files = Files.walk(folder.resolve("results"))) {
            return files.filter(path -> path.endsWith("run.json")).toList();
        }
    }

    private Process start(String... more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-Djava.io.tmpdir=" + folder.resolve("tmp")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(
                List.of("run", "^count$", "--subjects", "OURS,PEER", "--threads", "1", "--rounds", "" + FORKS / 2));
        command.addAll(List.of("--warmup", "1x50ms", "--measure", "1x50ms"));
        command.addAll(runs().isEmpty() ? List.of() : List.of(more));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }
}
