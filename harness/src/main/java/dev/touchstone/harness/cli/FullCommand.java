package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.plan.Settings;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code full}: warm-up, iterations and threads exactly as the benchmarks declare them. */
@Command(
        name = "full",
        description =
                "Measures the whole matrix with the warm-up, iterations and threads that the benchmarks declare. Takes hours.")
final class FullCommand implements Callable<Integer> {
    static final int DEFAULT_ROUNDS = 3;

    private final Invocation invocation;

    @Mixin
    private MeasureOptions options = new MeasureOptions();

    @Option(
            names = "--rounds",
            paramLabel = "<n>",
            defaultValue = "" + DEFAULT_ROUNDS,
            description = "Forks of each cell. Default: ${DEFAULT-VALUE}.")
    private int rounds = DEFAULT_ROUNDS;

    @Option(
            names = "--budget",
            paramLabel = "<time>",
            description = "Most wall time to spend, such as 8h. Default: no limit.")
    private @Nullable Duration budget;

    FullCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Measurement measurement = new Measurement(invocation, options);
        return measurement.run(
                Profile.FULL,
                measurement.comparisons(options.selection(), Extent.ALL),
                Settings.full(Values.rounds(rounds), budget, invocation.jmhOptions()));
    }
}
