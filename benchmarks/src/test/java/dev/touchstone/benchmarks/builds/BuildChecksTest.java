package dev.touchstone.benchmarks.builds;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.SemanticCheck;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Semantic checks of cells of the matrix hold: of one of each kind in every build, of all of them where there is time. */
@Timeout(300)
final class BuildChecksTest {
    private static final Set<String> SOME = Set.of(
            "builds-streaming/OURS",
            "builds-files-one-jvm/OURS",
            "builds-discard/CEILING_BUILD",
            "builds-noop/CEILING_LOOPBACK");

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void check_ofSomeCells_passes(String cell, SemanticCheck check) throws Exception {
        check.run(folder);
    }

    private static Stream<Arguments> check_ofSomeCells_passes() throws Exception {
        return all().filter(cell -> SOME.contains((String) cell.get()[0]));
    }

    @Tag("slow")
    @ParameterizedTest(name = "{0}")
    @MethodSource
    void check_ofEachCell_passes(String cell, SemanticCheck check) throws Exception {
        check.run(folder);
    }

    private static Stream<Arguments> check_ofEachCell_passes() throws Exception {
        return all();
    }

    private static Stream<Arguments> all() throws Exception {
        Matrix matrix = MatrixReader.fromClassPath(BuildChecksTest.class.getClassLoader());
        return new BuildChecks()
                .checks(matrix).stream().map(check -> Arguments.of(check.workload() + "/" + check.subject(), check));
    }
}
