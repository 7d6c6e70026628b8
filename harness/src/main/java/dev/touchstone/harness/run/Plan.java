package dev.touchstone.harness.run;

import dev.touchstone.harness.store.Build;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Every fork of a run and its order. A round runs each cell once; the forks of one comparison stand directly behind each other; every second
 * round runs backwards, so that a machine that drifts favours nobody, and with every third one another begins, so that no place does.
 *
 * @param comparisons the forks of round 0, comparison by comparison
 * @param firstRound number of the first round
 * @param rounds how many at most
 */
public record Plan(List<List<ForkSpec>> comparisons, Settings settings, int firstRound, int rounds) {
    /** All rounds of the settings but those that confirm. */
    public Plan(List<List<ForkSpec>> comparisons, Settings settings) {
        this(comparisons, settings, 0, settings.maxRounds());
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

    /** Fresh rounds of some of the comparisons, behind the rounds of this plan and in the order of the choice. */
    public Plan confirming(Collection<String> chosenCells) {
        List<List<ForkSpec>> chosen = chosenCells.stream()
                .flatMap(id -> comparisons.stream()
                        .filter(comparison -> comparison.get(0).cell().id().equals(id)))
                .toList();
        return new Plan(chosen, settings, settings.maxRounds(), settings.confirmRounds());
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
