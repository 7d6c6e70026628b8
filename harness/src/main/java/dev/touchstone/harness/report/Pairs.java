package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The scores of two sides in the rounds in which both gave one, ours first. A round that was disturbed was run again, as a whole.
 *
 * @param clean of each round the first time that nothing disturbed; rounds that were never quiet are missing
 * @param all of each round the first time, disturbed or not: what there would be without limits of noise
 */
record Pairs(SortedMap<Integer, Pair> clean, SortedMap<Integer, Pair> all) {
    /** Forks of one run: a pair ran one behind the other. */
    static Pairs beside(List<ForkResult> ours, List<ForkResult> theirs) {
        return of(byRound(ours), byRound(theirs), false);
    }

    /** Forks of two runs: a pair has only its number in common. */
    static Pairs apart(List<ForkResult> ours, List<ForkResult> theirs) {
        return of(byRound(ours), byRound(theirs), true);
    }

    private static Pairs of(
            SortedMap<Integer, SortedMap<Integer, ForkResult>> ours,
            SortedMap<Integer, SortedMap<Integer, ForkResult>> theirs,
            boolean apart) {
        SortedMap<Integer, Pair> clean = new TreeMap<>();
        SortedMap<Integer, Pair> all = new TreeMap<>();
        ours.forEach((round, mine) -> {
            SortedMap<Integer, ForkResult> others = theirs.getOrDefault(round, new TreeMap<>());
            Function<Predicate<ForkResult>, Optional<Pair>> find =
                    wanted -> apart ? firstOfEach(mine, others, wanted) : firstOfBoth(mine, others, wanted);
            find.apply(fork -> true).ifPresent(pair -> all.put(round, pair));
            find.apply(fork -> fork.dirty() == null).ifPresent(pair -> clean.put(round, pair));
        });
        return new Pairs(clean, all);
    }

    private static Optional<Pair> firstOfBoth(
            SortedMap<Integer, ForkResult> ours, SortedMap<Integer, ForkResult> theirs, Predicate<ForkResult> wanted) {
        return ours.entrySet().stream()
                .filter(entry -> theirs.containsKey(entry.getKey()))
                .flatMap(entry -> pair(
                        Optional.of(entry.getValue()).filter(wanted),
                        Optional.ofNullable(theirs.get(entry.getKey())).filter(wanted))
                        .stream())
                .findFirst();
    }

    private static Optional<Pair> firstOfEach(
            SortedMap<Integer, ForkResult> ours, SortedMap<Integer, ForkResult> theirs, Predicate<ForkResult> wanted) {
        return pair(
                ours.values().stream().filter(wanted).findFirst(),
                theirs.values().stream().filter(wanted).findFirst());
    }

    private static Optional<Pair> pair(Optional<ForkResult> ours, Optional<ForkResult> theirs) {
        Optional<Metric> mine = ours.map(ForkResult::primary);
        Optional<Metric> other = theirs.map(ForkResult::primary);
        return mine.isPresent() && other.isPresent()
                ? Optional.of(new Pair(mine.get().score(), other.get().score()))
                : Optional.empty();
    }

    /** Groups the forks by round and repetition, the last of each. Failed forks are left out. */
    private static SortedMap<Integer, SortedMap<Integer, ForkResult>> byRound(List<ForkResult> forks) {
        SortedMap<Integer, SortedMap<Integer, ForkResult>> rounds = new TreeMap<>();
        forks.stream()
                .filter(ForkResult::ok)
                .forEach(fork -> rounds.computeIfAbsent(fork.round(), round -> new TreeMap<>())
                        .put(fork.rerun(), fork));
        return rounds;
    }

    /** These rounds only. */
    Pairs within(IntPredicate rounds) {
        return new Pairs(within(clean, rounds), within(all, rounds));
    }

    private static SortedMap<Integer, Pair> within(SortedMap<Integer, Pair> pairs, IntPredicate rounds) {
        SortedMap<Integer, Pair> chosen = new TreeMap<>(pairs);
        chosen.keySet().removeIf(round -> !rounds.test(round));
        return chosen;
    }

    /** Returns whether more than half of the rounds were disturbed at every attempt. */
    boolean mostlyDirty() {
        return clean.size() * 2 < all.size();
    }

    int dirtyRounds() {
        return all.size() - clean.size();
    }

    static Optional<PairedRatio> ratio(SortedMap<Integer, Pair> pairs, boolean higherIsBetter, double coverage) {
        return PairedRatio.of(side(pairs, Pair::ours), side(pairs, Pair::theirs), higherIsBetter, coverage);
    }

    /** Returns the summary of one side's scores in the clean pairs; empty if there is none. */
    Optional<Summary> summary(Function<Pair, Double> side) {
        return clean.isEmpty()
                ? Optional.empty()
                : Optional.of(Summary.of(List.copyOf(side(clean, side).values())));
    }

    private static SortedMap<Integer, Double> side(SortedMap<Integer, Pair> pairs, Function<Pair, Double> side) {
        return pairs.entrySet().stream()
                .collect(Collectors.toMap(
                        java.util.Map.Entry::getKey,
                        entry -> side.apply(entry.getValue()),
                        (first, second) -> first,
                        TreeMap::new));
    }

    /** Two scores. */
    record Pair(double ours, double theirs) {}
}
