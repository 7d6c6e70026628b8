package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quick}: a first honest answer within three minutes. */
@Command(
        name = "quick",
        sortOptions = false,
        description = "Ours beside its peers within the budget: short iterations, several interleaved rounds.")
final class QuickCommand implements Callable<Integer> {
    static final Duration BUDGET = Duration.ofMinutes(3);

    private final Invocation invocation;

    @Mixin
    private MeasureOptions options = new MeasureOptions();

    @Option(
            names = "--budget",
            paramLabel = "<time>",
            defaultValue = "3m",
            description = "Wall time. Default: ${DEFAULT-VALUE}.")
    private Duration budget = BUDGET;

    @Mixin
    HelpOption help = new HelpOption();

    QuickCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Measurement measurement = new Measurement(invocation, options);
        List<List<Cell>> comparisons = measurement.comparisons(options.selection(), true);
        int cells = comparisons.stream().mapToInt(List::size).sum();
        return measurement.run(Profile.QUICK, comparisons, Settings.quick(cells, budget, invocation.jmhOptions()));
    }
}
