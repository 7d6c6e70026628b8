package dev.touchstone.harness.run;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a run measures: the same for every subject and every round, or the rounds could not be put together.
 *
 * @param timed sampling of benchmarks that repeat calls for a time
 * @param singleShot sampling of benchmarks that time one call
 * @param minRounds rounds that are started even where they may not fit the budget as a whole
 * @param maxRounds where the run ends though the budget would allow more
 * @param budget wall time of all forks, or null for no limit
 * @param jmhOptions further options, in JMH's own form
 */
public record Settings(
        Sampling timed,
        Sampling singleShot,
        int minRounds,
        int maxRounds,
        @Nullable Duration budget,
        List<String> jmhOptions) {
    private static final int QUICK_MIN_ROUNDS = 3;
    private static final int QUICK_MAX_ROUNDS = 8;
    private static final int QUICK_ITERATIONS = 3; // one to warm up, two to measure
    private static final Duration QUICK_LONGEST = Duration.ofMillis(500);
    private static final Duration QUICK_SHORTEST = Duration.ofMillis(200);
    /** Start of the host, the machine's description and the report come out of the budget too. */
    private static final Duration RESERVE = Duration.ofSeconds(12);

    /** Checks the rounds. */
    public Settings {
        if (minRounds < 1 || maxRounds < minRounds) {
            throw new IllegalArgumentException(
                    "expected 1 <= minRounds <= maxRounds, got " + minRounds + ", " + maxRounds);
        }
        jmhOptions = List.copyOf(jmhOptions);
    }

    /**
     * At least three rounds of {@code cells} within the budget: the more cells, the shorter their iterations, and from a point on the budget ends
     * the run before its third round.
     */
    public static Settings quick(int cells, Duration budget, List<String> jmhOptions) {
        Duration usable = budget.compareTo(RESERVE.multipliedBy(2)) > 0 ? budget.minus(RESERVE) : budget.dividedBy(2);
        Duration perFork = usable.dividedBy((long) Math.max(1, cells) * QUICK_MIN_ROUNDS);
        long millis = perFork.minus(Timing.forkOverhead()).toMillis() / QUICK_ITERATIONS / 50 * 50;
        Duration time =
                Duration.ofMillis(Math.min(QUICK_LONGEST.toMillis(), Math.max(QUICK_SHORTEST.toMillis(), millis)));
        Sampling sampling = new Sampling(new Phase(1, time), new Phase(QUICK_ITERATIONS - 1, time));
        Sampling shots = new Sampling(new Phase(1, Duration.ZERO), new Phase(2, Duration.ZERO));
        return new Settings(sampling, shots, QUICK_MIN_ROUNDS, QUICK_MAX_ROUNDS, usable, jmhOptions);
    }

    /** What the benchmarks declare, so many times. */
    public static Settings full(int rounds, @Nullable Duration budget, List<String> jmhOptions) {
        return new Settings(Sampling.ANNOTATED, Sampling.ANNOTATED, rounds, rounds, budget, jmhOptions);
    }

    Sampling samplingOf(Timing timing) {
        return timing.singleShot() ? singleShot : timed;
    }

    /** For people and for the comparison on resume. */
    public SortedMap<String, String> describe() {
        SortedMap<String, String> text = new TreeMap<>();
        text.put("warmup", phase(timed.warmup()));
        text.put("measurement", phase(timed.measurement()));
        text.put("rounds", minRounds == maxRounds ? "" + minRounds : minRounds + " to " + maxRounds);
        text.put("budget", budget == null ? "none" : Durations.text(budget));
        if (!jmhOptions.isEmpty()) {
            text.put("jmh", jmhOptions.stream().map(HiddenPaths::inArgument).collect(Collectors.joining(" ")));
        }
        return text;
    }

    private static String phase(@Nullable Phase phase) {
        return phase == null ? "as annotated" : phase.toString();
    }
}
