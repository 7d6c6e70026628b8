package dev.touchstone.benchmarks.builds;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs benchmarks of builds once, in this JVM and for a moment: that they work, not how fast. */
@Timeout(300)
final class BuildSmokeTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "BuildBenchmark.build, OURS, ONE_JVM",
        "BuildBenchmark.build, CEILING_CHECKOUT, PROCESSES",
        "BuildNoopBenchmark.pipelined, OURS, ONE_JVM",
        "BuildNoopBenchmark.sequential, CEILING_LOOPBACK, PROCESSES"
    })
    void benchmark_ofSubject_counts(String method, String subject, String topology) throws Exception {
        System.setProperty("touchstone.data", folder.toString());
        try {
            OptionsBuilder options = new OptionsBuilder();
            options.include("^" + BuildBenchmark.class.getPackageName().replace(".", "\\.") + "\\."
                            + method.replace(".", "\\.") + "$")
                    .param("subject", subject)
                    .param("topology", topology)
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(10))
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT);
            if (method.contains("Noop")) {
                options.param("durable", "false");
            }
            Collection<RunResult> results = new Runner(options.build()).run();
            assertThat(results).hasSize(1);
            assertThat(results.iterator().next().getPrimaryResult().getScore()).isPositive();
        } finally {
            System.clearProperty("touchstone.data");
        }
    }
}
