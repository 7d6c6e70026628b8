package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.fork.JmhLock;
import dev.touchstone.harness.run.fork.Profilers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that {@code quick}, {@code full} and {@code run} share. */
final class MeasureOptions {
    @Option(
            names = "--data",
            paramLabel = "<folder>",
            description =
                    "Existing folder on the disk to measure; benchmarks write below it. Default: the current folder.")
    @Nullable
    Path data;

    @Option(
            names = "--results",
            paramLabel = "<folder>",
            defaultValue = "results",
            description = "Folder where runs are recorded. Default: ${DEFAULT-VALUE}.")
    Path results = Path.of("results");

    @Option(
            names = "--resume",
            paramLabel = "<run>",
            arity = "0..1",
            fallbackValue = "",
            description = "Continue a recorded run; without a folder, the newest unfinished one.")
    @Nullable
    String resume;

    @Option(
            names = "--parts",
            paramLabel = "<part>",
            split = ",",
            description = "Only these parts, such as queue,index. Default: all.")
    Set<String> parts = new LinkedHashSet<>();

    @Option(
            names = "--prof",
            paramLabel = "<name>",
            split = ",",
            description =
                    "Profilers: gc (allocation), perf (instructions and processor time), flame (flame graphs), jfr (recordings). Files go to the run's folder.")
    Set<Profilers.Name> profilers = EnumSet.noneOf(Profilers.Name.class);

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the table.")
    boolean json;

    @Option(
            names = "--lock-wait",
            paramLabel = "<time>",
            defaultValue = JmhLock.DEFAULT_WAIT,
            description = "Most time to wait for another JMH run on this machine. Default: ${DEFAULT-VALUE}.")
    Duration lockWait = Durations.parse(JmhLock.DEFAULT_WAIT);

    /** Returns the selection of all workloads of the chosen parts. */
    Selection selection() {
        return new Selection(parts, List.of(), Set.of(), List.of(), new TreeMap<>(), List.of());
    }

    /** The options of {@code run}, {@code compare} and {@code nightly} that change the cells of the matrix. */
    static final class Cells {
        @Option(
                names = "--threads",
                paramLabel = "<n>",
                split = ",",
                description = "Thread counts to measure instead of the matrix's.")
        private List<Integer> threads = new ArrayList<>();

        @Option(
                names = "--param",
                paramLabel = "<name=value>",
                description = "Value of a benchmark parameter instead of the matrix's; may be repeated.")
        private Map<String, String> params = new LinkedHashMap<>();

        @Option(
                names = "--rate",
                paramLabel = "<calls/s>",
                split = ",",
                description =
                        "Measure response times at this fixed rate of all threads together, instead of JMH's modes.")
        private List<Integer> rates = new ArrayList<>();

        Selection selection(Set<String> parts, List<String> workloads, Set<String> subjects) {
            return new Selection(
                    parts,
                    Values.patterns(workloads),
                    subjects,
                    Values.threads(threads),
                    new TreeMap<>(Values.params(params)),
                    Values.rates(rates));
        }
    }
}
