package dev.touchstone.harness.stats;

import java.util.Locale;

/** What a comparison has shown. */
public enum Verdict {
    /** Better, by more than the machine's own differences. */
    FASTER,
    /** Worse, by more than the machine's own differences. */
    SLOWER,
    /** Different by less than the machine's own differences. */
    SAME,
    /** Nothing shown either way. */
    UNKNOWN;

    /** A verdict of difference needs an adjusted p below this. */
    public static final double LEVEL = 0.01;

    /** No effect below this share is ever called one. */
    public static final double MIN_FLOOR_PERCENT = 3;

    /** However noisy the machine, sides that may differ by more are never called the same. */
    public static final double MAX_SAME_PERCENT = 10;

    /**
     * Judges a ratio.
     *
     * @param adjustedP of the exact test that the ratio is 1, adjusted for the number of ratios judged together
     * @param floorPercent a difference is more than this: the largest effect that this machine shows where nothing differs
     * @param samePercent the same is all within this, and within {@link #MAX_SAME_PERCENT}
     */
    public static Verdict of(PairedRatio ratio, double adjustedP, double floorPercent, double samePercent) {
        if (adjustedP < LEVEL && Math.abs(Math.log(ratio.ratio())) > Math.log1p(floorPercent / 100)) {
            return ratio.ratio() > 1 ? FASTER : SLOWER;
        }
        double limit = Math.log1p(Math.min(samePercent, MAX_SAME_PERCENT) / 100);
        boolean within = Math.abs(Math.log(ratio.low())) <= limit && Math.abs(Math.log(ratio.high())) <= limit;
        return within && ratio.coverage() >= PairedRatio.WISHED ? SAME : UNKNOWN;
    }

    /** As in tables. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
