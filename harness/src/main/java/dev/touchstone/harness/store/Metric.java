package dev.touchstone.harness.store;

import java.util.List;

/**
 * One measured quantity of one fork.
 *
 * @param mode JMH's short name of the mode: {@code thrpt}, {@code avgt}, {@code sample}, {@code ss}
 * @param unit as JMH prints it, {@code ops/s}
 * @param score mean over the fork's measurement iterations
 * @param iterations the measurement iterations' scores in order
 */
public record Metric(String mode, String unit, double score, List<Double> iterations) {

    /** True for quantities of which more is better: rates, not times. The unit says it; where it does not, the mode does. */
    public boolean higherIsBetter() {
        if (unit.endsWith("/op")) {
            return false;
        }
        return unit.startsWith("ops/") || mode.equals("thrpt");
    }
}
