package dev.touchstone.harness.run.fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.Timing;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Latency;
import dev.touchstone.harness.store.Metric;
import dev.touchstone.harness.store.Noise;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real forks of a tiny benchmark. */
class JmhForkRunnerTest {
    private static final Noise NOISE = new Noise(0.5, 0, 0, 0, 0.0, 0.0);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @BeforeAll
    static void leaveTheLockAlone() {
        System.setProperty("jmh.ignoreLock", "true"); // tests may run beside a real run on this machine
    }

    @Test
    void run_ok_scoreCountersAndNoLog() {
        ForkResult result = run("OURS", 2, Duration.ofSeconds(60));
        assertThat(result.error()).isNull();
        assertThat(result.cell()).isEqualTo("count/t2/OURS");
        Metric primary = Objects.requireNonNull(result.primary());
        assertThat(primary.mode()).isEqualTo("thrpt");
        assertThat(primary.unit()).isEqualTo("ops/s");
        assertThat(primary.iterations()).hasSize(2);
        assertThat(result.secondary()).containsKey("steps");
        assertThat(Objects.requireNonNull(result.secondary().get("steps")).score())
                .isGreaterThan(primary.score());
        assertThat(result.noise()).isEqualTo(NOISE);
        assertThat(result.wallMillis()).isPositive();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void run_fixedRate_callsAtThatRateAndTheirTimes() {
        ForkResult result = run("OURS", 2, Duration.ofSeconds(60), 2_000);
        assertThat(result.error()).isNull();
        assertThat(result.cell()).isEqualTo("count/t2/rate=2000/OURS");
        Metric primary = Objects.requireNonNull(result.primary());
        assertThat(primary.mode() + " " + primary.unit()).isEqualTo("paced us/op");
        assertThat(primary.higherIsBetter()).isFalse();
        assertThat(primary.iterations()).hasSize(2);
        assertThat(result.secondary()).containsKeys("response p50", "response max", "steps");
        Latency latency = Objects.requireNonNull(result.latency());
        // Two iterations of 100 ms; a machine that stalls makes fewer calls, and says so.
        assertThat(latency.made() + latency.omitted()).isBetween(300L, 30_000L);
        assertThat(latency.made()).isLessThan(5_000);
        assertThat(latency.times().nanos().getTotalCount()).isEqualTo(latency.made() + latency.omitted());
        assertThat(latency.times().micros(99)).isEqualTo(primary.score());
    }

    @Test
    void run_moreThanItCan_omittedCallsCount() {
        ForkResult result = run("OURS", 1, Duration.ofSeconds(60), FixedRate.MAX);
        Latency latency = Objects.requireNonNull(result.latency(), String.valueOf(result.error()));
        assertThat(latency.held()).isFalse();
        assertThat(latency.omitted()).isGreaterThan(latency.made());
    }

    @ParameterizedTest
    @ValueSource(strings = {"average", "sample", "batch", "group"})
    void run_fixedRateInAnyMode_callsAtThatRate(String method) {
        int threads = method.equals("group") ? 0 : 1; // a group has its own
        ForkResult result = run("ModesBenchmark." + method, "OURS", threads, Duration.ofSeconds(60), 1_000);
        Latency latency = Objects.requireNonNull(result.latency(), String.valueOf(result.error()));
        assertThat(Objects.requireNonNull(result.primary()).iterations()).hasSize(2);
        if (method.equals("batch")) {
            assertThat(List.of(latency.made(), latency.omitted())).containsExactly(100L, 0L);
        } else {
            // Unpaced, two iterations of 100 ms would make about a million calls.
            assertThat(latency.made()).isBetween(1L, 2_500L);
            assertThat(latency.made() + latency.omitted()).isBetween(150L, 15_000L);
        }
        assertThat(result.secondary().keySet())
                .filteredOn(name -> name.endsWith(" p99"))
                .isEqualTo(method.equals("group") ? List.of("read p99", "write p99") : List.of());
    }

    @Test
    void run_fixedRate_buildsOwnClassesAreMeasured() throws Exception {
        Path own = Files.createDirectories(folder.resolve("build/dev/touchstone/harness/sample"));
        Files.writeString(own.resolve("sample-work.txt"), "broken");
        String classPath = folder.resolve("build") + File.pathSeparator + System.getProperty("java.class.path");
        ForkResult result = run(
                "CountBenchmark.count",
                "OURS",
                1,
                Duration.ofSeconds(60),
                1_000,
                Build.BASELINE,
                Map.of(Build.BASELINE, classPath));
        assertThat(result.error()).contains("NumberFormatException", "broken");
    }

    @Test
    void run_severalModes_oneResult() {
        ForkResult result = run("ModesBenchmark.both", "OURS", 1, Duration.ofSeconds(60), 0);
        assertThat(result.error()).isNull();
        assertThat(Objects.requireNonNull(result.primary()).iterations()).hasSize(2);
    }

    @Test
    void run_fixedRateWithoutTheBenchmark_namesTheMissingClass() {
        Map<Build, String> nothing =
                Map.of(Build.BASELINE, folder.resolve("none.jar").toString());
        assertThat(run("CountBenchmark.count", "OURS", 1, Duration.ofSeconds(60), 1_000, Build.BASELINE, nothing)
                        .error())
                .contains("CountBenchmark_count_jmhTest");
    }

    @Test
    void run_benchmarkThrows_errorNamesItAndLogStays() throws Exception {
        ForkResult result = run("BROKEN", 1, Duration.ofSeconds(60));
        assertThat(result.ok()).isFalse();
        assertThat(result.error()).contains("broken on purpose");
        assertThat(Files.readString(folder.resolve("fork.log")))
                .contains("broken on purpose", "-Dtouchstone.data=<data>/fork-")
                .doesNotContain(folder.toString());
    }

    @Test
    void run_neverReturns_killedAtTheDeadline() {
        ForkResult result = run("STUCK", 1, Duration.ofSeconds(3));
        assertThat(result.error()).isEqualTo("killed after 3 s");
        assertThat(folder.toFile().list())
                .as("the fork's own folder is deleted")
                .containsExactly("fork.log");
        assertThat(ProcessHandle.current().descendants().filter(JmhForkRunnerTest::isJava))
                .isEmpty();
    }

    @Test
    void run_leavesAProcessThatHoldsItsOutput_endsAtTheDeadline() {
        ForkResult result = run("LEAVING", 1, Duration.ofSeconds(5));
        assertThat(result.error()).isEqualTo("killed after 5 s");
        assertThat(Thread.interrupted()).as("nothing interrupts what follows").isFalse();
    }

    @Test
    void run_haltsWithoutAnError_failsWithThatReason() {
        assertThat(run("HALTED", 1, Duration.ofMinutes(1)).error())
                .isEqualTo("IllegalStateException: the fork's JVM ended without a result");
    }

    @Test
    void hiddenPaths_text_foldersAreNamesOnly() {
        String java = System.getProperty("java.home");
        assertThat(HiddenPaths.of(folder)
                        .in(folder + "/fork-1/x: no such file; " + folder + "-2; " + java + "/bin/java"))
                .isEqualTo("<data>/fork-1/x: no such file; " + folder + "-2; <jdk>/bin/java");
    }

    @Test
    void constructor_unknownJmhOption_refused() {
        assertThatThrownBy(() -> new JmhForkRunner(
                        List.of("--nonsense"),
                        folder,
                        () -> () -> NOISE,
                        () -> null,
                        Map.of(),
                        Profilers.NONE,
                        this::output))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nonsense");
    }

    @Test
    void catalog_sample_timesFromAnnotations() {
        Timing timing = JmhCatalog.load()
                .find("dev.touchstone.harness.sample.CountBenchmark.count")
                .orElseThrow();
        assertThat(timing.measurement()).isEqualTo(new Phase(2, Duration.ofMillis(100)));
        assertThat(timing.singleShot()).isFalse();
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("java");
    }

    private Path output(int round, int order) {
        return folder.resolve("fork.log");
    }

    private ForkResult run(String subject, int threads, Duration deadline) {
        return run(subject, threads, deadline, 0);
    }

    private ForkResult run(String subject, int threads, Duration deadline, int rate) {
        return run("CountBenchmark.count", subject, threads, deadline, rate);
    }

    private ForkResult run(String benchmark, String subject, int threads, Duration deadline, int rate) {
        return run(benchmark, subject, threads, deadline, rate, Build.OWN, Map.of());
    }

    private ForkResult run(
            String benchmark,
            String subject,
            int threads,
            Duration deadline,
            int rate,
            Build build,
            Map<Build, String> classPaths) {
        SortedMap<String, String> params = new TreeMap<>();
        if (rate > 0) {
            params.put(Cell.RATE, "" + rate);
        }
        Cell cell = new Cell("count", "dev.touchstone.harness.sample." + benchmark, params, threads, subject);
        ForkSpec fork = new ForkSpec(
                cell,
                build,
                0,
                0,
                0,
                Sampling.ANNOTATED,
                List.of("-Xmx64m", "-XX:+UseSerialGC"),
                Duration.ofSeconds(1));
        try (JmhForkRunner runner = new JmhForkRunner(
                List.of(), folder, () -> () -> NOISE, () -> null, classPaths, Profilers.NONE, this::output)) {
            return runner.run(fork, deadline);
        }
    }
}
