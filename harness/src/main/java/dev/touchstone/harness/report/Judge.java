package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.Looks;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Verdict;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Judges each cell by the interval of its pairs at the run's looks: the first look that decides counts, else all pairs at the last. */
final class Judge {
    private final Looks looks;

    Judge(Looks looks) {
        this.looks = looks;
    }

    List<Change> judge(List<Contest> contests) {
        return contests.stream().map(this::change).toList();
    }

    /** Returns the contests that need no further pairs, while further looks may follow. */
    List<Contest> decided(List<Contest> contests) {
        return contests.stream()
                .filter(contest -> !contest.pairs().mostlyDirty())
                .filter(contest -> evidence(contest, contest.pairs().clean(), false).verdict != Verdict.UNKNOWN)
                .toList();
    }

    private Change change(Contest contest) {
        Pairs pairs = contest.pairs();
        Evidence clean = evidence(contest, pairs.clean(), true);
        return new Change(
                contest.cell(),
                contest.against(),
                contest.unit(),
                contest.higherIsBetter(),
                pairs.summary(Pairs.Pair::ours).orElse(null),
                pairs.summary(Pairs.Pair::theirs).orElse(null),
                clean.ratio,
                looks.error(),
                contest.floorPercent(),
                contest.marginPercent(),
                pairs.mostlyDirty() ? Verdict.UNKNOWN : clean.verdict,
                evidence(contest, pairs.all(), true).verdict,
                pairs.dirtyRounds(),
                contest.failure(),
                contest.ownFailed(),
                contest.failedForks());
    }

    /** Returns what the looks show, the last one at all pairs only if no more follow. */
    private Evidence evidence(Contest contest, SortedMap<Integer, Pairs.Pair> pairs, boolean last) {
        SortedMap<Integer, Pairs.Pair> all = contest.pairs().all();
        int rounds = all.isEmpty() ? 0 : all.lastKey() + 1;
        int look = 0;
        for (; look < looks.rounds().size() && looks.rounds().get(look) < rounds + (last ? 0 : 1); look++) {
            Evidence evidence = evidence(contest, pairs.headMap(looks.rounds().get(look)), looks.error(look));
            if (evidence.verdict != Verdict.UNKNOWN) {
                return evidence;
            }
        }
        return last ? evidence(contest, pairs, looks.rest(look)) : new Evidence(null, Verdict.UNKNOWN);
    }

    private static Evidence evidence(Contest contest, SortedMap<Integer, Pairs.Pair> pairs, double error) {
        return Pairs.ratio(pairs, contest.higherIsBetter(), 1 - error)
                .map(ratio ->
                        new Evidence(ratio, Verdict.of(ratio, error, contest.floorPercent(), contest.marginPercent())))
                .orElse(new Evidence(null, Verdict.UNKNOWN));
    }

    private record Evidence(@Nullable PairedRatio ratio, Verdict verdict) {}

    /**
     * Two sides of one cell.
     *
     * @param floorPercent no effect up to this one is called a difference
     * @param marginPercent no interval beyond this one is called the same
     * @param failure why a side has no score; null where both have
     * @param ownFailed whether ours has none
     * @param failedForks how many forks failed though others of their sides did not, and why; null if none did
     */
    record Contest(
            String cell,
            String against,
            String unit,
            boolean higherIsBetter,
            Pairs pairs,
            double floorPercent,
            double marginPercent,
            @Nullable String failure,
            boolean ownFailed,
            @Nullable String failedForks) {}
}
