package dev.touchstone.benchmarks.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.SubjectsOf;
import dev.touchstone.benchmarks.serialization.cluster.Topology;
import java.util.Collection;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark with each of its subjects, in this JVM and for a moment: that it works, not how fast. */
@Timeout(120)
final class SerializationSmokeTest {

    private static final int ENTRIES = 250;

    @ParameterizedTest
    @SubjectsOf(CodecBenchmark.class)
    void encode_eachSubject_countsBytesAndAllocation(String subject) throws Exception {
        RunResult result = run(moment(CodecBenchmark.class, "encode", subject).param("size", "SMALL"));
        double nanos = result.getPrimaryResult().getScore();
        assertThat(nanos / aux(result, "recordBytes")).isBetween(20.0, 1000.0);
        assertThat(nanos / aux(result, "allocatedBytes")).isBetween(20.0, 1_000_000.0);
    }

    @ParameterizedTest
    @CsvSource({"encode, LATIN1", "decode, MIXED", "readField, CJK", "fieldEquals, ASCII"})
    void codec_eachMethodAndAlphabet_givesTime(String method, String alphabet) throws Exception {
        RunResult result = run(moment(CodecBenchmark.class, method, "OURS")
                .param("size", "LARGE")
                .param("alphabet", alphabet));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"OURS, 184", "PORTABLE, 262"})
    void write_embedded_costOfTheSeed(String subject, int bytes) throws Exception {
        RunResult result = run(map(RecordWriteBenchmark.class, "set", subject, Topology.EMBEDDED));
        assertThat(aux(result, "ownedEntries")).isEqualTo(ENTRIES);
        assertThat(aux(result, "bytesPerEntry")).isEqualTo(bytes);
        assertThat(aux(result, "ownedBytes")).isEqualTo(ENTRIES * bytes);
        assertThat(aux(result, "heapBytesPerEntry")).isBetween(bytes / 2.0, 2000.0);
    }

    @ParameterizedTest
    @CsvSource({"OURS, PERCENT, false", "IDENTIFIED, ONE, true"})
    void predicate_embedded_findsWhatIsThere(String subject, String matches, String indexed) throws Exception {
        ChainedOptionsBuilder options = map(PredicateQueryBenchmark.class, "query", subject, Topology.EMBEDDED);
        RunResult result = run(options.param("matches", matches).param("indexed", indexed));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"OURS, PERCENT, false"})
    void sql_embedded_findsWhatIsThere(String subject, String matches, String indexed) throws Exception {
        ChainedOptionsBuilder options = map(SqlQueryBenchmark.class, "query", subject, Topology.EMBEDDED);
        RunResult result = run(options.param("matches", matches).param("indexed", indexed));
        assertThat(result.getPrimaryResult().getScore()).isPositive();
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource("OURS, 172")
    void read_members_costSummedOverBoth(String subject, int bytes) throws Exception {
        RunResult result = run(map(RecordReadBenchmark.class, "get", subject, Topology.MEMBERS)
                .threads(4)
                .param("clients", "3"));
        assertThat(aux(result, "ownedEntries")).isEqualTo(ENTRIES);
        assertThat(aux(result, "bytesPerEntry")).isEqualTo(bytes);
    }

    @Tag("slow")
    @Timeout(600)
    @ParameterizedTest
    @SubjectsOf(SqlQueryBenchmark.class)
    void queries_eachSubjectTopologyAndSize_findWhatIsThere(String subject) throws Exception {
        for (Topology topology : Topology.values()) {
            for (Class<?> benchmark : new Class<?>[] {PredicateQueryBenchmark.class, SqlQueryBenchmark.class}) {
                for (Matches matches : Matches.values()) {
                    run(map(benchmark, "query", subject, topology, "LARGE")
                            .param("matches", matches.name())
                            .param("indexed", String.valueOf(matches == Matches.ONE)));
                }
            }
        }
    }

    private static ChainedOptionsBuilder map(Class<?> benchmark, String method, String subject, Topology topology) {
        return map(benchmark, method, subject, topology, "SMALL");
    }

    private static ChainedOptionsBuilder map(
            Class<?> benchmark, String method, String subject, Topology topology, String size) {
        return moment(benchmark, method, subject)
                .threads(2)
                .param("size", size)
                .param("topology", topology.name())
                .param("entries", Integer.toString(ENTRIES));
    }

    private static ChainedOptionsBuilder moment(Class<?> benchmark, String method, String subject) {
        TimeValue time = TimeValue.milliseconds(50);
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
