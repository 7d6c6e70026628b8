package dev.touchstone.benchmarks.serialization;

import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.MatrixReader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The semantic checks of every cell of the matrix hold. */
@Timeout(120)
final class SerializationChecksTest {

    private static final SerializationChecks CHECKS = new SerializationChecks();

    @TempDir
    private Path folder;

    @AfterAll
    static void close() {
        CHECKS.close();
    }

    @TestFactory
    Stream<DynamicTest> checks_eachOfSerialization_passes() throws MatrixException {
        return CHECKS.checks(MatrixReader.fromClassPath(SerializationChecksTest.class.getClassLoader())).stream()
                .map(check ->
                        DynamicTest.dynamicTest(check.workload() + "/" + check.subject(), () -> check.run(folder)));
    }
}
