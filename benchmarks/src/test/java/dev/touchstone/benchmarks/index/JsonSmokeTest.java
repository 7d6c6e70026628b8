package dev.touchstone.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmark of the service without its network with each of its subjects, in this JVM and for a moment. */
@Timeout(120)
final class JsonSmokeTest {
    @ParameterizedTest
    @CsvSource({"OURS,1", "OURS,100", "JACKSON,1", "JACKSON,100"})
    void answer_eachSubject_givesTime(String subject, String items) throws RunnerException {
        RunResult result = new Runner(new OptionsBuilder()
                        .include(PriceJsonBenchmark.class.getName() + ".answer$")
                        .param("subject", subject)
                        .param("items", items)
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
