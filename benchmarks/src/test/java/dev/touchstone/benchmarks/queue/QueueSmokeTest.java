package dev.touchstone.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.SubjectsOf;
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
    @SubjectsOf(QueueWriteBenchmark.class)
    void write_eachSubject_countsOperationsAndForces(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        RunResult result =
                run(moment(QueueWriteBenchmark.class, "write", subject).threads(2));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
        // no bound: rates of two threads that did not run for equally long; what a record takes is for the semantic
        // checks
        if (subject.durable()) { // below 0 where the subject does not tell
            assertThat(aux(result, "forces")).isNotZero();
        }
    }

    @ParameterizedTest
    @SubjectsOf(QueueAsyncBenchmark.class)
    void async_eachSubject_countsRecordsAndForces(QueueSubject subject) throws Exception {
        RunResult result = run(moment(QueueAsyncBenchmark.class, "write", subject));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
        assertThat(aux(result, "forces")).isPositive();
    }

    @ParameterizedTest
    @SubjectsOf(QueueBulkBenchmark.class)
    void bulk_eachSubject_countsRecordsAndNotBulks(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        RunResult result = run(moment(QueueBulkBenchmark.class, "write", subject));
        double perBulk = Records.BULK_RECORDS
                * aux(result, "forces")
                / result.getPrimaryResult().getScore();
        assertThat(perBulk).isBetween(0.5, 4.0);
    }

    @ParameterizedTest
    @SubjectsOf(QueueReplicatedBenchmark.class)
    void replicated_eachSubject_countsOperations(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        RunResult result =
                run(moment(QueueReplicatedBenchmark.class, "write", subject).threads(2));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }

    @ParameterizedTest
    @SubjectsOf(QueueLatencyBenchmark.class)
    void latency_eachSubject_givesPercentiles(QueueSubject subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject.name());
        RunResult result = run(moment(QueueLatencyBenchmark.class, "write", subject));
        assertThat(result.getSecondaryResults().keySet())
                .anyMatch(name -> name.endsWith("p0.50"))
                .anyMatch(name -> name.endsWith("p0.99"))
                .anyMatch(name -> name.endsWith("p0.999"))
                .anyMatch(name -> name.endsWith("p1.00"));
    }

    @ParameterizedTest
    @SubjectsOf(QueueRollBenchmark.class)
    void roll_eachSubject_findsRolls(QueueSubject subject) throws Exception {
        RunResult result = run(moment(QueueRollBenchmark.class, "write", subject)
                .param("fileBytes", Integer.toString(64 << 10))
                .measurementTime(TimeValue.seconds(2)));
        assertThat(aux(result, "rolls")).isPositive();
        assertThat(aux(result, "rollPause")).isPositive();
        assertThat(aux(result, "worstRollPause")).isGreaterThanOrEqualTo(aux(result, "rollPause"));
    }

    @ParameterizedTest
    @SubjectsOf(QueuePollBenchmark.class)
    void poll_eachSubject_givesEveryRecord(QueueSubject subject) throws Exception {
        RunResult result = run(moment(QueuePollBenchmark.class, "poll", subject));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }

    @ParameterizedTest
    @SubjectsOf(QueueScanBenchmark.class)
    void scan_eachSubject_findsEveryRecord(QueueSubject subject) throws Exception {
        RunResult result = run(moment(QueueScanBenchmark.class, "scan", subject).param("records", "1000"));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }

    @ParameterizedTest
    @SubjectsOf(QueueMixedBenchmark.class)
    void mixed_eachSubject_countsRealReads(QueueSubject subject) throws Exception {
        // long enough for tape's reader to get the lock that three writers pass to each other
        RunResult result =
                run(moment(QueueMixedBenchmark.class, "mixed", subject).measurementTime(TimeValue.milliseconds(600)));
        double reads = aux(result, "reads");
        assertThat(reads).isPositive();
        assertThat(aux(result, "write")).isPositive();
        assertThat(result.getPrimaryResult().getScore()).isGreaterThan(reads);
    }

    @ParameterizedTest
    @SubjectsOf(QueueJobsBenchmark.class)
    void jobs_eachSubject_countsJobsAndForces(QueueSubject subject) throws Exception {
        RunResult result = run(moment(QueueJobsBenchmark.class, "work", subject).threads(2));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
        if (subject.durable()) { // below 0 where the subject does not tell
            assertThat(aux(result, "forces")).isNotZero();
        }
    }

    private static ChainedOptionsBuilder moment(Class<?> benchmark, String method, QueueSubject subject) {
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
