package dev.touchstone.harness.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Finds where a series changed its level for good: E-divisive (Matteson and James, <i>A Nonparametric Approach for Multiple Change Point Analysis of
 * Multivariate Data</i>, 2014) with the energy distance of exponent 1. The most telling split of a segment is kept where hardly any shuffle of the
 * segment has one as telling; both sides are then searched in turn. Shuffles come from a fixed seed, so equal series give equal answers. Pure function.
 */
public final class ChangePoints {
    /** Shorter series are not looked at; even a clear step takes about ten values to show. */
    public static final int LEAST = 7;

    private static final int MIN_SIDE = 3;
    private static final int SHUFFLES = 199;
    private static final double LEVEL = 0.01;
    private static final long SEED = 1;
    private static final double SAME = 1 - 1e-9; // sums in another order differ by their rounding

    private final double[] values;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<Integer> found = new ArrayList<>();

    private ChangePoints(double[] values) {
        this.values = values;
    }

    /** Indices at which a new level begins, ascending. O(n²) for each shuffle of each segment. */
    public static List<Integer> of(double[] values) {
        ChangePoints search = new ChangePoints(values);
        search.split(0, values.length);
        Collections.sort(search.found);
        return List.copyOf(search.found);
    }

    private void split(int from, int to) {
        if (to - from < LEAST) {
            return;
        }
        double[] segment = Arrays.copyOfRange(values, from, to);
        Split best = best(segment);
        int asTelling = 1;
        for (int i = 0; i < SHUFFLES && asTelling <= LEVEL * (SHUFFLES + 1); i++) {
            shuffle(segment);
            asTelling += best(segment).statistic >= best.statistic * SAME ? 1 : 0;
        }
        if (best.statistic > 0 && asTelling <= LEVEL * (SHUFFLES + 1)) {
            found.add(from + best.at);
            split(from, from + best.at);
            split(from + best.at, to);
        }
    }

    /** The split with the largest energy statistic. The sums of distances are carried along from split to split. */
    private static Split best(double[] segment) {
        int n = segment.length;
        double left = 0;
        double between = 0;
        double right = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                right += Math.abs(segment[i] - segment[j]);
            }
        }
        Split best = new Split(0, 0);
        for (int at = 1; at <= n - MIN_SIDE; at++) {
            double toLeft = 0;
            double toRight = 0;
            for (int i = 0; i < n; i++) {
                double distance = Math.abs(segment[at - 1] - segment[i]);
                toLeft += i < at - 1 ? distance : 0;
                toRight += i >= at ? distance : 0;
            }
            left += toLeft;
            right -= toRight;
            between += toRight - toLeft;
            if (at >= MIN_SIDE) {
                double m = n - at;
                double energy = 2 * between / (at * m) - 2 * left / (at * (at - 1.0)) - 2 * right / (m * (m - 1));
                double statistic = at * m / n * energy;
                best = statistic > best.statistic ? new Split(at, statistic) : best;
            }
        }
        return best;
    }

    private void shuffle(double[] segment) {
        for (int i = segment.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            double kept = segment[i];
            segment[i] = segment[j];
            segment[j] = kept;
        }
    }

    private record Split(int at, double statistic) {}
}
