package dev.touchstone.harness.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs semantic checks in this JVM, each in a folder of its own. */
public final class CheckRunner {
    private CheckRunner() {}

    /** The checks on the class path: those that are there, then those that are made for the matrix. */
    public static List<SemanticCheck> load(ClassLoader loader, Matrix matrix) {
        Stream<SemanticCheck> single =
                ServiceLoader.load(SemanticCheck.class, loader).stream().map(ServiceLoader.Provider::get);
        Stream<SemanticCheck> made = ServiceLoader.load(SemanticCheckSource.class, loader).stream()
                .flatMap(source -> source.get().checks(matrix).stream());
        return Stream.concat(single, made).toList();
    }

    /** Runs all, one after the other; {@code results} hears of each as it ends. */
    public static void run(List<SemanticCheck> checks, Path dataFolder, Consumer<CheckResult> results)
            throws IOException {
        for (SemanticCheck check : checks) {
            Path own = Files.createTempDirectory(dataFolder, "check-");
            try {
                results.accept(run(check, own));
            } finally {
                Folders.delete(own);
            }
        }
    }

    private static CheckResult run(SemanticCheck check, Path folder) {
        long start = System.nanoTime();
        String error = null;
        try {
            check.run(folder);
        } catch (CheckFailedException e) {
            error = e.getMessage();
        } catch (IOException | RuntimeException | LinkageError | AssertionError e) {
            error = ForkFailure.describe(e);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        return new CheckResult(check.workload(), check.subject(), error, millis);
    }
}
