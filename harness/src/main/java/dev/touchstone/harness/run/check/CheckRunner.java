package dev.touchstone.harness.run.check;

import dev.touchstone.harness.file.Folders;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.ForkFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs semantic checks in this JVM, each in a folder of its own and on a thread of its own. */
public final class CheckRunner {
    /** Time after which a check that is not done counts as failed, as users write it. */
    public static final String DEFAULT_DEADLINE = "60s";

    private CheckRunner() {}

    /**
     * Runs checks one after the other. The first one that is not done at its deadline is the last: its thread may hold whatever the others need.
     *
     * @param checks checks to run
     * @param dataFolder existing folder below which they write
     * @param deadline time for each check
     * @param results hears of each check as it ends
     * @return whether all checks came to an end
     * @throws IOException if a folder cannot be made or deleted
     */
    public static boolean run(List<CellCheck> checks, Path dataFolder, Duration deadline, Consumer<CheckResult> results)
            throws IOException {
        for (CellCheck check : checks) {
            Path own = Files.createTempDirectory(dataFolder, "check-");
            Running running = new Running(check.check(), own);
            long start = System.nanoTime();
            boolean ended = running.awaitEnd(deadline);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            String error = ended ? running.error() : running.lateness(deadline);
            String unobserved = check.check().unobserved().orElse(null);
            results.accept(new CheckResult(check.workload(), check.subject(), error, unobserved, millis));
            if (!ended) {
                return false;
            }
            Folders.delete(own);
        }
        return true;
    }

    /** A check on its thread. Shared by that thread, which writes the error before it ends, and by the runner, which reads it after. */
    private static final class Running {
        private final AtomicReference<@Nullable String> error = new AtomicReference<>();
        private final Thread thread;

        Running(SemanticCheck check, Path folder) {
            thread = new Thread(() -> error.set(failure(check, folder)), "touchstone-check");
            thread.setDaemon(true);
            thread.start();
        }

        private static @Nullable String failure(SemanticCheck check, Path folder) {
            try {
                check.run(folder);
                return null;
            } catch (CheckFailedException e) {
                return e.getMessage();
            } catch (IOException | RuntimeException | Error e) {
                return ForkFailure.describe(e);
            }
        }

        boolean awaitEnd(Duration deadline) throws IOException {
            try {
                thread.join(Math.max(1, deadline.toMillis()));
                return !thread.isAlive();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while a check ran", e);
            }
        }

        @Nullable
        String error() {
            return error.get();
        }

        /** Says where the thread stands, and interrupts it. */
        String lateness(Duration deadline) {
            StackTraceElement[] stack = thread.getStackTrace();
            thread.interrupt();
            return "not done after " + Durations.about(deadline) + (stack.length == 0 ? "" : ": at " + stack[0]);
        }
    }
}
