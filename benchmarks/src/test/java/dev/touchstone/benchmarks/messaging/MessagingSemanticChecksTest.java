package dev.touchstone.benchmarks.messaging;

import dev.touchstone.harness.run.SemanticCheck;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class MessagingSemanticChecksTest {

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> checks_eachOfMessaging_passes() {
        return ServiceLoader.load(SemanticCheck.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(MessagingCheck.class::isInstance)
                .map(check -> DynamicTest.dynamicTest(check.workload() + "/" + check.subject(), () -> {
                    Subjects.assumeRuns(MessagingType.valueOf(check.subject()));
                    check.run(folder);
                }));
    }
}
