package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.plan.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quick}: a first comparison within three minutes. */
@Command(
        name = "quick",
        description =
                "Compares our subjects with their peers in minutes: short iterations in several interleaved rounds.")
final class QuickCommand implements Callable<Integer> {
    static final Duration BUDGET = Duration.ofMinutes(3);

    private final Invocation invocation;

    @Mixin
    private MeasureOptions options = new MeasureOptions();

    @Option(
            names = "--budget",
            paramLabel = "<time>",
            defaultValue = "3m",
            description = "Most wall time to spend. Default: ${DEFAULT-VALUE}.")
    private Duration budget = BUDGET;

    QuickCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Measurement measurement = new Measurement(invocation, options);
        List<List<Cell>> comparisons = measurement.comparisons(options.selection(), Extent.QUICK);
        int cells = comparisons.stream().mapToInt(List::size).sum();
        return measurement.run(Profile.QUICK, comparisons, Settings.quick(cells, budget, invocation.jmhOptions()));
    }
}
