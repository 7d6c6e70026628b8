package dev.touchstone.harness.run.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A wrong benchmark comes out as a failed check with its reason. */
class CheckRunnerTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private final List<CheckResult> results = new ArrayList<>();

    @Test
    void run_checkThatFailsOrThrowsOrHasNoClass_failsAndTheOthersRun() throws Exception {
        boolean ended = CheckRunner.run(
                List.of(
                        check(() -> {
                            throw new CheckFailedException("expected 1 element, got 0");
                        }),
                        check(() -> {
                            throw new NoClassDefFoundError("gone");
                        }),
                        check(() -> {})),
                folder,
                LONG,
                results::add);
        assertThat(ended).isTrue();
        assertThat(results)
                .extracting(CheckResult::error)
                .containsExactly("expected 1 element, got 0", "NoClassDefFoundError: gone", null);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void run_checkThatDoesNotEnd_failsWithItsPlaceAndIsTheLast() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        boolean ended = CheckRunner.run(
                List.of(
                        check(() -> {
                            try {
                                never.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        }),
                        check(() -> {})),
                folder,
                SHORT,
                results::add);
        assertThat(ended).isFalse();
        assertThat(results).hasSize(1);
        assertThat(results.get(0).error()).startsWith("not done after 0 s").contains(": at ");
    }

    private static CellCheck check(Work work) {
        return new CellCheck("w", "OURS", new SemanticCheck() {
            @Override
            public String observes() {
                return "nothing";
            }

            @Override
            public void run(Path dataFolder) throws CheckFailedException {
                work.run();
            }
        });
    }

    private interface Work {
        void run() throws CheckFailedException;
    }
}
