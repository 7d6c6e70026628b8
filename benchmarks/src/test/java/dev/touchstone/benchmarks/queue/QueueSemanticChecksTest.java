package dev.touchstone.benchmarks.queue;

import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.SemanticCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@Tag("sweep")
final class QueueSemanticChecksTest {

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> checks_eachOfTheQueue_passes() throws Exception {
        return new QueueCheckSource()
                .checks(MatrixReader.fromClassPath(getClass().getClassLoader())).stream()
                        .map(check -> DynamicTest.dynamicTest(check.workload() + "/" + check.subject(), () -> {
                            NativeSubjects.assumeRuns(QueueType.valueOf(check.subject()));
                            check.run(fresh(check));
                        }));
    }

    private Path fresh(SemanticCheck check) throws IOException {
        return Files.createDirectory(folder.resolve(check.workload() + "-" + check.subject()));
    }
}
