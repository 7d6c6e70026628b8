package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.Holm;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges cells in two stages. The first rounds of all cells are a screen: they choose the candidates, those that seem to differ, and can say that
 * a cell is the same. Rounds behind them are run of the candidates only and judged alone, since what was chosen for looking different would look
 * so once more in the same figures. Their p-values are adjusted for the number of candidates. Without a screen all rounds of all cells are judged
 * together.
 */
final class Judge {
    /** Wide, for a candidate costs time and is judged by fresh pairs alone. */
    private static final double SCREEN_LEVEL = 0.2;

    /** Rounds before this one are the screen; 0 for none. */
    private final int screenRounds;

    Judge(int screenRounds) {
        this.screenRounds = screenRounds;
    }

    List<Change> judge(List<Contest> contests) {
        List<Contest> fresh = contests.stream().filter(this::isFresh).toList();
        double[] clean = Holm.adjusted(p(fresh, true));
        double[] all = Holm.adjusted(p(fresh, false));
        List<Change> changes = new ArrayList<>();
        for (Contest contest : contests) {
            int at = fresh.indexOf(contest);
            Pairs pairs = judged(contest);
            changes.add(
                    at < 0
                            ? change(contest, pairs, 1, 1, false)
                            : change(contest, pairs, clean[at], all[at], screenRounds > 0));
        }
        return changes;
    }

    /**
     * The cells that seem to differ, the clearest first: as many as {@code confirmRounds} fresh pairs can judge. Disturbed pairs raise a suspicion
     * too, or a moment's noise would hide what differs: of six pairs, three that are clean cannot show less than 0.25.
     */
    List<String> candidates(List<Contest> contests, int confirmRounds) {
        return contests.stream()
                .filter(this::suspicious)
                .sorted(Comparator.comparingDouble(contest ->
                        screened(contest).mapToDouble(PairedRatio::p).min().orElse(1)))
                .limit(Holm.most(confirmRounds, Verdict.LEVEL))
                .map(Contest::cell)
                .toList();
    }

    private boolean suspicious(Contest contest) {
        double limit = Math.log1p(contest.floorPercent() / 100);
        return screened(contest)
                .anyMatch(ratio -> ratio.p() < SCREEN_LEVEL && Math.abs(Math.log(ratio.ratio())) > limit);
    }

    /** What the screen's clean pairs show, and what all of them do. */
    private Stream<PairedRatio> screened(Contest contest) {
        Pairs pairs = contest.pairs().within(round -> round < screenRounds);
        return Stream.of(pairs.clean(), pairs.all())
                .flatMap(some -> Pairs.ratio(some, contest.higherIsBetter()).stream());
    }

    private boolean isFresh(Contest contest) {
        return screenRounds == 0
                || !contest.pairs().within(round -> round >= screenRounds).all().isEmpty();
    }

    private Pairs judged(Contest contest) {
        boolean fresh = isFresh(contest);
        return contest.pairs().within(round -> fresh == (round >= screenRounds));
    }

    private double[] p(List<Contest> contests, boolean clean) {
        return contests.stream()
                .mapToDouble(contest -> {
                    Pairs pairs = judged(contest);
                    return Pairs.ratio(clean ? pairs.clean() : pairs.all(), contest.higherIsBetter())
                            .map(PairedRatio::p)
                            .orElse(1.0);
                })
                .toArray();
    }

    private static Change change(Contest contest, Pairs pairs, double p, double pOfAll, boolean fresh) {
        Verdict verdict = verdict(contest, pairs.clean(), p);
        return new Change(
                contest.cell(),
                contest.against(),
                contest.unit(),
                contest.higherIsBetter(),
                pairs.summary(Pairs.Pair::ours).orElse(null),
                pairs.summary(Pairs.Pair::theirs).orElse(null),
                Pairs.ratio(pairs.clean(), contest.higherIsBetter()).orElse(null),
                p,
                contest.floorPercent(),
                pairs.mostlyDirty() ? Verdict.UNKNOWN : verdict,
                verdict(contest, pairs.all(), pOfAll),
                pairs.dirtyRounds(),
                fresh,
                contest.failure(),
                contest.ownFailed());
    }

    private static Verdict verdict(Contest contest, SortedMap<Integer, Pairs.Pair> pairs, double p) {
        return Pairs.ratio(pairs, contest.higherIsBetter())
                .map(ratio -> Verdict.of(ratio, p, contest.floorPercent(), contest.samePercent()))
                .orElse(Verdict.UNKNOWN);
    }

    /**
     * Two sides of one cell.
     *
     * @param floorPercent no effect up to this one is called a difference
     * @param samePercent no interval beyond this one is called the same
     * @param failure why a side has no score; null where both have
     * @param ownFailed whether ours has none
     */
    record Contest(
            String cell,
            String against,
            String unit,
            boolean higherIsBetter,
            Pairs pairs,
            double floorPercent,
            double samePercent,
            @Nullable String failure,
            boolean ownFailed) {}
}
