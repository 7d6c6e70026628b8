package dev.touchstone.harness.run.fork;

import dev.touchstone.harness.store.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** JMH's results as ours. What is not a finite number is left out: a counter that never counted has no rate. */
final class JmhResults {
    /** The end of an event's name where perf may count only what the process does itself. */
    private static final Pattern USER_ONLY = Pattern.compile(":u$");

    private JmhResults() {}

    /** The benchmark's own score. @throws IllegalStateException if it is not a number */
    static Metric primary(RunResult run) {
        Result<?> result = run.getPrimaryResult();
        if (!Double.isFinite(result.getScore())) {
            throw new IllegalStateException("the score is not a number: " + result.getScore());
        }
        List<Double> iterations = new ArrayList<>();
        for (IterationResult iteration : iterations(run)) {
            addFinite(iterations, iteration.getPrimaryResult().getScore());
        }
        return metric(run, result, iterations);
    }

    /** Auxiliary counters, the methods of a group, and what profilers found, by JMH's label. */
    static SortedMap<String, Metric> secondary(RunResult run) {
        SortedMap<String, Metric> metrics = new TreeMap<>();
        for (Map.Entry<String, ?> entry : run.getSecondaryResults().entrySet()) {
            Result<?> result = (Result<?>) entry.getValue();
            if (Double.isFinite(result.getScore())) {
                metrics.put(
                        USER_ONLY.matcher(entry.getKey()).replaceFirst(""),
                        metric(run, result, secondaryIterations(run, entry.getKey())));
            }
        }
        return metrics;
    }

    private static List<Double> secondaryIterations(RunResult run, String label) {
        List<Double> scores = new ArrayList<>();
        for (IterationResult iteration : iterations(run)) {
            Object result = iteration.getSecondaryResults().get(label);
            if (result instanceof Result<?> known) {
                addFinite(scores, known.getScore());
            }
        }
        return scores;
    }

    private static List<IterationResult> iterations(RunResult run) {
        List<IterationResult> iterations = new ArrayList<>();
        for (BenchmarkResult fork : run.getBenchmarkResults()) {
            iterations.addAll(fork.getIterationResults());
        }
        return iterations;
    }

    private static Metric metric(RunResult run, Result<?> result, List<Double> iterations) {
        String mode = run.getParams().getMode().shortLabel();
        return new Metric(mode, result.getScoreUnit(), result.getScore(), List.copyOf(iterations));
    }

    private static void addFinite(List<Double> scores, double score) {
        if (Double.isFinite(score)) {
            scores.add(score);
        }
    }
}
