package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What of two builds is measured, and how long: the options that {@code compare} and {@code nightly} share. */
final class CompareOptions {
    private static final int SCREEN_ROUNDS = 8;
    private static final int CONFIRM_ROUNDS = 12;

    @Option(
            names = "--workloads",
            paramLabel = "<regex>",
            description = "Looked for in ids of workloads and names of benchmarks; may be given again.")
    private List<String> workloads = new ArrayList<>();

    @Option(
            names = "--threads",
            paramLabel = "<n>",
            split = ",",
            description = "Thread counts in place of the matrix's.")
    private List<Integer> threads = new ArrayList<>();

    @Option(
            names = "--param",
            paramLabel = "<name=value>",
            description = "A benchmark parameter in place of the matrix's.")
    private Map<String, String> params = new LinkedHashMap<>();

    @Option(
            names = "--rate",
            paramLabel = "<calls/s>",
            split = ",",
            description = "Response times at a fixed rate of calls, of all threads together, in place of JMH's modes.")
    private List<Integer> rates = new ArrayList<>();

    @Option(
            names = "--rounds",
            paramLabel = "<n>",
            defaultValue = "" + SCREEN_ROUNDS,
            description = "Pairs of forks of every cell. Default: ${DEFAULT-VALUE}.")
    private int rounds = SCREEN_ROUNDS;

    @Option(
            names = "--confirm",
            paramLabel = "<n>",
            defaultValue = "" + CONFIRM_ROUNDS,
            description = "Fresh pairs of forks of what seems to differ. Default: ${DEFAULT-VALUE}.")
    private int confirm = CONFIRM_ROUNDS;

    @Option(
            names = "--warmup",
            paramLabel = "<n>x<time>",
            defaultValue = "2x500ms",
            description = "Of every fork. Default: ${DEFAULT-VALUE}.")
    private Phase warmup = new Phase(2, Duration.ofMillis(500));

    @Option(
            names = "--measure",
            paramLabel = "<n>x<time>",
            defaultValue = "3x500ms",
            description = "Of every fork. Default: ${DEFAULT-VALUE}.")
    private Phase measure = new Phase(3, Duration.ofMillis(500));

    @Option(names = "--budget", paramLabel = "<time>", description = "Wall time, as in 10m. Default: no limit.")
    private @Nullable Duration budget;

    Selection selection(MeasureOptions options) {
        return options.selection(
                Values.patterns(workloads),
                Set.of(),
                Values.threads(threads),
                new TreeMap<>(Values.params(params)),
                Values.rates(rates));
    }

    /** Whether nothing was chosen, so that the quick profile chooses. */
    boolean quick(MeasureOptions options) {
        return workloads.isEmpty() && options.parts.isEmpty();
    }

    Settings settings(List<String> jmhOptions) {
        return Settings.comparing(sampling(), Values.rounds(rounds), Values.confirming(confirm), budget, jmhOptions);
    }

    /** Settings with a budget where none was given. */
    Settings within(Duration otherwise, List<String> jmhOptions) {
        Duration most = budget == null ? otherwise : budget;
        return Settings.comparing(sampling(), Values.rounds(rounds), Values.confirming(confirm), most, jmhOptions);
    }

    Settings calibrating(List<String> jmhOptions) {
        return Settings.calibrating(sampling(), Values.rounds(rounds), budget, jmhOptions);
    }

    private Sampling sampling() {
        return new Sampling(warmup, measure);
    }
}
