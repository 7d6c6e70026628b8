package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Profilers;
import dev.touchstone.harness.run.Selection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that {@code quick}, {@code full} and {@code run} share. */
final class MeasureOptions {
    @Option(
            names = "--data",
            paramLabel = "<folder>",
            description =
                    "Where the benchmarks put their files: the disk that is measured. Default: a folder here, deleted after.")
    @Nullable
    Path data;

    @Option(
            names = "--results",
            paramLabel = "<folder>",
            defaultValue = "results",
            description = "Where runs are recorded. Default: ${DEFAULT-VALUE}.")
    Path results = Path.of("results");

    @Option(
            names = "--resume",
            paramLabel = "<run>",
            arity = "0..1",
            fallbackValue = "",
            description = "Go on with a recorded run; without a folder, with the newest unfinished one.")
    @Nullable
    String resume;

    @Option(names = "--parts", paramLabel = "<part>", split = ",", description = "Only these parts, as in queue,index.")
    Set<String> parts = new LinkedHashSet<>();

    @Option(
            names = "--prof",
            paramLabel = "<name>",
            split = ",",
            description = "gc: allocation; flame: flame graphs; jfr: recordings. Files go to the run's folder.")
    Set<Profilers.Name> profilers = EnumSet.noneOf(Profilers.Name.class);

    @Option(names = "--json", description = "One JSON document on stdout in place of the table.")
    boolean json;

    /** The whole of the chosen parts. */
    Selection selection() {
        return selection(List.of(), Set.of(), List.of(), new TreeMap<>(), List.of());
    }

    Selection selection(
            List<Pattern> workloads,
            Set<String> subjects,
            List<Integer> threads,
            SortedMap<String, String> params,
            List<Integer> rates) {
        return new Selection(parts, new ArrayList<>(workloads), subjects, threads, params, rates);
    }
}
