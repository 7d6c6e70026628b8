package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.sample.SampleCapsule;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.HostId;
import dev.touchstone.harness.store.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Comparisons with real forks of two builds that differ in nothing but the work of one operation. */
@Timeout(300)
@Tag("sweep")
class CompareProcessTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path older;

    @BeforeEach
    void oldBuild() throws IOException {
        Files.createDirectory(folder.resolve("tmp"));
        Calibration.OPEN.write(folder.resolve("results"), HostId.ofThisMachine()); // this machine may be busy
        older = SampleCapsule.write(folder.resolve("old.jar"), "0ld", false, 100);
    }

    @Test
    void compare_twoCapsules_eachForkRunsItsOwnBuildAndBothAreRecorded() throws Exception {
        Path newer = SampleCapsule.write(folder.resolve("new.jar"), "n3w", false, 1000);
        int code = compare(older, newer, "--rounds", "2");
        assertThat(code).as(err()).isEqualTo(HarnessExitCode.NO_VERDICT);
        RunFolder run = run();
        List<ForkResult> forks = run.readForks();
        assertThat(forks)
                .extracting(ForkResult::build)
                .containsExactly(Build.OWN, Build.BASELINE, Build.BASELINE, Build.OWN);
        assertThat(score(forks.get(0)) * 3).as("ten times the work").isLessThan(score(forks.get(1)));
        assertThat(score(forks.get(3)) * 3).isLessThan(score(forks.get(2)));
        assertThat(run.readInfo().commit()).isEqualTo("n3w");
        assertThat(Objects.requireNonNull(run.readInfo().baseline()).commit()).isEqualTo("0ld");
        JsonNode change = new ObjectMapper().readTree(out()).get("changes").get(0);
        assertThat(change.get("ratio").get("ratio").doubleValue()).isLessThan(0.34);
        assertThat(change.get("verdict").textValue()).as("2 pairs show nothing").isEqualTo("unknown");
        assertThat(folder.toFile().list()).allSatisfy(name -> assertThat(name).doesNotStartWith(DataFolder.PREFIX));

        assertThat(start("compare", run.path().toString())).isEqualTo(HarnessExitCode.NO_VERDICT);
        assertThat(out()).contains("Build n3w beside 0ld", "count/t1/OURS");
    }

    @Test
    void compare_dirtyBuild_refusedUnlessForced() throws Exception {
        Path dirty = SampleCapsule.write(folder.resolve("dirty.jar"), "d1rty", true, 100);
        assertThat(compare(older, dirty, "--rounds", "1")).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("build d1rty is dirty");
        assertThat(compare(older, dirty, "--rounds", "1", "--force")).isEqualTo(HarnessExitCode.NO_VERDICT);
        assertThat(out()).contains("uncommitted changes");
    }

    @Test
    void compare_resumedWithAnotherBuildOfTheSameName_refused() throws Exception {
        Path newer = SampleCapsule.write(folder.resolve("new.jar"), "unknown", false, 100);
        assertThat(compare(older, newer, "--rounds", "1")).as(err()).isEqualTo(HarnessExitCode.NO_VERDICT);
        String recorded = run().path().toString();
        assertThat(compare(older, newer, "--rounds", "1", "--resume", recorded)).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("is finished");
        SampleCapsule.write(newer, "unknown", false, 200);
        assertThat(compare(older, newer, "--rounds", "1", "--resume", recorded)).isEqualTo(ExitCode.USAGE);
        assertThat(err()).contains("was made with another class path");
    }

    @Test
    void compare_noSide_oursBesideItsPeers() throws Exception {
        int code = start("compare", "--rounds", "2", "--warmup", "1x20ms", "--measure", "1x20ms");
        assertThat(code).as(err()).isEqualTo(HarnessExitCode.NO_VERDICT);
        assertThat(out())
                .contains("beside its peers", "count/t1/OURS", "1 cell: 0 faster, 0 slower, 0 same, 1 unknown.");
        assertThat(run().readInfo().settings()).containsEntry("pairs", "2");
        assertThat(start("compare", run().path().toString())).isEqualTo(HarnessExitCode.NO_VERDICT);
        assertThat(out()).contains("1 cell: 0 faster, 0 slower, 0 same, 1 unknown.");
    }

    @Test
    void calibrate_capsule_keepsFloorAndLimitsOfThisHost() throws Exception {
        int code = start(
                "compare",
                "--aa",
                older.toString(),
                "--workloads",
                "^count$",
                "--rounds",
                "6",
                "--warmup",
                "1x20ms",
                "--measure",
                "1x20ms");
        assertThat(code).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("beside itself", "Floor of this machine");
        Calibration learned = Calibration.read(folder.resolve("results"), HostId.ofThisMachine());
        assertThat(learned.pairs()).isEqualTo(12);
        assertThat(learned.cells()).containsOnlyKeys("count/t1/OURS", "count/t2/OURS");
        assertThat(run().readForks()).extracting(ForkResult::build).contains(Build.AGAIN);
    }

    @Test
    void nightly_baseline_buildBesideItAndBesideItself() throws Exception {
        int code = start(
                "nightly",
                "--baseline",
                older.toString(),
                "--publish",
                "published",
                "--workloads",
                "^count$",
                "--threads",
                "1",
                "--rounds",
                "1",
                "--warmup",
                "1x20ms",
                "--measure",
                "1x20ms",
                "--json");
        assertThat(code).as(err()).isEqualTo(HarnessExitCode.NO_VERDICT);
        assertThat(run().readForks())
                .extracting(ForkResult::build)
                .containsExactly(Build.OWN, Build.BASELINE, Build.AGAIN);
        assertThat(run().readForks()).allMatch(fork -> fork.ruler() != null);
        assertThat(run().readInfo().profile()).isEqualTo("nightly");
        assertThat(folder.resolve("published").toFile().list())
                .containsExactlyInAnyOrder("report.html", "report.md", "verdicts.tsv");
        assertThat(folder.resolve("published/verdicts.tsv")).content().startsWith("count/t1/OURS\tunknown\t");
    }

    @Test
    @Tag("slow")
    void compare_twiceTheWork_slowerAndExit1() throws Exception {
        Path newer = SampleCapsule.write(folder.resolve("new.jar"), "n3w", false, 200);
        assertThat(compare(older, newer)).as(err()).isEqualTo(HarnessExitCode.SLOWER);
        assertThat(run().readForks()).as("ends at a look, not at 40 pairs").hasSizeLessThan(80);
    }

    private int compare(Path one, Path other, String... more) throws Exception {
        List<String> args = new ArrayList<>(List.of("compare", one.toString(), other.toString()));
        args.addAll(List.of("--workloads", "^count$", "--threads", "1", "--json"));
        args.addAll(List.of("--warmup", "1x50ms", "--measure", "2x50ms"));
        args.addAll(List.of(more));
        return start(args.toArray(String[]::new));
    }

    private int start(String... args) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-Djava.io.tmpdir=" + folder.resolve("tmp")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start()
                .waitFor();
    }

    private String out() throws IOException {
        return Files.readString(folder.resolve("out"));
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    private RunFolder run() throws IOException {
        try (var files = Files.walk(folder.resolve("results"))) {
            Path info =
                    files.filter(path -> path.endsWith("run.json")).findFirst().orElseThrow();
            return RunFolder.open(Objects.requireNonNull(info.getParent()));
        }
    }

    private static double score(ForkResult fork) {
        return Objects.requireNonNull(fork.primary(), fork.toString()).score();
    }
}
