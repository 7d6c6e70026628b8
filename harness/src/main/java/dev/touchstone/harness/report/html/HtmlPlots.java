package dev.touchstone.harness.report.html;

import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Row;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Drawings as inline SVG: dots and intervals on a logarithmic axis, never bars (a bar's length means nothing there). Positions are
 * percentages, so that a drawing takes any width and its dots stay round; names stand beside it as text, so that none is clipped.
 */
final class HtmlPlots {
    private static final int ROW_HEIGHT = 28;
    private static final int AXIS_HEIGHT = 22;

    private HtmlPlots() {}

    /** Returns the side that has shown to be ahead, {@code better} or {@code worse}; {@code open} where nothing is decided. */
    static String side(@Nullable PairedRatio ratio) {
        return ratio == null || !ratio.decided() ? "open" : ratio.ratio() > 1 ? "better" : "worse";
    }

    /** Returns a row of ratios with their intervals, each coloured by its side. */
    static String ratios(LogAxis axis, String label, List<PairedRatio> ratios) {
        Svg svg = row(axis, label);
        ratios.forEach(ratio -> interval(svg, axis, ratio, side(ratio)));
        return svg.end();
    }

    /** Returns a row of one ratio with its interval, coloured by the verdict. */
    static String verdict(LogAxis axis, PairedRatio ratio, Verdict verdict) {
        Svg svg = row(axis, "ours is " + Format.ratio(ratio));
        interval(svg, axis, ratio, side(verdict));
        return svg.end();
    }

    /** Returns the side that a verdict names. */
    static String side(Verdict verdict) {
        return switch (verdict) {
            case FASTER -> "better";
            case SLOWER -> "worse";
            case SAME -> "same";
            case UNKNOWN -> "open";
        };
    }

    private static Svg row(LogAxis axis, String label) {
        Svg svg = new Svg("strip", ROW_HEIGHT, label);
        grid(svg, axis);
        if (axis.low() <= 1 && axis.high() >= 1) {
            svg.upright("one", axis.x(1));
        }
        return svg;
    }

    private static void interval(Svg svg, LogAxis axis, PairedRatio ratio, String side) {
        int middle = ROW_HEIGHT / 2;
        if (ratio.n() > 1) {
            svg.line("iv " + side, axis.x(ratio.low()), axis.x(ratio.high()), middle, middle);
        }
        svg.circle("dot " + side, axis.x(ratio.ratio()), middle, 5.5, "");
    }

    /** Returns a row's forks as dots and their median as a stroke; a peer's are coloured by the side of its ratio. */
    static String forks(LogAxis axis, Row row) {
        Summary summary = row.summary();
        Svg svg = new Svg("strip", ROW_HEIGHT, "scores of " + row.scores().size() + " forks");
        grid(svg, axis);
        String side = row.kind() == Row.Kind.PEER ? side(row.ratio()) : "open";
        int middle = ROW_HEIGHT / 2;
        if (summary != null) {
            String x = axis.x(summary.median());
            svg.line("median " + side, x, x, middle - 9, middle + 9);
        }
        row.scores().values().stream()
                .filter(score -> score > 0)
                .forEach(score -> svg.circle("fork " + side, axis.x(score), middle, 4, ""));
        return svg.end();
    }

    /** Returns an axis that holds 1 and the intervals of ratios. */
    static LogAxis axis(List<PairedRatio> ratios) {
        List<Double> ends = new ArrayList<>(List.of(1.0));
        ratios.forEach(ratio -> ends.addAll(List.of(ratio.low(), ratio.high())));
        return LogAxis.covering(ends);
    }

    /** Returns the factors on an axis of ratios. */
    static String scale(LogAxis axis) {
        return scale(axis, tick -> Format.tick(tick).replace(" ", "") + "x");
    }

    /** Returns an axis' values, to stand above or below rows of one axis. */
    static String scale(LogAxis axis, DoubleFunction<String> name) {
        Svg svg = new Svg("strip", AXIS_HEIGHT, "scale");
        axis.ticks().forEach(tick -> svg.text(axis.x(tick), 15, "middle", name.apply(tick)));
        return svg.end();
    }

    private static void grid(Svg svg, LogAxis axis) {
        axis.ticks().forEach(tick -> svg.upright("grid", axis.x(tick)));
    }
}
