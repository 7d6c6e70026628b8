package dev.touchstone.harness.run;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Defaults;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks that JMH's annotation processor has listed on this class path. */
public final class JmhCatalog implements BenchmarkCatalog {
    private final Map<String, Timing> timings = new HashMap<>();
    private final Map<String, Set<String>> params = new HashMap<>();

    /** Creates a catalogue of the given entries; a benchmark has one for each of its modes, and the last counts. */
    JmhCatalog(Collection<BenchmarkListEntry> entries) {
        for (BenchmarkListEntry entry : entries) {
            timings.put(entry.getUsername(), timing(entry));
            Set<String> names = params.computeIfAbsent(entry.getUsername(), name -> new TreeSet<>());
            names.addAll(entry.getParams().orElse(Map.of()).keySet());
        }
    }

    /**
     * Reads JMH's list from the class path.
     *
     * @return its benchmarks; empty if the class path has no list
     */
    public static JmhCatalog load() {
        return new JmhCatalog(entries());
    }

    /**
     * Returns whether JMH would run anything for a regular expression.
     *
     * @param regexp is searched for in the names of benchmarks, {@code package.Class.method}
     * @return false also if the class path has no list
     * @throws java.util.regex.PatternSyntaxException if it is not a regular expression
     */
    public static boolean matches(String regexp) {
        return !matching(List.of(regexp)).isEmpty();
    }

    /** Returns JMH's list; empty where the class path has none. */
    static Collection<BenchmarkListEntry> entries() {
        return matching(List.of());
    }

    /**
     * Returns the last entry of a benchmark: JMH's list has one for each of its modes.
     *
     * @param benchmark fully qualified method
     * @return the entry
     * @throws IllegalArgumentException if there is no such benchmark
     */
    public static BenchmarkListEntry entry(String benchmark) {
        BenchmarkListEntry last = null;
        for (BenchmarkListEntry entry : matching(List.of("^" + Pattern.quote(benchmark) + "$"))) {
            last = entry;
        }
        if (last == null) {
            throw new IllegalArgumentException("no such benchmark on the class path: " + benchmark);
        }
        return last;
    }

    /**
     * Returns the mode that a benchmark is measured in.
     *
     * @param benchmark fully qualified method
     * @return the last where it is annotated with several
     */
    public static Mode mode(String benchmark) {
        Mode mode = entry(benchmark).getMode();
        return mode == Mode.All ? Mode.Throughput : mode;
    }

    @Override
    public Optional<Timing> find(String benchmark) {
        return Optional.ofNullable(timings.get(benchmark));
    }

    /**
     * Returns the names of a benchmark's {@code @Param} fields.
     *
     * @param benchmark fully qualified name, {@code package.Class.method}
     * @return the names; empty if there is no such benchmark
     */
    public Set<String> params(String benchmark) {
        return params.getOrDefault(benchmark, Set.of());
    }

    private static Collection<BenchmarkListEntry> matching(List<String> includes) {
        boolean listed = JmhCatalog.class.getResource(BenchmarkList.BENCHMARK_LIST) != null;
        return listed ? BenchmarkList.defaultList().find(silence(), includes, List.of()) : List.of();
    }

    private static OutputFormat silence() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT);
    }

    private static Timing timing(BenchmarkListEntry entry) {
        boolean singleShot = entry.getMode() == Mode.SingleShotTime;
        Phase warmup = new Phase(
                entry.getWarmupIterations()
                        .orElse(singleShot ? Defaults.WARMUP_ITERATIONS_SINGLESHOT : Defaults.WARMUP_ITERATIONS),
                duration(entry.getWarmupTime().orElse(Defaults.WARMUP_TIME)));
        Phase measurement = new Phase(
                entry.getMeasurementIterations()
                        .orElse(
                                singleShot
                                        ? Defaults.MEASUREMENT_ITERATIONS_SINGLESHOT
                                        : Defaults.MEASUREMENT_ITERATIONS),
                duration(entry.getMeasurementTime().orElse(Defaults.MEASUREMENT_TIME)));
        return new Timing(singleShot, entry.getMeasurementBatchSize().orElse(1), warmup, measurement);
    }

    private static Duration duration(TimeValue time) {
        return Duration.ofNanos(time.convertTo(TimeUnit.NANOSECONDS));
    }
}
