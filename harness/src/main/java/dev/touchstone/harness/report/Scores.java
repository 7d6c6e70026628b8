package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of one cell's forks.
 *
 * @param forks by round
 */
record Scores(SortedMap<Integer, ForkResult> forks) {
    /** Unit of JMH's counters of events. */
    private static final String EVENTS = "#";

    /** The scores of the forks that ended well. */
    SortedMap<Integer, Double> primary() {
        SortedMap<Integer, Double> scores = new TreeMap<>();
        forks.forEach((round, fork) -> {
            Metric metric = fork.primary();
            if (metric != null && Double.isFinite(metric.score())) {
                scores.put(round, metric.score());
            }
        });
        return scores;
    }

    /** The first primary metric. */
    Optional<Metric> sample() {
        return forks.values().stream()
                .flatMap(fork -> Optional.ofNullable(fork.primary()).stream())
                .findFirst();
    }

    /** Median over forks of a counter's number per operation, by label. */
    SortedMap<String, Double> perOperation(SortedMap<String, String> counterByLabel) {
        SortedMap<String, Double> result = new TreeMap<>();
        counterByLabel.forEach((label, counter) -> {
            List<Double> ratios = new ArrayList<>();
            for (ForkResult fork : forks.values()) {
                Metric score = fork.primary();
                Metric count = fork.secondary().get(counter);
                if (score != null && count != null && score.score() > 0) {
                    ratios.add(perOperation(score, count));
                }
            }
            ratios.removeIf(ratio -> !Double.isFinite(ratio));
            if (!ratios.isEmpty()) {
                result.put(label, Summary.of(ratios).median());
            }
        });
        return result;
    }

    /** Returns counts of events, and scores in the primary score's unit that aren't counters shown per operation and not a profiler's, by name. */
    SortedMap<String, Series> secondary(Collection<String> counters) {
        SortedMap<String, SortedMap<Integer, Double>> byName = new TreeMap<>();
        forks.forEach((round, fork) -> fork.secondary().forEach((name, metric) -> {
            if (!counters.contains(name) && Character.isLetter(name.charAt(0)) && isShown(fork, metric)) {
                byName.computeIfAbsent(name, unused -> new TreeMap<>()).put(round, metric.score());
            }
        }));
        SortedMap<String, Series> series = new TreeMap<>();
        byName.values().removeIf(scores -> scores.values().stream().allMatch(score -> score == 0));
        byName.forEach((name, scores) -> series.put(name, new Series(scores)));
        return series;
    }

    private static boolean isShown(ForkResult fork, Metric metric) {
        Metric primary = fork.primary();
        return primary != null
                && Double.isFinite(metric.score())
                && (metric.unit().equals(EVENTS)
                        || (primary.unit().equals(metric.unit())
                                && primary.mode().equals(metric.mode())));
    }

    /** Rates divide straight; of times, the counter's is time per event. */
    private static double perOperation(Metric score, Metric count) {
        return score.higherIsBetter() ? count.score() / score.score() : score.score() / count.score();
    }
}
