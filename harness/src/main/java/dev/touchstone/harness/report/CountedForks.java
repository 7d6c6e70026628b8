package dev.touchstone.harness.report;

import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The choice of the forks that count, since a comparison with a disturbed fork is run again as a whole. Pure function. */
public final class CountedForks {
    private CountedForks() {}

    /**
     * Returns the forks of one attempt for each round of a comparison: the first whole undisturbed one, else the first whole one, else the first.
     * Later ones would be a choice by their figures.
     */
    public static List<ForkResult> counted(Collection<ForkResult> forks) {
        Map<Round, SortedMap<Integer, Map<Side, ForkResult>>> rounds = new LinkedHashMap<>();
        for (ForkResult fork : forks) {
            rounds.computeIfAbsent(Round.of(fork), round -> new TreeMap<>())
                    .computeIfAbsent(fork.rerun(), rerun -> new LinkedHashMap<>())
                    .put(new Side(fork.subject(), fork.build()), fork);
        }
        List<ForkResult> counted = new ArrayList<>();
        rounds.values().forEach(attempts -> counted.addAll(best(attempts.values())));
        return counted;
    }

    private static Collection<ForkResult> best(Collection<Map<Side, ForkResult>> attempts) {
        int sides = attempts.stream().mapToInt(Map::size).max().orElse(0);
        return attempts.stream()
                .map(Map::values)
                .min(Comparator.comparing((Collection<ForkResult> forks) -> !isWhole(forks, sides))
                        .thenComparing(forks -> forks.stream().anyMatch(fork -> fork.dirty() != null)))
                .orElseGet(List::of);
    }

    private static boolean isWhole(Collection<ForkResult> forks, int sides) {
        return forks.size() == sides && forks.stream().allMatch(ForkResult::ok);
    }

    private record Round(String workload, Map<String, String> params, int threads, int round) {
        static Round of(ForkResult fork) {
            return new Round(fork.workload(), fork.params(), fork.threads(), fork.round());
        }
    }

    private record Side(String subject, Build build) {}
}
