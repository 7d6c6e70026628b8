package dev.touchstone.benchmarks.messaging;

import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.SemanticCheck;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
final class MessagingSemanticChecksTest {

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void check_ofEachCell_passes(String cell, SemanticCheck check) throws Exception {
        Subjects.assumeRuns(MessagingType.valueOf(check.subject()));
        check.run(folder);
    }

    private static Stream<Arguments> check_ofEachCell_passes() throws MatrixException {
        return new MessagingCheckSource()
                .checks(MatrixReader.fromClassPath(MessagingSemanticChecksTest.class.getClassLoader())).stream()
                        .map(check -> Arguments.of(check.workload() + "/" + check.subject(), check));
    }
}
