package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Power;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.stats.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * One cell held against another: of another build, of another run, or a peer's.
 *
 * @param cell id of ours
 * @param against whose the other is: a commit, or a peer's name
 * @param unit of the scores
 * @param ours scores of the pairs that nothing disturbed; null where there are none
 * @param theirs the other side's
 * @param ratio above 1 where ours is better; null where there is no pair
 * @param error that the cell's verdict may have over all looks
 * @param floorPercent effects up to this one are called no difference
 * @param marginPercent within which sides are called the same
 * @param verdict from the pairs that nothing disturbed
 * @param verdictOfAll from all pairs as they first ran
 * @param dirtyRounds rounds that were never quiet
 * @param failure why there is no verdict though forks ran; null where there is none to tell
 * @param ownFailed whether it is ours that has no score
 */
public record Change(
        String cell,
        String against,
        String unit,
        boolean higherIsBetter,
        @Nullable Summary ours,
        @Nullable Summary theirs,
        @Nullable PairedRatio ratio,
        double error,
        double floorPercent,
        double marginPercent,
        Verdict verdict,
        Verdict verdictOfAll,
        int dirtyRounds,
        @Nullable String failure,
        boolean ownFailed) {

    /** Returns what is known of the cell's chances to be decided; null where it is decided or has too few pairs to tell. */
    @Nullable
    String chances() {
        return verdict != Verdict.UNKNOWN || ratio == null || ratio.coverage() < PairedRatio.WISHED
                ? null
                : Power.describe(ratio.spread(), floorPercent, error, ratio.n());
    }
}
