package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.HostId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program as its user has it: a process with arguments, streams, signals and an exit code. Its lock is its own, not the machine's. */
@Timeout(900)
class MainProcessTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path out;

    @SuppressWarnings("NullAway.Init")
    private Path err;

    @BeforeEach
    void streams() throws IOException {
        out = folder.resolve("out");
        err = folder.resolve("err");
        Files.createDirectory(folder.resolve("tmp"));
        Calibration.OPEN.write(folder.resolve("results"), HostId.ofThisMachine()); // this machine may be busy
    }

    @Test
    void run_terminatedMidFork_noOrphansAndResumeCompletes() throws Exception {
        Process process = start("run", "^count$", "--threads", "1", "--rounds", "3", "--measure", "1x500ms");
        await(process, "at least one recorded fork and a running one", () -> forks() >= 1 && hasFork(process));
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        assertThat(process.waitFor()).isEqualTo(128 + 15);
        assertThat(children)
                .isNotEmpty()
                .allSatisfy(child -> assertThat(ended(child)).isTrue());
        assertThat(Files.readString(err))
                .contains(
                        "Interrupted. Go on with: run '^count$' --threads 1 --rounds 3 --measure 1x500ms --resume results/");
        assertThat(dataFolders()).isEmpty();
        int recorded = forks();
        assertThat(recorded).isLessThan(6);

        Process resumed = start(
                "run", "^count$", "--threads", "1", "--rounds", "3", "--measure", "1x500ms", "--resume", "--json");
        assertThat(resumed.waitFor()).as(Files.readString(err)).isEqualTo(ExitCode.OK);
        assertThat(forks()).isEqualTo(6);
        assertThat(new ObjectMapper().readTree(Files.readString(out)).get("groups"))
                .hasSize(1);
        assertThat(Files.readString(out)).contains("steps per operation").doesNotContain("a fork's");
        assertThat(Files.readString(err)).doesNotContain("a fork's");
        assertThat(dataFolders()).isEmpty();

        Process again =
                start("run", "^count$", "--threads", "1", "--rounds", "3", "--measure", "1x500ms", "--resume", run());
        assertThat(again.waitFor()).isEqualTo(ExitCode.USAGE);
        assertThat(Files.readString(err)).contains("is finished");
        Process other = start("quick", "--resume", run());
        assertThat(other.waitFor()).isEqualTo(ExitCode.USAGE);
        assertThat(Files.readString(err)).contains("another profile: recorded run, now quick");
    }

    @Test
    void run_lockTaken_waitsWithOneMessage() throws Exception {
        Path lock = folder.resolve("tmp").resolve("jmh.lock");
        Process process;
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            Objects.requireNonNull(channel.tryLock());
            process = start("run", "^count$", "--threads", "1", "--rounds", "1", "--measure", "1x50ms");
            await(process, "the message", () -> Files.readString(err).contains("Another JMH run holds"));
            assertThat(forks()).isZero();
        }
        assertThat(process.waitFor()).isEqualTo(ExitCode.OK);
        assertThat(forks()).isEqualTo(2);
    }

    @Test
    void run_parentGone_endsToo() throws Exception {
        Process parent = new ProcessBuilder("cat").start();
        Process process = start(List.of("-Dtouchstone.parentPid=" + parent.pid()), "run", "^count$", "--rounds", "50");
        await(process, "a running fork", () -> hasFork(process));
        List<ProcessHandle> children = process.descendants().toList();
        parent.destroyForcibly();
        assertThat(process.waitFor()).isNotEqualTo(ExitCode.OK);
        assertThat(children).allSatisfy(child -> assertThat(ended(child)).isTrue());
    }

    @Test
    void run_brokenPeer_restGoesOnAndExit4() throws Exception {
        Process process = start("run", "count-broken", "--rounds", "2", "--measure", "1x50ms");
        assertThat(process.waitFor()).isEqualTo(HarnessExitCode.FAILED);
        assertThat(Files.readString(err)).contains("failed: count-broken/t1/BROKEN round 1: ");
        assertThat(Files.readString(out)).contains("broken on purpose");
    }

    @Test
    void run_profilers_filesInTheRunsFolderAndScoresOfGc() throws Exception {
        Process process = start(
                "run",
                "^count$",
                "--subjects",
                "OURS",
                "--threads",
                "1",
                "--rounds",
                "1",
                "--measure",
                "1x300ms",
                "--prof",
                "gc,flame,jfr");
        assertThat(process.waitFor()).as(Files.readString(err)).isEqualTo(ExitCode.OK);
        try (var files = Files.walk(folder.resolve(run()).resolve("profiles"))) {
            List<String> names = files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .toList();
            assertThat(names).anyMatch(name -> name.endsWith(".html")).anyMatch(name -> name.endsWith(".jfr"));
        }
        assertThat(Files.readString(folder.resolve(run()).resolve("forks.jsonl")))
                .contains("gc.alloc.rate.norm");
        assertThat(Files.readString(folder.resolve(run()).resolve("run.json")))
                .contains("\"profilers\" : \"gc,flame,jfr\"");
        assertThat(dataFolders()).isEmpty();
    }

    @Test
    void run_perf_processorTimeOfAnOperation() throws Exception {
        Process process = start(
                "run",
                "^count$",
                "--subjects",
                "OURS",
                "--threads",
                "1",
                "--rounds",
                "1",
                "--measure",
                "2x500ms",
                "--prof",
                "perf");
        int exit = process.waitFor();
        assumeFalse(
                Files.readString(err).contains("--prof perf: "), () -> "no perf that counts, which is in linux-perf");
        assertThat(exit).as(Files.readString(err)).isEqualTo(ExitCode.OK);
        assertThat(Files.readString(folder.resolve(run()).resolve("forks.jsonl")))
                .contains("\"task-clock\":{");
    }

    @Test
    void verify_checks_eachUnderItsSubjectsFlagsAndAHungOneEndsAlone() throws Exception {
        Process process = start("verify", "--json", "--deadline", "3s");
        assertThat(process.waitFor()).isEqualTo(HarnessExitCode.FAILED);
        JsonNode results = new ObjectMapper().readTree(Files.readString(out));
        assertThat(results.findValuesAsText("subject"))
                .containsExactlyInAnyOrder("OURS", "PEER", "OURS", "BROKEN", "OURS", "PEER");
        assertThat(errors(results, "count/PEER")).isEqualTo("expected 1 element, got 0; flag=2");
        assertThat(errors(results, "count-broken/OURS"))
                .startsWith("not done after 3 s: at ")
                .contains("park");
        assertThat(errors(results, "count-broken/BROKEN")).startsWith("its JVM ended with exit code 7");
        assertThat(errors(results, "count/OURS") + errors(results, "dead/OURS") + errors(results, "dead/PEER"))
                .isEqualTo("nullnullnull");
        assertThat(dataFolders()).isEmpty();
    }

    private static String errors(JsonNode results, String cell) {
        for (JsonNode result : results) {
            if (cell.equals(result.get("workload").asText() + "/"
                    + result.get("subject").asText())) {
                return result.get("error").asText();
            }
        }
        throw new AssertionError("no result of " + cell + " in " + results);
    }

    @Test
    void verify_onePartAndSubject_onlyItsChecks() throws Exception {
        assertThat(start("verify", "--parts", "sample", "--subjects", "OURS").waitFor())
                .isEqualTo(ExitCode.OK);
        assertThat(Files.readString(err).lines()).containsExactly("[1/1] count OURS: ok");
    }

    @Test
    void verify_run_whatThrowsAndWhatIsDeadCodeFails() throws Exception {
        assertThat(start("verify", "--run", "--parts", "faults", "--deadline", "3s")
                        .waitFor())
                .isEqualTo(HarnessExitCode.FAILED);
        assertThat(Files.readString(err).lines())
                .filteredOn(line -> !line.startsWith("WARNING: ")) // of JDK 24 and later, about JMH
                .containsExactly(
                        "[1/8] count-broken OURS: FAILED",
                        "[2/8] dead OURS: ok",
                        "[3/8] count-broken BROKEN: FAILED",
                        "[4/8] dead PEER: ok",
                        "[5/8] count-broken OURS: ok",
                        "[6/8] count-broken BROKEN: FAILED",
                        "[7/8] dead OURS: FAILED",
                        "[8/8] dead PEER: ok");
        assertThat(Files.readString(out))
                .contains("broken on purpose", "as fast as the same method without its work: ");
    }

    /** The verdict must not depend on the moment: dead code fails and work passes each of ten times. */
    @Test
    @Tag("slow")
    @Timeout(3600)
    void verify_run_deadCodeFailsAndWorkPassesEachOfTenTimes() throws Exception {
        for (int i = 1; i <= 10; i++) {
            int code = start("verify", "--run", "--json", "--parts", "faults", "--deadline", "1s")
                    .waitFor();
            JsonNode results = new ObjectMapper().readTree(Files.readString(out));
            List<String> dead = new ArrayList<>();
            for (JsonNode result : results) {
                if (result.get("workload").asText().equals("dead")
                        && !result.get("error").isNull()) {
                    dead.add(result.get("subject").asText() + ": "
                            + result.get("error").asText());
                }
            }
            assertThat(code).isEqualTo(HarnessExitCode.FAILED);
            assertThat(dead).as("time %d", i).hasSize(1);
            assertThat(dead.get(0)).startsWith("OURS: as fast as the same method without its work: ");
        }
    }

    @Test
    void plainJmh_list_unchanged() throws Exception {
        assertThat(start("-l").waitFor()).isEqualTo(ExitCode.OK);
        assertThat(Files.readString(out)).isEqualTo("""
                        Benchmarks:\s
                        dev.touchstone.harness.sample.CountBenchmark.count
                        dev.touchstone.harness.sample.ModesBenchmark.both
                        dev.touchstone.harness.sample.ModesBenchmark.group
                        dev.touchstone.harness.sample.ParamsBenchmark.sum
                        dev.touchstone.harness.sample.DeadBenchmark.dead
                        dev.touchstone.harness.sample.ModesBenchmark.average
                        dev.touchstone.harness.sample.ModesBenchmark.both
                        dev.touchstone.harness.sample.ParamsBenchmark.sum
                        dev.touchstone.harness.sample.ModesBenchmark.sample
                        dev.touchstone.harness.sample.ModesBenchmark.batch
                        """);
        assertThat(start("-h").waitFor()).isEqualTo(ExitCode.OK);
        assertThat(Files.readString(err)).contains("Sub-commands beside JMH's own options: quick");
        assertThat(start("qiuck").waitFor()).isEqualTo(ExitCode.USAGE);
    }

    private Process start(String... args) throws IOException {
        return start(List.of(), args);
    }

    private Process start(List<String> flags, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-Djava.io.tmpdir=" + folder.resolve("tmp")));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
    }

    /** Waits for a condition while the process lives. */
    private void await(Process process, String what, Condition condition) throws Exception {
        while (!condition.holds()) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("ended before " + what + ": " + Files.readString(err));
            }
        }
    }

    private static boolean hasFork(Process process) {
        return process.descendants()
                .anyMatch(child -> child.info().command().orElse("").endsWith("java"));
    }

    private static boolean ended(ProcessHandle process) {
        return process.onExit()
                .<Boolean>handle((ended, failure) -> true)
                .completeOnTimeout(false, 1, TimeUnit.MINUTES)
                .join();
    }

    private List<Path> dataFolders() throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(DataFolder.PREFIX))
                    .toList();
        }
    }

    private int forks() throws IOException {
        Path results = folder.resolve("results");
        if (!Files.exists(results)) {
            return 0;
        }
        try (var files = Files.walk(results)) {
            int lines = 0;
            for (Path file : files.filter(path -> path.endsWith("forks.jsonl")).toList()) {
                lines += Files.readAllLines(file).size();
            }
            return lines;
        }
    }

    private String run() throws IOException {
        try (var files = Files.walk(folder.resolve("results"))) {
            Path info =
                    files.filter(path -> path.endsWith("run.json")).findFirst().orElseThrow();
            return Objects.requireNonNull(info.getParent()).toString();
        }
    }

    private interface Condition {
        boolean holds() throws IOException;
    }
}
