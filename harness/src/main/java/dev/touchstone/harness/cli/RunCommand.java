package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.plan.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code run}: measures chosen workloads with chosen settings. */
@Command(
        name = "run",
        customSynopsis = "touchstone run [OPTIONS] [<workload>...] [-- JMH options]",
        description = {
            "Measures the workloads that you choose, with the settings that you choose.",
            "",
            "Arguments after -- are passed to JMH, for example: run queue-scan -- -prof gc"
        })
final class RunCommand implements Callable<Integer> {
    private static final int DEFAULT_ROUNDS = 5;

    private final Invocation invocation;

    @Parameters(
            arity = "0..*",
            paramLabel = "<workload>",
            description = "Regular expression that a workload's id or benchmark name must match. Default: all.")
    private List<String> workloads = new ArrayList<>();

    @Option(
            names = "--subjects",
            paramLabel = "<name>",
            split = ",",
            description = "Only these subjects. Default: all.")
    private Set<String> subjects = new LinkedHashSet<>();

    @Mixin
    private MeasureOptions.Cells cells = new MeasureOptions.Cells();

    @Option(
            names = "--rounds",
            paramLabel = "<n>",
            defaultValue = "" + DEFAULT_ROUNDS,
            description = "Forks of each cell. Default: ${DEFAULT-VALUE}.")
    private int rounds = DEFAULT_ROUNDS;

    @Option(
            names = "--warmup",
            paramLabel = "<n>x<time>",
            description = "Warm-up iterations of each fork, such as 3x10s. Default: as the benchmark declares.")
    private @Nullable Phase warmup;

    @Option(
            names = "--measure",
            paramLabel = "<n>x<time>",
            description = "Measured iterations of each fork, such as 5x500ms. Default: as the benchmark declares.")
    private @Nullable Phase measure;

    @Option(
            names = "--budget",
            paramLabel = "<time>",
            description = "Most wall time to spend, such as 10m. Default: no limit.")
    private @Nullable Duration budget;

    @Mixin
    private MeasureOptions options = new MeasureOptions();

    RunCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Measurement measurement = new Measurement(invocation, options);
        Sampling sampling = new Sampling(warmup, measure);
        int checked = Values.rounds(rounds);
        var selection = cells.selection(options.parts, workloads, subjects);
        return measurement.run(
                Profile.RUN,
                measurement.comparisons(selection, Extent.ALL),
                Settings.chosen(sampling, checked, budget, invocation.jmhOptions()));
    }
}
