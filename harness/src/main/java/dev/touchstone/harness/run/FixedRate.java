package dev.touchstone.harness.run;

import dev.touchstone.harness.paced.PaceAgent;
import dev.touchstone.harness.paced.PaceProfiler;
import dev.touchstone.harness.paced.ResponseTimes;
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
 * call counts too. Any benchmark can be run so, without being written for it; the score is the 99th percentile.
 *
 * <p>Fixtures of JMH's level Invocation count as part of the call.
 *
 * @param latency of all measured iterations together
 * @param iterations each by itself
 */
public record FixedRate(Latency latency, List<ResponseTimes> iterations) {
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
            "response p99.9",
            99.9,
            "response p99.99",
            99.99,
            "response max",
            100.0);
    private static final String AGENT = "touchstone-pace.jar";
    private static final String TIMES = "touchstone-pace.txt";

    /** Copies. */
    public FixedRate {
        iterations = List.copyOf(iterations);
    }

    /** Refuses a rate where there is none, or where the benchmark can't have one. */
    static void check(Cell cell, Timing timing) throws MatrixException {
        String rate = cell.params().get(Cell.RATE);
        if (rate == null) {
            return;
        }
        String at = "workload '" + cell.workload() + "' at a fixed rate: ";
        if (!rate.matches("[1-9][0-9]{0,7}") || Integer.parseInt(rate) > MAX) {
            throw new MatrixException(at + "expected 1.." + MAX + " calls a second, got " + rate);
        }
        if (timing.singleShot()) {
            throw new MatrixException(at + "its benchmark times single calls");
        }
        if (cell.threads() == 0) {
            throw new MatrixException(at + "its benchmark is a group, whose threads do unlike things");
        }
        if (Integer.parseInt(rate) < cell.threads()) {
            throw new MatrixException(
                    at + "expected a call a second for each of " + cell.threads() + " threads at least, got " + rate);
        }
    }

    /**
     * What the fork's JVM is started with.
     *
     * @param folder the fork's own
     */
    static List<String> jvmArgs(Cell cell, Path folder) throws IOException {
        if (cell.ratePerSecond() == 0) {
            return List.of();
        }
        Path agent = folder.toAbsolutePath().resolve(AGENT);
        AgentJar.write(agent, PaceAgent.class);
        return List.of(
                "-javaagent:" + agent + "=" + cell.ratePerSecond(),
                "-D" + PaceProfiler.FILE_PROPERTY + "="
                        + folder.toAbsolutePath().resolve(TIMES));
    }

    static void addTo(ChainedOptionsBuilder options, Cell cell) {
        if (cell.ratePerSecond() > 0) {
            // Threads that wait for each other before and after an iteration go on calling, as fast as they can.
            options.mode(Mode.Throughput).syncIterations(false).addProfiler(PaceProfiler.class);
        }
    }

    /** What the fork wrote; null where it ran in a mode of JMH's own. */
    static @Nullable FixedRate read(Cell cell, Path folder) throws IOException {
        if (cell.ratePerSecond() == 0) {
            return null;
        }
        List<ResponseTimes> iterations = new ArrayList<>();
        Path file = folder.resolve(TIMES);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                iterations.add(ResponseTimes.parse(line));
            }
        }
        ResponseTimes all = ResponseTimes.merged(iterations);
        if (all.made() == 0) {
            throw new IllegalStateException("no call was made at the fixed rate");
        }
        return new FixedRate(Latency.of(cell.ratePerSecond(), all), iterations);
    }

    Metric primary() {
        return metric(SCORE_PERCENTILE);
    }

    SortedMap<String, Metric> secondary() {
        SortedMap<String, Metric> metrics = new TreeMap<>();
        PERCENTILES.forEach((name, percentile) -> metrics.put(name, metric(percentile)));
        return metrics;
    }

    private Metric metric(double percentile) {
        List<Double> each =
                iterations.stream().map(times -> times.micros(percentile)).toList();
        return new Metric(MODE, UNIT, latency.times().micros(percentile), each);
    }
}
