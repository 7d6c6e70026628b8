package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Power;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.stats.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of one cell with another: of another build, of another run, or of a peer.
 *
 * @param cell id of ours
 * @param against the other side: a commit, or a peer's name
 * @param unit of the scores
 * @param ours scores of the pairs that nothing disturbed; null where there are none
 * @param theirs the other side's
 * @param ratio above 1 where ours is better; null where there is no pair
 * @param error greatest probability, over all looks, that the verdict is wrong
 * @param floorPercent effects up to this one are called no difference
 * @param marginPercent difference within which both sides are called the same
 * @param verdict from the pairs that nothing disturbed
 * @param verdictOfAll from all pairs as they first ran
 * @param dirtyRounds rounds that were never quiet
 * @param failure why there is no verdict though forks ran; null if there is no such reason
 * @param ownFailed whether our side has no score
 * @param failedForks how many forks failed though others of their sides did not, and why; null if none did
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
        boolean ownFailed,
        @Nullable String failedForks) {

    /** Returns what of the cell is compared, such as {@code p99.9}; null if it is the score. */
    @Nullable
    public String witness() {
        int at = witnessAt(cell);
        return at < 0 ? null : cell.substring(at + 1);
    }

    /** Returns where the name of a quantity beside the score begins, with the blank before it; below 0 if there is none. */
    static int witnessAt(String cell) {
        return cell.indexOf(' ', cell.lastIndexOf('/'));
    }

    /** Returns what is known of the cell's chances to be decided; null where it is decided or has too few pairs to tell. */
    @Nullable
    public String chances() {
        return verdict != Verdict.UNKNOWN || ratio == null || ratio.coverage() < PairedRatio.WISHED
                ? null
                : Power.describe(ratio.spread(), floorPercent, error, ratio.n());
    }
}
