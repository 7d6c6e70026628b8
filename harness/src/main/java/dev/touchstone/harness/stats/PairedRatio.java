package dev.touchstone.harness.stats;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * How many times better ours is than a peer, from forks that ran in the same rounds.
 *
 * <p>Each round gives one ratio; its logarithm is taken, the estimate is the Hodges-Lehmann median of their Walsh averages, and the
 * interval is the inverted exact signed-rank test (Hollander, Wolfe and Chicken, <i>Nonparametric Statistical Methods</i>, 3.3). That
 * test assumes that log-ratios scatter symmetrically, nothing about their shape, and that rounds are independent. Few pairs can't give
 * any coverage wished for: with n pairs no more than {@code 1 - 2^(1-n)}, so 6 are the fewest for 95 %. The coverage reached is told.
 *
 * @param n rounds in which both ran
 * @param ratio above 1 where ours is better
 * @param low lower end of the interval, {@code ratio} itself for one pair
 * @param high upper end of the interval
 * @param coverage of the interval: the smallest not below {@link #WISHED}, or the most that n pairs can give; 0 for one pair
 * @param p two-sided, of the exact signed-rank test that the ratio is 1; a pair without a difference counts against one
 */
public record PairedRatio(int n, double ratio, double low, double high, double coverage, double p) {

    /** The coverage that is aimed at. */
    public static final double WISHED = 0.95;

    /**
     * The ratio over the rounds that both maps have.
     *
     * @param ours score by round, all positive
     * @param peer score by round, all positive
     * @param higherIsBetter direction of the scores
     * @return empty when there is no such round
     */
    public static Optional<PairedRatio> of(
            Map<Integer, Double> ours, Map<Integer, Double> peer, boolean higherIsBetter) {
        double[] logs = new double[ours.size()];
        int n = 0;
        for (Map.Entry<Integer, Double> mine : ours.entrySet()) {
            Double other = peer.get(mine.getKey());
            if (other != null && positive(mine.getValue()) && positive(other)) {
                double log = Math.log(mine.getValue() / other);
                logs[n++] = higherIsBetter ? log : -log;
            }
        }
        return n == 0 ? Optional.empty() : Optional.of(ofLogs(Arrays.copyOf(logs, n)));
    }

    /** Of log-ratios, at least one. */
    static PairedRatio ofLogs(double[] logs) {
        int n = logs.length;
        double[] walsh = walshAverages(logs);
        double estimate = Math.exp(Summary.median(walsh));
        if (n == 1) {
            return new PairedRatio(1, estimate, estimate, estimate, 0, 1);
        }
        double[] probabilities = SignedRank.probabilities(n);
        int k = 1;
        while (2 * (k + 1) <= walsh.length && SignedRank.coverage(probabilities, k + 1) >= WISHED) {
            k++;
        }
        return new PairedRatio(
                n,
                estimate,
                Math.exp(walsh[k - 1]),
                Math.exp(walsh[walsh.length - k]),
                SignedRank.coverage(probabilities, k),
                SignedRank.pValue(probabilities, walsh));
    }

    /** Whether the interval lies on one side of 1. */
    public boolean decided() {
        return coverage >= WISHED && (low > 1 || high < 1);
    }

    private static double[] walshAverages(double[] values) {
        int n = values.length;
        double[] walsh = new double[n * (n + 1) / 2];
        int at = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                walsh[at++] = (values[i] + values[j]) / 2;
            }
        }
        Arrays.sort(walsh);
        return walsh;
    }

    private static boolean positive(double score) {
        return score > 0 && Double.isFinite(score);
    }
}
