package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.plan.Settings;
import dev.touchstone.harness.stats.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code compare} and {@code nightly} that choose the cells and the time to measure them. */
final class CompareOptions {
    private static final int ROUNDS = 40;
    private static final int CALIBRATION_ROUNDS = 8;

    @Option(
            names = "--workloads",
            paramLabel = "<regex>",
            description = "Only workloads whose id or benchmark name matches; may be repeated.")
    private List<String> workloads = new ArrayList<>();

    @Mixin
    private MeasureOptions.Cells cells = new MeasureOptions.Cells();

    @Option(
            names = "--rounds",
            paramLabel = "<n>",
            description = "Most pairs of forks for each cell; a cell ends earlier when it is decided. Default: "
                    + ROUNDS + "; " + CALIBRATION_ROUNDS + " with --aa.")
    private @Nullable Integer rounds;

    @Option(
            names = "--margin",
            paramLabel = "<percent>",
            defaultValue = "" + Verdict.MARGIN_PERCENT,
            description = "Sides that differ by no more are the same. Default: ${DEFAULT-VALUE}.")
    private double margin = Verdict.MARGIN_PERCENT;

    @Option(
            names = "--warmup",
            paramLabel = "<n>x<time>",
            defaultValue = "2x500ms",
            description = "Warm-up iterations of each fork. Default: ${DEFAULT-VALUE}.")
    private Phase warmup = new Phase(2, Duration.ofMillis(500));

    @Option(
            names = "--measure",
            paramLabel = "<n>x<time>",
            defaultValue = "3x500ms",
            description = "Measured iterations of each fork. Default: ${DEFAULT-VALUE}.")
    private Phase measure = new Phase(3, Duration.ofMillis(500));

    @Option(
            names = "--budget",
            paramLabel = "<time>",
            description = "Most wall time to spend, such as 10m. Default: no limit; 45m for nightly.")
    private @Nullable Duration budget;

    Selection selection(MeasureOptions options) {
        return cells.selection(options.parts, workloads, Set.of());
    }

    /** Returns all of what the user chose, and {@code otherwise} if that was nothing. */
    Extent extent(MeasureOptions options, Extent otherwise) {
        return workloads.isEmpty() && options.parts.isEmpty() ? otherwise : Extent.ALL;
    }

    Settings settings(List<String> jmhOptions) {
        return comparing(budget, jmhOptions);
    }

    /** Returns the settings, with a default budget if the user gave none. */
    Settings within(Duration otherwise, List<String> jmhOptions) {
        return comparing(budget == null ? otherwise : budget, jmhOptions);
    }

    Settings calibrating(List<String> jmhOptions) {
        return Settings.calibrating(sampling(), rounds(CALIBRATION_ROUNDS), budget, jmhOptions);
    }

    private Settings comparing(@Nullable Duration most, List<String> jmhOptions) {
        return Settings.comparing(sampling(), rounds(ROUNDS), Values.margin(margin), most, jmhOptions);
    }

    private int rounds(int otherwise) {
        return Values.rounds(rounds == null ? otherwise : rounds);
    }

    private Sampling sampling() {
        return new Sampling(warmup, measure);
    }
}
