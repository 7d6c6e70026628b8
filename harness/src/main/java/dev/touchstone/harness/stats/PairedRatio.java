package dev.touchstone.harness.stats;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * Ratio of ours to another side, with an interval, from forks that ran in the same rounds. Immutable.
 *
 * <p>Each round gives one ratio, of which the logarithm is taken. The location that is estimated is the centre of the bulk of these logarithms:
 * forks are slow by accident, never fast, and if one side has more slow forks, mean and median move with their number, while the bulk stays.
 * Pairs beyond the bulk are found by the least median of squares (Rousseeuw, "Least median of squares regression", JASA 79, 1984): the shortest
 * interval that holds half of the values gives centre and scale, with Rousseeuw's correction for few values. The scale is that of the pairs, or
 * that of the side with fewer slow forks if this is smaller; pairs farther than {@link #BULK} scales from the centre of the pairs do not count.
 * Of the others, the estimate is the Hodges-Lehmann median of the Walsh averages, and the interval is the inverted exact signed-rank test
 * (Hollander, Wolfe and Chicken, <i>Nonparametric Statistical Methods</i>, 3.3). If more than a third of the pairs would be left out on one side, the
 * interval is the whole range of the pairs. The test assumes that the bulk scatters symmetrically and that
 * rounds are independent.
 *
 * <p>Few pairs limit the coverage: n pairs give at most {@code 1 - 2^(1-n)}, so 6 are the fewest for 95 %.
 *
 * @param n rounds in which both sides have a score
 * @param ratio estimate, above 1 where ours is better
 * @param low lower end of the interval, {@code ratio} itself for one pair
 * @param high upper end of the interval
 * @param coverage of the interval: the smallest not below the requested one, or the largest that the pairs can give; 0 for one pair
 * @param outliers pairs beyond the bulk, which do not count
 * @param spread standard deviation of the logarithms of the pairs that count; 0 for one pair
 */
public record PairedRatio(int n, double ratio, double low, double high, double coverage, int outliers, double spread) {

    /** Coverage of the intervals in tables. */
    public static final double WISHED = 0.95;

    /** Farthest distance of a pair that counts from the centre, in scales; with 3, so many good pairs are left out that the error rises. */
    private static final double BULK = 5;

    /** If the pairs beyond the bulk on one side are more than those on the other by a larger share of all pairs, there is no clear bulk. */
    private static final double MAX_ONE_SIDE = 1.0 / 3;

    /** Half the width of the middle half of a normal distribution is its standard deviation divided by this. */
    private static final double NORMAL = 1.4826;

    /** Fewest pairs of which half are enough to tell where the bulk is. */
    private static final int MIN_BULK = 10;

    /**
     * Estimates the ratio over the rounds that both maps have, with the coverage {@link #WISHED}.
     *
     * @param ours score by round; scores that are not positive are left out
     * @param peer score by round; scores that are not positive are left out
     * @param higherIsBetter direction of the scores
     * @return empty when there is no such round
     */
    public static Optional<PairedRatio> of(
            Map<Integer, Double> ours, Map<Integer, Double> peer, boolean higherIsBetter) {
        return of(ours, peer, higherIsBetter, WISHED);
    }

    /**
     * Estimates the ratio over the rounds that both maps have.
     *
     * @param coverage requested for the interval, below 1
     * @return empty when there is no such round
     */
    public static Optional<PairedRatio> of(
            Map<Integer, Double> ours, Map<Integer, Double> peer, boolean higherIsBetter, double coverage) {
        double[] mine = new double[ours.size()];
        double[] theirs = new double[ours.size()];
        int n = 0;
        for (Map.Entry<Integer, Double> score : ours.entrySet()) {
            Double other = peer.get(score.getKey());
            if (other != null && positive(score.getValue()) && positive(other)) {
                mine[n] = Math.log(higherIsBetter ? score.getValue() : other);
                theirs[n++] = Math.log(higherIsBetter ? other : score.getValue());
            }
        }
        return n == 0
                ? Optional.empty()
                : Optional.of(ofLogs(Arrays.copyOf(mine, n), Arrays.copyOf(theirs, n), coverage));
    }

    /**
     * Estimates from the logarithms of two sides' scores, where higher is better.
     *
     * @param ours at least one
     * @param theirs as many, in the same order
     */
    static PairedRatio ofLogs(double[] ours, double[] theirs, double coverage) {
        Bulk bulk = Bulk.of(ours, theirs);
        double[] walsh = walshAverages(bulk.logs);
        double estimate = Math.exp(Summary.median(walsh));
        if (ours.length == 1) {
            return new PairedRatio(1, estimate, estimate, estimate, 0, 0, 0);
        }
        double[] probabilities = SignedRank.probabilities(bulk.logs.length);
        int k = bulk.clear ? SignedRank.rank(probabilities, coverage) : 1;
        return new PairedRatio(
                ours.length,
                estimate,
                Math.exp(walsh[k - 1]),
                Math.exp(walsh[walsh.length - k]),
                SignedRank.coverage(probabilities, k),
                ours.length - bulk.logs.length,
                spread(bulk.logs));
    }

    /** Returns whether the interval of {@link #WISHED} lies on one side of 1. */
    public boolean decided() {
        return coverage >= WISHED && (low > 1 || high < 1);
    }

    /** Returns the least share in percent by which the interval shows the sides to differ; 0 where it contains 1. */
    public double shownPercent() {
        double log = low > 1 ? Math.log(low) : high < 1 ? -Math.log(high) : 0;
        return coverage >= WISHED ? 100 * Math.expm1(log) : 0;
    }

    /** Log-ratios that count, in ascending order. */
    private static final class Bulk {
        final double[] logs;
        /** True if the log-ratios are a bulk; if not, they are all, and their whole range is the interval. */
        final boolean clear;

        private Bulk(double[] logs, boolean clear) {
            this.logs = logs;
            this.clear = clear;
        }

        static Bulk of(double[] ours, double[] theirs) {
            double[] logs = new double[ours.length];
            Arrays.setAll(logs, i -> ours[i] - theirs[i]);
            Arrays.sort(logs);
            Half pairs = Half.shortest(logs);
            if (logs.length < MIN_BULK || pairs.scale == 0) {
                return new Bulk(logs, true);
            }
            double limit = BULK
                    * DoubleStream.of(Half.shortest(ours).scale, Half.shortest(theirs).scale)
                            .filter(scale -> scale > 0) // a side of equal scores tells nothing of forks
                            .map(scale -> scale * Math.sqrt(2))
                            .reduce(pairs.scale, Math::min);
            double reach = Math.max(limit, pairs.width); // at least half of the pairs count
            int below = (int) Arrays.stream(logs)
                    .filter(log -> log < pairs.centre - reach)
                    .count();
            int above = (int) Arrays.stream(logs)
                    .filter(log -> log > pairs.centre + reach)
                    .count();
            // So many on one side may be the good ones, and the shortest half the slow ones.
            return MAX_ONE_SIDE * logs.length < Math.abs(above - below)
                    ? new Bulk(logs, false)
                    : new Bulk(Arrays.copyOfRange(logs, below, logs.length - above), true);
        }
    }

    /** The shortest interval that holds half of some values. */
    private record Half(double centre, double width, double scale) {
        static Half shortest(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            int n = sorted.length;
            int last = n / 2;
            int from = 0;
            for (int i = 1; i + last < n; i++) {
                if (sorted[i + last] - sorted[i] < sorted[from + last] - sorted[from]) {
                    from = i;
                }
            }
            double width = sorted[from + last] - sorted[from];
            return new Half(sorted[from] + width / 2, width, NORMAL * width / 2 * (1 + 5.0 / Math.max(1, n - 1)));
        }
    }

    private static double spread(double[] logs) {
        double mean = Arrays.stream(logs).average().orElse(0);
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        return Math.sqrt(squares / (logs.length - 1));
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
