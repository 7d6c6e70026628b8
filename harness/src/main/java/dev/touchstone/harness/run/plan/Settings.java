package dev.touchstone.harness.run.plan;

import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.Timing;
import dev.touchstone.harness.run.fork.HiddenPaths;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A run's sampling and limits: the same for every subject and every round, so that rounds can be combined.
 *
 * @param timed sampling of benchmarks that repeat calls for a time
 * @param singleShot sampling of benchmarks that time one call
 * @param minRounds rounds that are started even where they may not fit the budget as a whole
 * @param maxRounds rounds after which the run ends though the budget would allow more
 * @param marginPercent difference within which two builds are called the same, if each cell ends as soon as it is decided; 0 if none does
 * @param reruns how often a disturbed comparison is run again
 * @param budget wall time of all forks, or null for no limit
 * @param jmhOptions further options, in JMH's own form
 */
public record Settings(
        Sampling timed,
        Sampling singleShot,
        int minRounds,
        int maxRounds,
        double marginPercent,
        int reruns,
        @Nullable Duration budget,
        List<String> jmhOptions) {
    /** Name of the most pairs of forks in {@link #describe}, which only runs have that end a cell when it is decided. */
    public static final String PAIRS = "pairs";

    /** Name of the margin in {@link #describe}. */
    public static final String MARGIN = "margin percent";

    /** Fewer pairs can't show anything at 95 %. */
    public static final int MIN_PAIRS = 6;

    private static final int RERUNS = 2;
    private static final int QUICK_MIN_ROUNDS = 3;
    private static final int QUICK_MAX_ROUNDS = 8;
    private static final int QUICK_ITERATIONS = 3; // one to warm up, two to measure
    private static final Duration QUICK_LONGEST = Duration.ofMillis(500);
    private static final Duration QUICK_SHORTEST = Duration.ofMillis(200);
    /** Start of the host, the machine's description and the report come out of the budget too. */
    private static final Duration RESERVE = Duration.ofSeconds(12);

    /** Checks the rounds. */
    public Settings {
        if (minRounds < 1 || maxRounds < minRounds || !(marginPercent >= 0) || reruns < 0) {
            throw new IllegalArgumentException("expected 1 <= minRounds <= maxRounds and the others 0 or more, got "
                    + minRounds + ", " + maxRounds + ", " + marginPercent + ", " + reruns);
        }
        jmhOptions = List.copyOf(jmhOptions);
    }

    /**
     * Returns settings for at least three rounds of all cells within the budget: the more cells, the shorter their iterations. From some number of
     * cells on, the budget ends the run before its third round.
     *
     * @param cells number of cells
     * @param budget wall time of the whole run, with the start of the host and the report
     * @param jmhOptions further options, in JMH's own form
     * @return sampling and rounds that suit the budget
     */
    public static Settings quick(int cells, Duration budget, List<String> jmhOptions) {
        Duration usable = budget.compareTo(RESERVE.multipliedBy(2)) > 0 ? budget.minus(RESERVE) : budget.dividedBy(2);
        Duration perFork = usable.dividedBy((long) Math.max(1, cells) * QUICK_MIN_ROUNDS);
        long millis = perFork.minus(Timing.forkOverhead()).toMillis() / QUICK_ITERATIONS / 50 * 50;
        Duration time =
                Duration.ofMillis(Math.min(QUICK_LONGEST.toMillis(), Math.max(QUICK_SHORTEST.toMillis(), millis)));
        Sampling sampling = new Sampling(new Phase(1, time), new Phase(QUICK_ITERATIONS - 1, time));
        Sampling shots = new Sampling(new Phase(1, Duration.ZERO), new Phase(2, Duration.ZERO));
        return new Settings(sampling, shots, QUICK_MIN_ROUNDS, QUICK_MAX_ROUNDS, 0, 0, usable, jmhOptions);
    }

    /**
     * Returns settings with the sampling that the benchmarks' annotations ask for.
     *
     * @param rounds number of rounds, at least 1
     * @param budget wall time of all forks, or null for no limit
     * @param jmhOptions further options, in JMH's own form
     * @return settings with exactly so many rounds
     */
    public static Settings full(int rounds, @Nullable Duration budget, List<String> jmhOptions) {
        return chosen(Sampling.ANNOTATED, rounds, budget, jmhOptions);
    }

    /**
     * Returns settings with the user's sampling, for benchmarks of every mode.
     *
     * @param sampling warm-up and measurement
     * @param rounds number of rounds, at least 1
     * @param budget wall time of all forks, or null for no limit
     * @param jmhOptions further options, in JMH's own form
     * @return settings with exactly so many rounds
     */
    public static Settings chosen(Sampling sampling, int rounds, @Nullable Duration budget, List<String> jmhOptions) {
        return new Settings(sampling, sampling, rounds, rounds, 0, RERUNS, budget, jmhOptions);
    }

    /**
     * Returns the settings of a comparison of two builds, whose cells end when they are decided.
     *
     * @param sampling warm-up and measurement
     * @param rounds most rounds of a cell, at least 1
     * @param marginPercent difference within which the builds are called the same, 0 or more
     * @param budget wall time of all forks, or null for no limit
     * @param jmhOptions further options, in JMH's own form
     * @return settings with 1 to {@code rounds} rounds
     */
    public static Settings comparing(
            Sampling sampling, int rounds, double marginPercent, @Nullable Duration budget, List<String> jmhOptions) {
        return new Settings(sampling, sampling, 1, rounds, marginPercent, RERUNS, budget, jmhOptions);
    }

    /**
     * Returns the settings of a calibration, which measures one build twice: every round counts, and disturbed ones are not run again.
     *
     * @param sampling warm-up and measurement
     * @param rounds most rounds, at least 1
     * @param budget wall time of all forks, or null for no limit
     * @param jmhOptions further options, in JMH's own form
     * @return settings with at least {@link #MIN_PAIRS} rounds, or fewer if {@code rounds} is less
     */
    public static Settings calibrating(
            Sampling sampling, int rounds, @Nullable Duration budget, List<String> jmhOptions) {
        return new Settings(sampling, sampling, Math.min(rounds, MIN_PAIRS), rounds, 0, 0, budget, jmhOptions);
    }

    /**
     * Returns the sampling of a benchmark.
     *
     * @param timing the times that its annotations ask for
     * @return {@link #singleShot} or {@link #timed}, by the benchmark's mode
     */
    public Sampling samplingOf(Timing timing) {
        return timing.singleShot() ? singleShot : timed;
    }

    /**
     * Returns the settings as text, for reports and for the check that a resumed run has the same.
     *
     * @return texts by name of the setting
     */
    public SortedMap<String, String> describe() {
        SortedMap<String, String> text = new TreeMap<>();
        text.put("warmup", phase(timed.warmup()));
        text.put("measurement", phase(timed.measurement()));
        text.put("rounds", minRounds == maxRounds ? "" + minRounds : minRounds + " to " + maxRounds);
        if (marginPercent > 0) {
            text.put(PAIRS, Integer.toString(maxRounds));
            text.put(MARGIN, String.format(Locale.ROOT, "%.2f", marginPercent));
        }
        text.put("reruns", Integer.toString(reruns));
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
