package dev.touchstone.harness.stats;

import java.util.Locale;

/**
 * Chances of a cell before it is measured: by the normal approximation of the signed-rank test, whose efficiency for normal scatter is 3/π. Pure
 * functions.
 */
public final class Power {
    private static final double EFFICIENCY = 3 / Math.PI;
    private static final double WANTED = 0.8;
    /** Number of looks that the error of a cell is spent over, about. */
    private static final double LOOKS = 5;

    private Power() {}

    /**
     * Returns the probability that so many pairs show an effect to be beyond the floor, between 0 and 1.
     *
     * @param spread standard deviation of the logarithms of the pairs' ratios, positive
     * @param effectPercent true difference in percent, above the floor
     * @param error of the cell over all looks
     */
    public static double of(double spread, double effectPercent, double floorPercent, double error, int pairs) {
        if (Math.pow(2, 1 - pairs) > error / LOOKS) {
            return 0; // not even pairs that all agree are enough
        }
        return normal(
                gap(effectPercent, floorPercent) * Math.sqrt(pairs * EFFICIENCY) / spread - quantile(error / LOOKS));
    }

    /**
     * Returns how many pairs show an effect to be beyond the floor with a probability of 0.8.
     *
     * @param spread standard deviation of the logarithms of the pairs' ratios, not negative
     * @param effectPercent true difference in percent, above the floor
     * @param error of the cell over all looks
     */
    public static int pairs(double spread, double effectPercent, double floorPercent, double error) {
        double fewest = 1 - Math.log(error / LOOKS) / Math.log(2);
        double distance = quantile(error / LOOKS) + quantile(2 * (1 - WANTED));
        double wanted = Math.pow(distance * spread / gap(effectPercent, floorPercent), 2) / EFFICIENCY;
        return (int) Math.min(Integer.MAX_VALUE, Math.ceil(Math.max(fewest, wanted)));
    }

    /**
     * Describes the chances of a cell in one line.
     *
     * @param spread standard deviation of the logarithms of the pairs' ratios
     */
    public static String describe(double spread, double floorPercent, double error, int pairs) {
        double shown = Math.max(2 * Verdict.MARGIN_PERCENT, 2 * floorPercent);
        double small = Math.max(Verdict.MARGIN_PERCENT, 1.5 * floorPercent);
        return String.format(
                Locale.ROOT,
                "spread %.1f %% a pair: %d pairs show %.0f %% with a probability of %.2f; %.0f %% needs about %d",
                100 * spread,
                pairs,
                shown,
                of(spread, shown, floorPercent, error, pairs),
                small,
                pairs(spread, small, floorPercent, error));
    }

    private static double gap(double effectPercent, double floorPercent) {
        return Math.log1p(effectPercent / 100) - Math.log1p(floorPercent / 100);
    }

    /** Returns the z that a normal value exceeds, whichever the sign, with probability {@code error}. */
    private static double quantile(double error) {
        double low = 0;
        double high = 10;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (2 * normal(-middle) > error) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Distribution function of the normal distribution, by Marsaglia's series (Journal of Statistical Software 11, 2004). */
    private static double normal(double x) {
        if (Math.abs(x) > 8) {
            return x > 0 ? 1 : 0;
        }
        double sum = 0;
        double term = x;
        for (int i = 3; sum + term != sum; i += 2) {
            sum += term;
            term *= x * x / i;
        }
        return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }
}
