package dev.touchstone.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark once with each of its subjects, in this JVM and for a moment: that it works, not how fast. */
@Timeout(120)
@Tag("sweep")
final class QueueSmokeTest {

    private static final String DATA = "touchstone.data";

    @TempDir
    private Path folder;

    @BeforeEach
    void useFolder() {
        System.setProperty(DATA, folder.toString());
    }

    @AfterEach
    void leaveNothingBehind() throws IOException {
        System.clearProperty(DATA);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_NONE,
            names = {"CEILING_SCAN", ".*_JOBS.*"})
    void write_eachSubject_countsOperationsAndForces(QueueType subject) throws Exception {
        NativeSubjects.assumeRuns(subject);
        RunResult result =
                run(moment(QueueWriteBenchmark.class, "write", subject).threads(2));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
        // no bound: rates of two threads that did not run for equally long; what a record takes is for the semantic
        // checks
        switch (subject) {
            case TAPE, LMDB, CHRONICLE_SYNC, MVSTORE, CEILING_DSYNC, CEILING_DSYNC_64K, OURS_SYNCED, ARTEMIS, ROCKSDB ->
                assertThat(aux(result, "forces")).isPositive();
            default -> {}
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS_SYNCED", "ARTEMIS", "CEILING_DSYNC_64K"})
    void async_eachSubject_countsRecordsAndForces(QueueType subject) throws Exception {
        RunResult result = run(moment(QueueAsyncBenchmark.class, "write", subject));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
        assertThat(aux(result, "forces")).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS_SYNCED", "ARTEMIS", "ROCKSDB", "CEILING_DSYNC_64K"})
    void bulk_eachSubject_countsRecordsAndNotBulks(QueueType subject) throws Exception {
        NativeSubjects.assumeRuns(subject);
        RunResult result = run(moment(QueueBulkBenchmark.class, "write", subject));
        double perBulk = Records.BULK_RECORDS
                * aux(result, "forces")
                / result.getPrimaryResult().getScore();
        assertThat(perBulk).isBetween(0.5, 4.0);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"OURS_SYNCED", "TAPE", "CHRONICLE_SYNC", "ARTEMIS", "MVSTORE", "ROCKSDB", "LMDB", "CEILING_DSYNC"})
    void latency_eachSubject_givesPercentiles(QueueType subject) throws Exception {
        NativeSubjects.assumeRuns(subject);
        RunResult result = run(moment(QueueLatencyBenchmark.class, "write", subject));
        assertThat(result.getSecondaryResults().keySet())
                .anyMatch(name -> name.endsWith("p0.50"))
                .anyMatch(name -> name.endsWith("p0.99"))
                .anyMatch(name -> name.endsWith("p0.999"))
                .anyMatch(name -> name.endsWith("p1.00"));
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS_SYNCED", "ARTEMIS"})
    void roll_eachSubject_findsRolls(QueueType subject) throws Exception {
        RunResult result = run(moment(QueueRollBenchmark.class, "write", subject)
                .param("fileBytes", Integer.toString(64 << 10))
                .measurementTime(TimeValue.seconds(2)));
        assertThat(aux(result, "rolls")).isPositive();
        assertThat(aux(result, "rollPause")).isPositive();
        assertThat(aux(result, "worstRollPause")).isGreaterThanOrEqualTo(aux(result, "rollPause"));
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS_WRITTEN", "OURS_BATCHED", "OURS_SYNCED", "CHRONICLE", "BIGQUEUE"})
    void poll_eachSubject_givesEveryRecord(QueueType subject) throws Exception {
        RunResult result = run(moment(QueuePollBenchmark.class, "poll", subject));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"OURS_BATCHED", "CHRONICLE", "BIGQUEUE", "CEILING_SCAN", "TAPE"})
    void scan_eachSubject_findsEveryRecord(QueueType subject) throws Exception {
        RunResult result = run(moment(QueueScanBenchmark.class, "scan", subject)
                .param("records", subject == QueueType.TAPE ? "100" : "1000"));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_NONE,
            names = {"CEILING_.*", "ARTEMIS", "MVSTORE", "ROCKSDB", "LMDB", ".*_JOBS.*"})
    void mixed_eachSubject_countsRealReads(QueueType subject) throws Exception {
        // long enough for tape's reader to get the lock that three writers pass to each other
        RunResult result =
                run(moment(QueueMixedBenchmark.class, "mixed", subject).measurementTime(TimeValue.milliseconds(600)));
        double reads = aux(result, "reads");
        assertThat(reads).isPositive();
        assertThat(aux(result, "write")).isPositive();
        assertThat(result.getPrimaryResult().getScore()).isGreaterThan(reads);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_ANY,
            names = {"OURS_SYNCED", "OURS_BATCHED", ".*_JOBS.*"})
    void jobs_eachSubject_countsJobsAndForces(QueueType subject) throws Exception {
        RunResult result = run(moment(QueueJobsBenchmark.class, "work", subject).threads(2));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
        if (subject.durable()) {
            assertThat(aux(result, "forces")).isPositive();
        }
    }

    private static ChainedOptionsBuilder moment(Class<?> benchmark, String method, QueueType subject) {
        TimeValue time = TimeValue.milliseconds(100);
        return new OptionsBuilder()
                .include("^" + benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
                .param("subject", subject.name())
                .forks(0)
                .warmupIterations(1)
                .warmupTime(time)
                .measurementIterations(1)
                .measurementTime(time)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    private static RunResult run(ChainedOptionsBuilder options) throws RunnerException {
        Collection<RunResult> results = new Runner(options.build()).run();
        assertThat(results).hasSize(1);
        return results.iterator().next();
    }

    private static double aux(RunResult result, String name) {
        return Objects.requireNonNull(result.getSecondaryResults().get(name), name)
                .getScore();
    }
}
