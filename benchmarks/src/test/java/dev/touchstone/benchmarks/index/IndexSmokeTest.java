package dev.touchstone.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.SubjectsOf;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the search benchmark with each of its subjects, in this JVM and for a moment: that it works, not how fast. */
@Timeout(120)
final class IndexSmokeTest {
    @ParameterizedTest
    @SubjectsOf(PriceSearchBenchmark.class)
    void find_eachSubject_givesTime(String subject) throws RunnerException {
        RunResult result = new Runner(new OptionsBuilder()
                        .include(PriceSearchBenchmark.class.getName() + ".find$")
                        .param("subject", subject)
                        .param("data", "SEED")
                        .param("query", "FULL")
                        .param("most", "2000")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .runSingle();
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }
}
