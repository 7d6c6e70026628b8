package dev.touchstone.harness.run.plan;

import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.store.Build;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Every fork of a run and its order. A round runs each cell once; the forks of one comparison stand directly behind each other; every second
 * round runs backwards, so that a machine that drifts favours nobody, and with every third one another begins, so that no place does.
 *
 * @param comparisons the forks of round 0, comparison by comparison
 * @param settings how often and for how long each fork runs
 * @param looks numbers of rounds, ascending, after which the cells that are decided end; empty where none ends before the others
 */
public record Plan(List<List<ForkSpec>> comparisons, Settings settings, List<Integer> looks) {
    /** Copies the looks. */
    public Plan {
        looks = List.copyOf(looks);
    }

    /**
     * Plans all rounds of the settings for each cell.
     *
     * @param comparisons the forks of round 0, comparison by comparison
     * @param settings how often and for how long each fork runs
     */
    public Plan(List<List<ForkSpec>> comparisons, Settings settings) {
        this(comparisons, settings, List.of());
    }

    /**
     * Returns this plan with looks.
     *
     * @param rounds numbers of rounds, ascending, after which the cells that are decided end
     * @return a new plan
     */
    public Plan lookingAfter(List<Integer> rounds) {
        return new Plan(comparisons, settings, rounds);
    }

    /** Returns the rounds without which a cell's forks show nothing. */
    int owedRounds() {
        return looks.isEmpty() ? settings.minRounds() : looks.get(0);
    }

    /**
     * Returns the ids of the cells.
     *
     * @return each once, in the order of round 0
     */
    public List<String> cellIds() {
        return comparisons.stream()
                .flatMap(List::stream)
                .map(fork -> fork.cell().id())
                .distinct()
                .toList();
    }

    /**
     * Returns whether builds are compared, and not subjects of one.
     *
     * @return true if a fork is of another build
     */
    public boolean comparesBuilds() {
        return comparisons.stream().flatMap(List::stream).anyMatch(fork -> fork.build() != Build.OWN);
    }

    /**
     * Returns the number of forks of one round.
     *
     * @return at least 0
     */
    public int forksPerRound() {
        return comparisons.stream().mapToInt(List::size).sum();
    }

    /**
     * Returns the expected time of one round.
     *
     * @return the times of its forks together
     */
    public Duration roundTime() {
        return comparisons.stream()
                .flatMap(List::stream)
                .map(ForkSpec::expected)
                .reduce(Duration.ZERO, Duration::plus);
    }

    /**
     * Returns the forks of a round.
     *
     * @param round number of the round, from 0
     * @return the forks in the order in which they run, comparison by comparison
     */
    public List<List<ForkSpec>> round(int round) {
        List<List<ForkSpec>> ordered = new ArrayList<>(comparisons);
        boolean backwards = round % 2 == 1;
        if (backwards) {
            Collections.reverse(ordered);
        }
        List<List<ForkSpec>> numbered = new ArrayList<>();
        int order = 0;
        for (List<ForkSpec> comparison : ordered) {
            List<ForkSpec> forks = new ArrayList<>(comparison);
            if (forks.size() > 2) {
                Collections.rotate(forks, round / 2); // else who stands in the middle always would
            }
            if (backwards) {
                Collections.reverse(forks);
            }
            for (int i = 0; i < forks.size(); i++) {
                forks.set(i, forks.get(i).at(round, order++));
            }
            numbered.add(List.copyOf(forks));
        }
        return List.copyOf(numbered);
    }
}
