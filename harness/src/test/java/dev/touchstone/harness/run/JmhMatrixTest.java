package dev.touchstone.harness.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkListEntry;

/** The sample's benchmarks, as if their project had no matrix. */
class JmhMatrixTest {
    @Test
    void of_benchmarks_aWorkloadForEachChoiceOfParameters() throws Exception {
        Matrix matrix = JmhMatrix.of(JmhCatalog.entries());
        assertThat(matrix.workloads())
                .extracting(Matrix.Workload::id)
                .contains(
                        "CountBenchmark.count",
                        "ModesBenchmark.average",
                        "ModesBenchmark.group",
                        "ParamsBenchmark.sum.1.small-one",
                        "ParamsBenchmark.sum.1.large",
                        "ParamsBenchmark.sum.2.small-one",
                        "ParamsBenchmark.sum.2.large");
        Matrix.Workload count = workload(matrix, "CountBenchmark.count");
        assertThat(count.ours()).isEqualTo("OURS");
        assertThat(count.peers()).containsExactly("PEER", "BROKEN", "STUCK", "HALTED", "LEAVING");
        assertThat(workload(matrix, "ModesBenchmark.group").threads()).isEmpty();
        Matrix.Workload sum = workload(matrix, "ParamsBenchmark.sum.2.small-one");
        assertThat(sum.params()).isEqualTo(Map.of("fixed", "7", "size", "2", "text", "small one"));
        assertThat(sum.threads()).containsExactly(2);
        assertThat(sum.peers()).isEmpty();
    }

    @Test
    void of_annotatedFlags_goToThatBenchmarksForksOnly() throws Exception {
        Matrix matrix = JmhMatrix.of(JmhCatalog.entries());
        ForkFlags flags = new ForkFlags(matrix, 17);
        assertThat(flags.of(cell("CountBenchmark.count"))).isEmpty();
        assertThat(flags.of(cell("ParamsBenchmark.sum.1.large"))).isEqualTo(List.of("-Xmx96m", "-Xss1m"));
    }

    @Test
    void of_namesThatAreNoWords_idsThatCanBeRead() throws Exception {
        Matrix matrix = JmhMatrix.of(List.of(sum("ParamsBenchmark", "_aramsBenchm\u00e4rk")));
        assertThat(matrix.workloads())
                .extracting(Matrix.Workload::id)
                .contains("x_aramsBenchm-rk.sum.1.small-one", "x_aramsBenchm-rk.sum.2.large");
        assertThat(matrix.workloads()).extracting(Matrix.Workload::part).containsOnly("x_aramsBenchm-rk");
    }

    @Test
    void of_classesOfTheSameName_idsWithTheirPackages() throws Exception {
        Matrix matrix = JmhMatrix.of(List.of(sum("", ""), sum("harness.sample", "harness.second")));
        assertThat(matrix.workloads())
                .extracting(Matrix.Workload::id)
                .contains(
                        "dev.touchstone.harness.sample.ParamsBenchmark.sum.1.large",
                        "dev.touchstone.harness.second.ParamsBenchmark.sum.1.large")
                .as("an id that was another's before")
                .noneMatch(id -> id.startsWith("ParamsBenchmark"));
    }

    @Test
    void of_aParameterNamedRate_refused() {
        assertThatThrownBy(() -> JmhMatrix.of(List.of(sum("size", "rate"))))
                .isInstanceOf(MatrixException.class)
                .hasMessageContaining("ParamsBenchmark.sum has a parameter 'rate'");
    }

    /** Returns the entry of a benchmark in which texts are replaced by others of the same length. */
    private static BenchmarkListEntry sum(String... replaced) {
        String line = JmhCatalog.entry("dev.touchstone.harness.sample.ParamsBenchmark.sum")
                .toLine();
        for (int i = 0; i < replaced.length; i += 2) {
            line = line.replace(replaced[i], replaced[i + 1]);
        }
        return new BenchmarkListEntry(line);
    }

    private static Matrix.Workload workload(Matrix matrix, String id) {
        return matrix.workloads().stream()
                .filter(workload -> workload.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Cell cell(String workload) {
        return new Cell(workload, "a.B.c", new TreeMap<>(), 1, JmhMatrix.OURS);
    }

    @Test
    void fromClassPath_noMatrix_isMadeFromJmhsList() throws Exception {
        try (URLClassLoader nothing = empty()) {
            assertThat(MatrixReader.fromClassPath(nothing).workloads())
                    .extracting(Matrix.Workload::benchmark)
                    .contains("dev.touchstone.harness.sample.CountBenchmark.count");
        }
    }

    private static URLClassLoader empty() throws IOException {
        return new URLClassLoader(new URL[0], null);
    }
}
