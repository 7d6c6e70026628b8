package dev.touchstone.harness.report.html;

import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Latencies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A plot of a workload at several rates: each subject's median and 99th percentile by rate, both axes logarithmic. Where a line turns up,
 * the subject no longer keeps up.
 */
final class RateCurves {
    private static final int HEIGHT = 230;
    private static final int BOTTOM = 198;
    private static final int TOP = 20;
    private static final double[] SHOWN = {50, 99};

    private final List<Latencies.Table> tables;
    private final LogAxis rates;
    private final LogAxis micros;

    /**
     * Creates the plot of one workload with one choice of parameters.
     *
     * @param tables at least two, each of a different rate
     */
    RateCurves(List<Latencies.Table> tables) {
        this.tables = tables;
        this.rates = LogAxis.covering(
                tables.stream().map(table -> (double) table.ratePerSecond()).toList());
        List<Double> times = new ArrayList<>();
        for (Latencies.Table table : tables) {
            for (Latencies.Line line : table.lines()) {
                for (double percentile : SHOWN) {
                    Latencies.at(line, percentile).ifPresent(quantile -> times.add(quantile.micros()));
                }
            }
        }
        this.micros = LogAxis.covering(times);
    }

    /** The tables of each load that was measured at several rates, by its name. */
    static Map<String, List<Latencies.Table>> loads(Latencies latencies) {
        Map<String, List<Latencies.Table>> loads = new LinkedHashMap<>();
        latencies
                .tables()
                .forEach(table -> loads.computeIfAbsent(table.load(), load -> new ArrayList<>())
                        .add(table));
        loads.values().removeIf(tables -> tables.size() < 2);
        return loads;
    }

    String svg() {
        Svg svg = new Svg("curves", HEIGHT, "response times by rate");
        micros.ticks().forEach(tick -> svg.level(y(tick), LatencyCurves.time(tick)));
        for (Latencies.Table table : tables) {
            svg.text(rates.x(table.ratePerSecond()), HEIGHT - 8, "middle", Format.tick(table.ratePerSecond()) + "/s");
        }
        Latencies.Table first = tables.get(0);
        for (int i = first.lines().size() - 1; i >= 0; i--) {
            for (double percentile : SHOWN) {
                String style = (percentile == 99 ? "all " : "median ") + LatencyCurves.style(first, i);
                curve(svg, style, first.lines().get(i).label(), percentile);
            }
        }
        return svg.end();
    }

    private void curve(Svg svg, String style, String label, double percentile) {
        String x = null;
        double y = 0;
        for (Latencies.Table table : tables) {
            Optional<Latencies.Quantile> quantile = table.lines().stream()
                    .filter(line -> line.label().equals(label))
                    .findFirst()
                    .flatMap(line -> Latencies.at(line, percentile));
            if (quantile.isPresent()) {
                String nextX = rates.x(table.ratePerSecond());
                double nextY = y(quantile.get().micros());
                if (x != null) {
                    svg.line(style, x, nextX, y, nextY);
                }
                svg.circle(style, nextX, nextY, 3.5, "");
                x = nextX;
                y = nextY;
            }
        }
    }

    private double y(double time) {
        return BOTTOM - (BOTTOM - TOP) * micros.at(time) / 100;
    }
}
