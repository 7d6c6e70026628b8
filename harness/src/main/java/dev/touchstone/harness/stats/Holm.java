package dev.touchstone.harness.stats;

import java.util.Arrays;
import java.util.Comparator;

/** Holm's step-down adjustment: p-values of several tests such that a limit on them holds for all tests together. Pure functions. */
public final class Holm {
    private Holm() {}

    /** The adjusted p-values, in the order given. */
    public static double[] adjusted(double[] p) {
        Integer[] order = new Integer[p.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> p[i]));
        double[] adjusted = new double[p.length];
        double reached = 0;
        for (int rank = 0; rank < p.length; rank++) {
            int i = order[rank];
            reached = Math.max(reached, Math.min(1, (p.length - rank) * p[i]));
            adjusted[i] = reached;
        }
        return adjusted;
    }

    /** How many tests {@code pairs} pairs can carry: of more, not even the clearest could pass {@code level}. */
    public static int most(int pairs, double level) {
        double smallest = Math.pow(2, 1 - pairs); // all pairs on one side, two-sided
        return (int) Math.min(Integer.MAX_VALUE, Math.ceil(level / smallest) - 1);
    }
}
