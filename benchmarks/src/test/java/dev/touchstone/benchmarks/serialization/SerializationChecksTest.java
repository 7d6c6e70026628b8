package dev.touchstone.benchmarks.serialization;

import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.SemanticCheck;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The semantic checks of every cell of the matrix hold. */
@Timeout(120)
@Tag("sweep")
final class SerializationChecksTest {

    private static final SerializationChecks CHECKS = new SerializationChecks();

    @TempDir
    private static Path folder;

    @AfterAll
    static void close() {
        CHECKS.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void check_ofEachCell_passes(String cell, SemanticCheck check) throws Exception {
        check.run(folder);
    }

    private static Stream<Arguments> check_ofEachCell_passes() throws MatrixException {
        return CHECKS.checks(MatrixReader.fromClassPath(SerializationChecksTest.class.getClassLoader())).stream()
                .map(check -> Arguments.of(check.workload() + "/" + check.subject(), check));
    }
}
