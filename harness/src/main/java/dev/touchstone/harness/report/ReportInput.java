package dev.touchstone.harness.report;

import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.RunFolder;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a report of one run is made from.
 *
 * @param forks in the order in which they ended; of several for one cell and round {@link CountedForks} says which counts
 * @param history this machine's nights up to the run; null where the run is none of them
 * @param seeds figures of the origin documents; {@link SeedFigures#none()} where there are none
 */
public record ReportInput(
        RunInfo run,
        Environment environment,
        Matrix matrix,
        List<ForkResult> forks,
        SeedFigures seeds,
        @Nullable History history) {
    /** A run by itself. */
    public ReportInput(RunInfo run, Environment environment, Matrix matrix, List<ForkResult> forks, SeedFigures seeds) {
        this(run, environment, matrix, forks, seeds, null);
    }

    /** Reads what a run's folder holds. */
    public static ReportInput read(RunFolder folder, Matrix matrix, SeedFigures seeds) throws IOException {
        RunInfo run = folder.readInfo();
        Environment environment = Environment.read(folder.path().resolve(Environment.FILE));
        return new ReportInput(run, environment, matrix, folder.readForks(), seeds);
    }

    /** The run as one of a machine's nights. */
    public ReportInput with(History nights) {
        return new ReportInput(run, environment, matrix, forks, seeds, nights);
    }

    /** The run's forks, compared. */
    public Comparison comparison() {
        return Comparison.of(matrix, forks);
    }

    /** Response times at fixed rates, where the run has any. */
    public Latencies latencies() {
        return Latencies.of(matrix, forks);
    }

    /** The run's build against its baseline; empty where it had none. */
    public Optional<Changes> changes() {
        return run.baseline() == null ? Optional.empty() : Optional.of(Changes.ofBuilds(this));
    }
}
