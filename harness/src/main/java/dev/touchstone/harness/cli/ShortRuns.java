package dev.touchstone.harness.cli;

import dev.touchstone.harness.report.Units;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.CheckResult;
import dev.touchstone.harness.run.ForkRunner;
import dev.touchstone.harness.run.ForkSpec;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Every benchmark for a moment: one that fails is told, and one whose operation takes less time than any work can. The compiler has then found
 * that nobody needs what it computes, and has left it out.
 */
final class ShortRuns {
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private final ForkRunner runner;

    ShortRuns(ForkRunner runner) {
        this.runner = runner;
    }

    void run(List<ForkSpec> forks, Consumer<CheckResult> results) {
        for (ForkSpec fork : forks) {
            ForkResult result = runner.run(fork, DEADLINE);
            Cell cell = fork.cell();
            results.accept(new CheckResult(
                    cell.workload(), cell.subject(), complaint(result, cell.threads()), result.wallMillis()));
        }
    }

    static @Nullable String complaint(ForkResult result, int threads) {
        Metric score = result.primary();
        if (score == null) {
            return String.valueOf(result.error());
        }
        return Units.unbelievable(score.score(), score.unit(), threads)
                ? String.format(
                        Locale.ROOT,
                        "an operation in less than three cycles (%.3g %s): nothing uses what it computes",
                        score.score(),
                        score.unit())
                : null;
    }
}
