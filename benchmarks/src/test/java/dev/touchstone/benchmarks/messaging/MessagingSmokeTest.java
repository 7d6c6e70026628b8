package dev.touchstone.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.SubjectsOf;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
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
final class MessagingSmokeTest {

    @ParameterizedTest
    @SubjectsOf(EchoBenchmark.class)
    void echo_eachSubject_countsEchoesAndProcessorTime(String subject) throws Exception {
        SubjectsOf.Workloads.assumeRuns(subject);
        RunResult result = run(moment(EchoBenchmark.class, "echo", subject, 300).threads(2));
        double echoes = result.getPrimaryResult().getScore();
        assertThat(echoes).isPositive();
        assertThat(aux(result, "cpuMicros") / echoes).isBetween(0.1, 1e6);
    }

    @ParameterizedTest
    @SubjectsOf(MailboxBenchmark.class)
    void thereAndBack_eachSubject_counts(String subject) throws Exception {
        RunResult result = run(moment(MailboxBenchmark.class, "thereAndBack", subject, 100));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }

    @ParameterizedTest
    @SubjectsOf(TermBenchmark.class)
    void term_eachSubject_givesTimeAndAllocation(String subject) throws Exception {
        for (String method : List.of("encode", "decode")) {
            RunResult result =
                    run(moment(TermBenchmark.class, method, subject, 100).param("term", "INT_LIST"));
            double nanos = result.getPrimaryResult().getScore();
            assertThat(nanos).isPositive();
            if (method.equals("decode")) { // a thousand integers, packed or not, take some
                assertThat(nanos / aux(result, "allocatedBytes")).isBetween(4_000.0, 1_000_000.0);
            }
        }
    }

    private static ChainedOptionsBuilder moment(Class<?> benchmark, String method, String subject, int millis) {
        TimeValue time = TimeValue.milliseconds(millis);
        return new OptionsBuilder()
                .include("^" + benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
                .param("subject", subject)
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
