package dev.touchstone.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.check.CellCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The semantic checks of the matrix: each subject of each workload has one, and it holds. What needs a trace of its JVM is not seen here. */
@Timeout(300)
final class ChecksTest {
    /** Cells of each kind of a part whose checks start processes and take seconds each. */
    private static final Set<String> SOME = Set.of(
            "builds-streaming/OURS",
            "builds-files-one-jvm/OURS",
            "builds-discard/CEILING_BUILD",
            "builds-noop/OURS",
            "builds-noop/CEILING_LOOPBACK",
            "index-http-t1c1/OURS",
            "index-http-bulk/CEILING_CONSTANT",
            "index-cluster-search/OURS_SHARDED",
            "index-cluster-per-request-members/OURS_SHARDED",
            "index-cluster-update/OURS_REPLICATED",
            "index-cluster-search/HAZELCAST_HASH",
            "index-cluster-client/HAZELCAST_GET");

    @TempDir
    private Path folder;

    @Test
    void checks_ofEachSubjectOfEachWorkload_sayWhatTheyObserve() throws Exception {
        Matrix matrix = matrix();
        List<CellCheck> checks = CellCheck.all(getClass().getClassLoader(), matrix);
        assertThat(checks.stream().map(CellCheck::cell))
                .containsExactlyElementsOf(matrix.workloads().stream()
                        .flatMap(workload -> workload.subjects().stream().map(subject -> workload.id() + "/" + subject))
                        .toList());
        assertThat(checks)
                .allSatisfy(check -> assertThat(check.check().observes())
                        .isNotBlank()
                        .isNotEqualTo("nothing")
                        .doesNotEndWith("."));
    }

    @TestFactory
    @Tag("sweep")
    Stream<DynamicTest> checks_ofEachCell_hold() throws Exception {
        return tests(check -> !isSlow(check) || SOME.contains(check.cell()));
    }

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> checks_ofEachSlowCell_hold() throws Exception {
        return tests(ChecksTest::isSlow);
    }

    private static boolean isSlow(CellCheck check) {
        return Stream.of("builds-", "index-http-", "index-cluster-", "index-settings-hazelcast")
                .anyMatch(check.workload()::startsWith);
    }

    private Stream<DynamicTest> tests(Predicate<CellCheck> wanted) throws Exception {
        return CellCheck.all(getClass().getClassLoader(), matrix()).stream()
                .filter(wanted)
                .map(check -> DynamicTest.dynamicTest(check.cell(), () -> {
                    SubjectsOf.Workloads.assumeRuns(check.subject());
                    check.check().run(fresh(check));
                }));
    }

    private Path fresh(CellCheck check) throws IOException {
        return Files.createDirectory(folder.resolve(check.workload() + "-" + check.subject()));
    }

    private static Matrix matrix() throws Exception {
        return MatrixReader.fromClassPath(ChecksTest.class.getClassLoader());
    }
}
