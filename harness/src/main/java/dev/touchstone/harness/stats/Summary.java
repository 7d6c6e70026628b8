package dev.touchstone.harness.stats;

import java.util.Arrays;
import java.util.List;

/**
 * Forks' scores of one cell in short. The fork is the unit of replication: a fork's iterations share one JVM, one heap layout and one
 * moment, so they say little about the next fork.
 *
 * @param n number of forks, at least 1
 * @param median the figure that tables show
 * @param spreadPercent the farthest fork's distance from the median, as a share of it: every fork lies within; NaN for one fork
 */
public record Summary(int n, double median, double min, double max, double spreadPercent) {

    /**
     * Sums up scores.
     *
     * @param scores at least one, all finite
     */
    public static Summary of(List<Double> scores) {
        if (scores.isEmpty()) {
            throw new IllegalArgumentException("no scores");
        }
        double[] sorted = scores.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        double median = median(sorted);
        double min = sorted[0];
        double max = sorted[sorted.length - 1];
        double farthest = Math.max(max - median, median - min);
        double spread = sorted.length == 1 || median == 0 ? Double.NaN : 100 * farthest / Math.abs(median);
        return new Summary(sorted.length, median, min, max, spread);
    }

    static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
