package dev.touchstone.harness.run;

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
 * @param looks numbers of rounds, ascending, after which the cells that are decided end; empty where none ends before the others
 */
public record Plan(List<List<ForkSpec>> comparisons, Settings settings, List<Integer> looks) {
    /** Copies the looks. */
    public Plan {
        looks = List.copyOf(looks);
    }

    /** Plans all rounds of the settings for each cell. */
    public Plan(List<List<ForkSpec>> comparisons, Settings settings) {
        this(comparisons, settings, List.of());
    }

    /** Returns this plan with looks. */
    public Plan lookingAfter(List<Integer> rounds) {
        return new Plan(comparisons, settings, rounds);
    }

    /** Returns the rounds without which a cell's forks show nothing. */
    int owedRounds() {
        return looks.isEmpty() ? settings.minRounds() : looks.get(0);
    }

    /** Ids of the cells in the order of round 0. */
    public List<String> cellIds() {
        return comparisons.stream()
                .flatMap(List::stream)
                .map(fork -> fork.cell().id())
                .distinct()
                .toList();
    }

    /** Whether builds are compared, and not subjects of one. */
    public boolean comparesBuilds() {
        return comparisons.stream().flatMap(List::stream).anyMatch(fork -> fork.build() != Build.OWN);
    }

    /** Forks of one round. */
    public int forksPerRound() {
        return comparisons.stream().mapToInt(List::size).sum();
    }

    /** Expected time of one round. */
    public Duration roundTime() {
        return comparisons.stream()
                .flatMap(List::stream)
                .map(ForkSpec::expected)
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** The forks of a round, comparison by comparison. */
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
