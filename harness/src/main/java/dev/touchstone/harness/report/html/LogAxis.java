package dev.touchstone.harness.report.html;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis as shares of a width, so that a drawing needs no size of its own. Immutable.
 *
 * @param low value at the left end
 * @param high value at the right end
 */
public record LogAxis(double low, double high) {
    /** Dots and labels at the ends need room: values lie between this and 100 less it, in percent. */
    private static final double MARGIN = 8;

    private static final int MAX_TICKS = 6;
    private static final double MIN_APART = 13;
    private static final double[][] STEPS = {
        {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}, {1, 1.5, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}
    };

    /** An axis that covers positive values, widened so that they span a factor of 1.5 at least. */
    public static LogAxis covering(List<Double> values) {
        double min = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        double max = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        double widen = Math.max(1, Math.sqrt(1.5 / (max / min)));
        return new LogAxis(min / widen, max * widen);
    }

    /** Position of a value in percent of the width, kept within the margins. */
    double at(double value) {
        double share = (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low));
        return MARGIN + (100 - 2 * MARGIN) * Math.min(1, Math.max(0, share));
    }

    /** The position as an SVG length. */
    public String x(double value) {
        return Svg.across(at(value));
    }

    /** Round values on the axis, at most six, far enough from each other for their labels. */
    public List<Double> ticks() {
        List<Double> ticks = List.of();
        for (double[] steps : STEPS) {
            ticks = ticks(steps);
            if (ticks.size() <= MAX_TICKS && apart(ticks)) {
                return ticks;
            }
        }
        int every = (ticks.size() + MAX_TICKS - 1) / MAX_TICKS;
        List<Double> fewer = new ArrayList<>();
        for (int i = 0; i < ticks.size(); i += every) {
            fewer.add(ticks.get(i));
        }
        return fewer;
    }

    private boolean apart(List<Double> ticks) {
        for (int i = 1; i < ticks.size(); i++) {
            if (at(ticks.get(i)) - at(ticks.get(i - 1)) < MIN_APART) {
                return false;
            }
        }
        return true;
    }

    private List<Double> ticks(double[] steps) {
        List<Double> ticks = new ArrayList<>();
        int from = (int) Math.floor(Math.log10(low));
        int to = (int) Math.ceil(Math.log10(high));
        for (int power = from; power <= to; power++) {
            for (double step : steps) {
                double tick = step * Math.pow(10, power);
                if (tick >= low * 0.9999 && tick <= high * 1.0001) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }
}
