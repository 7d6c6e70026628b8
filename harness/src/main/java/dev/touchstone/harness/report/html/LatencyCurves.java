package dev.touchstone.harness.report.html;

import dev.touchstone.harness.paced.ResponseTimes;
import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Latencies;
import dev.touchstone.harness.report.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The distributions of one load as lines: the share of calls that took longer, in powers of ten, against the time. Positions are shares of the
 * width, so that any width will do; strokes and text keep their size.
 */
final class LatencyCurves {
    private static final int HEIGHT = 260;
    private static final int PLOT = 232;
    private static final int TOP = 18;
    private static final int WIDTH = 1_000;
    private static final double STEP = 0.04;
    private static final double LEFT = 6;
    private static final double RIGHT = 97;
    private static final int STYLES = 5;

    private final Latencies.Table table;
    private final double decades;
    private final double low;
    private final double high;

    LatencyCurves(Latencies.Table table) {
        this.table = table;
        this.decades = table.lines().stream()
                .mapToDouble(line -> decades(line.all()))
                .max()
                .orElse(1);
        List<Double> ends = new ArrayList<>();
        for (Latencies.Line line : table.lines()) {
            ends.add(line.all().micros(0.1));
            ends.add(line.all().micros(100 - 100 * Math.pow(10, -decades(line.all()))));
        }
        LogAxis axis =
                LogAxis.covering(ends.stream().map(end -> Math.max(end, 0.001)).toList());
        this.low = axis.low();
        this.high = axis.high();
    }

    /** The class that colours a line: ours always the same. */
    static String style(Latencies.Table table, int line) {
        Row.Kind kind = table.lines().get(line).kind();
        return kind == Row.Kind.PEER ? "c" + line % STYLES : kind.name().toLowerCase(Locale.ROOT);
    }

    String svg() {
        Svg svg = new Svg("curves", HEIGHT, "response times by percentile, " + table.heading());
        grid(svg);
        svg.raw("<svg x=\"0\" y=\"0\" width=\"100%\" height=\"" + PLOT + "\" viewBox=\"0 0 " + WIDTH + " " + PLOT
                + "\" preserveAspectRatio=\"none\">");
        for (int i = table.lines().size() - 1; i >= 0; i--) { // ours last, above the others
            Latencies.Line line = table.lines().get(i);
            String style = style(table, i);
            if (line.forks().size() > 1) {
                line.forks().forEach(fork -> curve(svg, "one " + style, fork));
            }
            curve(svg, "all " + style, line.all());
        }
        svg.raw("</svg>");
        return svg.end();
    }

    private void grid(Svg svg) {
        new LogAxis(low, high).ticks().forEach(micros -> svg.level(y(micros), time(micros)));
        for (int decade = 0; decade <= decades; decade++) {
            String x = Svg.across(x(decade) * 100 / WIDTH);
            double percentile = decade == 0 ? 0 : 100 - Math.pow(10, 2 - decade);
            svg.line("grid", x, x, TOP, PLOT);
            String name = decade == 0 ? "all" : Latencies.name(Math.rint(percentile * 1e6) / 1e6);
            svg.text(x, HEIGHT - 8, "middle", name);
        }
    }

    private void curve(Svg svg, String style, ResponseTimes times) {
        StringBuilder points = new StringBuilder();
        double end = decades(times);
        for (int i = 0; i * STEP <= end; i++) {
            double decade = i * STEP;
            double micros = Math.max(times.micros(100 - 100 * Math.pow(10, -decade)), low);
            points.append(String.format(Locale.ROOT, "%.0f,%.1f ", x(decade), y(micros)));
        }
        svg.raw("<polyline class=\"" + style + "\" points=\"" + points + "\"/>");
    }

    private double x(double decade) {
        return WIDTH * (LEFT + (RIGHT - LEFT) * decade / decades) / 100;
    }

    private double y(double micros) {
        double share = (Math.log(micros) - Math.log(low)) / (Math.log(high) - Math.log(low));
        return PLOT - 6 - (PLOT - TOP - 6) * Math.min(1, Math.max(0, share));
    }

    /** Returns how many decades of percentiles the curve shows (2 ends at the 99th); at the last one, about 10 calls are slower. At least 1. */
    private static double decades(ResponseTimes times) {
        return Math.max(1, Math.log10((double) Math.max(1, times.nanos().getTotalCount())) - 1);
    }

    /** A time as people say it: {@code 20 µs}, {@code 1 ms}. */
    static String time(double micros) {
        return micros >= 1_000_000
                ? Format.tick(micros / 1_000_000) + " s"
                : micros >= 1_000 ? Format.tick(micros / 1_000) + " ms" : Format.tick(micros) + " µs";
    }
}
