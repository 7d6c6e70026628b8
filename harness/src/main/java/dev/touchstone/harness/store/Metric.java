package dev.touchstone.harness.store;

import java.util.List;

/**
 * A quantity that a fork measured.
 *
 * @param mode JMH's short name of the mode: {@code thrpt}, {@code avgt}, {@code sample}, {@code ss}
 * @param unit as JMH prints it, {@code ops/s}
 * @param score mean over the fork's measurement iterations
 * @param iterations the measurement iterations' scores in order
 */
public record Metric(String mode, String unit, double score, List<Double> iterations) {

    /**
     * Returns whether more is better: of rates, not of times. The unit decides; if it does not tell, the mode does.
     *
     * @return false for times
     */
    public boolean higherIsBetter() {
        if (unit.endsWith("/op")) {
            return false;
        }
        return unit.startsWith("ops/") || mode.equals("thrpt");
    }
}
