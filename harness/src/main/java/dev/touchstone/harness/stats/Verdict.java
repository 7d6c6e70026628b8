package dev.touchstone.harness.stats;

import java.util.Locale;

/** Verdict on one cell. */
public enum Verdict {
    /** Better by more than the floor. */
    FASTER,
    /** Worse by more than the floor. */
    SLOWER,
    /** Different by no more than the margin. */
    SAME,
    /** Not decided by the pairs measured so far. */
    UNKNOWN;

    /**
     * Least floor in percent. Two builds of the same source may differ by this much for good, because code and data lie elsewhere; no number of
     * forks tells such a shift from a change.
     */
    public static final double MIN_FLOOR_PERCENT = 3;

    /** Default margin in percent within which sides are called the same. */
    public static final double MARGIN_PERCENT = 5;

    /**
     * Judges a ratio by its interval. A difference beyond the floor takes precedence: it is never the same, however wide the margin.
     *
     * @param error that the interval may have; an interval that covers less than {@code 1 - error} decides nothing
     * @param floorPercent a difference is an interval that lies wholly beyond this share
     * @param marginPercent the same is an interval that lies wholly within this share
     */
    public static Verdict of(PairedRatio ratio, double error, double floorPercent, double marginPercent) {
        if (ratio.coverage() < 1 - error) {
            return UNKNOWN;
        }
        double low = Math.log(ratio.low());
        double high = Math.log(ratio.high());
        double floor = Math.log1p(floorPercent / 100);
        double margin = Math.log1p(marginPercent / 100);
        if (low > floor) {
            return FASTER;
        }
        if (high < -floor) {
            return SLOWER;
        }
        return low >= -margin && high <= margin ? SAME : UNKNOWN;
    }

    /** Returns the verdict as tables show it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
