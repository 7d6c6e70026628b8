package dev.touchstone.harness.run.fork;

import dev.touchstone.harness.paced.PaceJar;
import dev.touchstone.harness.paced.PaceProfiler;
import dev.touchstone.harness.paced.ResponseTimes;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.Timing;
import dev.touchstone.harness.store.Latency;
import dev.touchstone.harness.store.Metric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;

/**
 * The mode beside JMH's own: a benchmark's calls come at a fixed rate, and each is timed from when it was due, so that what waits behind a slow
 * call counts too. Any benchmark can be run so, without being written for it; the score is the 99th percentile. The threads of a JMH group share
 * the rate evenly. A single-shot benchmark has the calls of each batch come at the rate.
 *
 * <p>Fixtures of JMH's level Invocation count as part of the call.
 *
 * @param latency of all measured iterations together
 * @param iterations each by itself
 * @param methods each benchmark method's iterations; more than one method in a JMH group
 */
public record FixedRate(
        Latency latency, List<ResponseTimes> iterations, SortedMap<String, List<ResponseTimes>> methods) {
    /** The highest rate: beyond it the looks at the clock are most of the work. */
    public static final int MAX = 10_000_000;

    /** JMH has no such mode; this is what stands in its place. */
    static final String MODE = "paced";

    private static final String UNIT = "us/op";
    private static final double SCORE_PERCENTILE = 99;
    private static final Map<String, Double> PERCENTILES = Map.of(
            "response p50",
            50.0,
            "response p90",
            90.0,
            Latency.TAIL,
            99.9,
            "response p99.99",
            99.99,
            "response max",
            100.0);
    private static final String JAR = "touchstone-pace.jar";
    private static final String TIMES = "touchstone-pace.txt";

    /** Copies the list of iterations. */
    public FixedRate {
        iterations = List.copyOf(iterations);
    }

    /** Refuses a rate where there is none, or where the benchmark can't have one. */
    public static void check(Cell cell, Timing timing) throws MatrixException {
        String rate = cell.params().get(Cell.RATE);
        if (rate == null) {
            return;
        }
        String at = "workload '" + cell.workload() + "' at a fixed rate: ";
        if (!rate.matches("[1-9][0-9]{0,7}") || Integer.parseInt(rate) > MAX) {
            throw new MatrixException(at + "expected 1.." + MAX + " calls a second, got " + rate);
        }
        if (timing.singleShot() && timing.batch() < 2) {
            throw new MatrixException(
                    at + "its benchmark makes one call an iteration; give it @Measurement(batchSize = ...)");
        }
        if (Integer.parseInt(rate) < cell.threads()) {
            throw new MatrixException(
                    at + "expected a call a second for each of " + cell.threads() + " threads at least, got " + rate);
        }
    }

    /**
     * Returns the class path of the fork.
     *
     * @param folder the fork's own
     * @param build class path of the build that it runs
     */
    static String classPath(Cell cell, Path folder, String build) throws IOException {
        if (cell.ratePerSecond() == 0) {
            return build;
        }
        String generated = JmhCatalog.entry(cell.benchmark()).generatedTarget(); // with the method
        return PaceJar.write(
                folder.toAbsolutePath().resolve(JAR), generated.substring(0, generated.lastIndexOf('.')), build);
    }

    /** Has JMH run the fork at the cell's rate. */
    static void addTo(ChainedOptionsBuilder options, Cell cell) {
        boolean shots = JmhCatalog.mode(cell.benchmark()) == Mode.SingleShotTime;
        // Threads that wait for each other before and after an iteration go on calling, as fast as they can.
        options.mode(shots ? Mode.SingleShotTime : Mode.Throughput)
                .syncIterations(false)
                .addProfiler(PaceProfiler.class);
    }

    /** Returns the flags of the fork's JVM. */
    static List<String> jvmArgs(Cell cell, Path folder) {
        return cell.ratePerSecond() == 0
                ? List.of()
                : List.of(
                        "-D" + PaceProfiler.RATE_PROPERTY + "=" + cell.ratePerSecond(),
                        "-D" + PaceProfiler.FILE_PROPERTY + "="
                                + folder.toAbsolutePath().resolve(TIMES));
    }

    /** Reads what the fork wrote; returns null where it ran in a mode of JMH's own. */
    static @Nullable FixedRate read(Cell cell, Path folder) throws IOException {
        if (cell.ratePerSecond() == 0) {
            return null;
        }
        SortedMap<String, List<ResponseTimes>> methods = new TreeMap<>();
        List<ResponseTimes> iterations = new ArrayList<>();
        Path file = folder.resolve(TIMES);
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            List<ResponseTimes> parts = new ArrayList<>();
            for (String part : line.split("\t", -1)) {
                int space = part.indexOf(' ');
                parts.add(ResponseTimes.parse(part.substring(space + 1)));
                methods.computeIfAbsent(part.substring(0, space), name -> new ArrayList<>())
                        .add(parts.get(parts.size() - 1));
            }
            iterations.add(ResponseTimes.merged(parts));
        }
        ResponseTimes all = ResponseTimes.merged(iterations);
        if (all.made() == 0) {
            throw new IllegalStateException("no call was made at the fixed rate");
        }
        return new FixedRate(Latency.of(cell.ratePerSecond(), all), iterations, methods);
    }

    Metric primary() {
        return metric(iterations, SCORE_PERCENTILE);
    }

    SortedMap<String, Metric> secondary() {
        SortedMap<String, Metric> metrics = new TreeMap<>();
        PERCENTILES.forEach((name, percentile) -> metrics.put(name, metric(iterations, percentile)));
        if (methods.size() > 1) {
            methods.forEach((method, times) -> metrics.put(method + " p99", metric(times, SCORE_PERCENTILE)));
        }
        return metrics;
    }

    private static Metric metric(List<ResponseTimes> times, double percentile) {
        List<Double> each = times.stream().map(one -> one.micros(percentile)).toList();
        return new Metric(MODE, UNIT, ResponseTimes.merged(times).micros(percentile), each);
    }
}
