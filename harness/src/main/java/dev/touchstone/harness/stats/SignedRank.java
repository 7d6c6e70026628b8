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
     * Returns how often the interval from the {@code k}-th smallest to the {@code k}-th largest Walsh average of n pairs holds the centre
     * of symmetry.
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
     * Returns the largest {@code k} whose interval has at least this coverage, and 1 where none has.
     *
     * @param probabilities of {@link #probabilities(int)}
     * @param coverage below 1
     */
    static int rank(double[] probabilities, double coverage) {
        double tail = probabilities[0];
        int k = 1;
        while (2 * (k + 1) < probabilities.length && 1 - 2 * (tail + probabilities[k]) >= coverage) {
            tail += probabilities[k++];
        }
        return k;
    }
}
