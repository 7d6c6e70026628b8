package dev.touchstone.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmark over HTTP with each of its subjects, load in this JVM and for a moment: every answer is asked to be 200. */
@Timeout(300)
final class HttpSmokeTest {
    @ParameterizedTest
    @CsvSource({
        "OURS,1,1",
        "OURS,2,1",
        "OURS,1,3000",
        "OURS_V2,2,1",
        "OURS_V2,1,3000",
        "CEILING_CONSTANT,2,1",
        "CEILING_CONSTANT_V2,2,1"
    })
    void ask_eachSubject_givesAnswers(String subject, int threads, String items) throws RunnerException {
        RunResult result = new Runner(new OptionsBuilder()
                        .include(PriceHttpBenchmark.class.getName() + ".ask$")
                        .param("subject", subject)
                        .param("connections", Integer.toString(threads * 3))
                        .param("items", items)
                        .param("pinned", "false") // the tests' JVM stays where it is
                        .threads(threads)
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(300))
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .runSingle();
        assertThat(result.getPrimaryResult().getScore()).isPositive();
        assertThat(Objects.requireNonNull(result.getSecondaryResults().get("p99Nanos"))
                        .getScore())
                .isPositive();
    }
}
