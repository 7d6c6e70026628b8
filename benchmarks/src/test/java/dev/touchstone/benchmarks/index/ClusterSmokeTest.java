package dev.touchstone.benchmarks.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.SubjectsOf;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmark of clusters with each of its subjects, in this JVM and for a moment: that it works, not how fast. */
@Timeout(120)
final class ClusterSmokeTest {
    @ParameterizedTest
    @SubjectsOf(PriceClusterBenchmark.class)
    void find_eachSubjectOnOneMember_givesARate(String subject) throws RunnerException {
        assertThat(score("find", subject, 1, false, 1)).isPositive();
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "findMany, OURS_SHARDED, 2, true, 1",
        "findMany, HAZELCAST_KEY, 2, true, 50",
        "findMany, HAZELCAST_SQL, 1, false, 1",
        "findMany, HAZELCAST_GET, 1, true, 50",
        "update, OURS_REPLICATED, 2, false, 1",
        "update, HAZELCAST_SORTED, 2, false, 1"
    })
    void benchmark_onMembersAndClients_givesARateOrTime(
            String method, String subject, int members, boolean client, int perRequest) throws RunnerException {
        assertThat(score(method, subject, members, client, perRequest)).isPositive();
    }

    private static double score(String method, String subject, int members, boolean client, int perRequest)
            throws RunnerException {
        RunResult result = new Runner(new OptionsBuilder()
                        .include(PriceClusterBenchmark.class.getName() + "." + method + "$")
                        .param("subject", subject)
                        .param("members", String.valueOf(members))
                        .param("client", String.valueOf(client))
                        .param("perRequest", String.valueOf(perRequest))
                        .param("most", "2000")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .runSingle();
        return result.getPrimaryResult().getScore();
    }
}
