package dev.touchstone.harness.stats;

/**
 * The exact distribution of Wilcoxon's signed-rank statistic: the sum of those ranks 1..n whose sign is plus, when every sign is a fair
 * coin. Pure functions.
 */
final class SignedRank {
    private SignedRank() {}

    /** P(statistic = t) for t in 0 .. n(n+1)/2. O(n³). */
    static double[] probabilities(int n) {
        double[] p = new double[n * (n + 1) / 2 + 1];
        p[0] = 1;
        int reach = 0;
        for (int rank = 1; rank <= n; rank++) {
            reach += rank;
            for (int t = reach; t >= 0; t--) {
                p[t] = (p[t] + (t >= rank ? p[t - rank] : 0)) / 2;
            }
        }
        return p;
    }

    /**
     * How often the interval from the {@code k}-th smallest to the {@code k}-th largest Walsh average of n pairs holds the centre of
     * symmetry.
     *
     * @param k from 1
     */
    static double coverage(double[] probabilities, int k) {
        double tail = 0;
        for (int t = 0; t < k; t++) {
            tail += probabilities[t];
        }
        return 1 - 2 * tail;
    }

    /**
     * Two-sided p of the hypothesis that the centre is 0. The statistic is the number of Walsh averages above 0; those that are 0 are held
     * against a difference.
     */
    static double pValue(double[] probabilities, double[] walsh) {
        int above = 0;
        int below = 0;
        for (double average : walsh) {
            above += average > 0 ? 1 : 0;
            below += average < 0 ? 1 : 0;
        }
        double tail = 0;
        for (int t = 0; t <= walsh.length - Math.max(above, below); t++) {
            tail += probabilities[t];
        }
        return Math.min(1, 2 * tail);
    }
}
