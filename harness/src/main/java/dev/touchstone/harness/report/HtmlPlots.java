package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
        StringBuilder svg = row(axis, label);
        ratios.forEach(ratio -> interval(svg, axis, ratio, side(ratio)));
        return svg.append("</svg>").toString();
    }

    /** Returns a row of one ratio with its interval, coloured by the verdict. */
    static String verdict(LogAxis axis, PairedRatio ratio, Verdict verdict) {
        StringBuilder svg = row(axis, "ours is " + Format.ratio(ratio));
        interval(svg, axis, ratio, side(verdict));
        return svg.append("</svg>").toString();
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

    private static StringBuilder row(LogAxis axis, String label) {
        StringBuilder svg = open(ROW_HEIGHT, label);
        grid(svg, axis);
        if (axis.low() <= 1 && axis.high() >= 1) {
            line(svg, "one", axis.x(1), 0, ROW_HEIGHT);
        }
        return svg;
    }

    private static void interval(StringBuilder svg, LogAxis axis, PairedRatio ratio, String side) {
        int middle = ROW_HEIGHT / 2;
        if (ratio.n() > 1) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<line class=\"iv %s\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>",
                    side,
                    axis.x(ratio.low()),
                    axis.x(ratio.high()),
                    middle,
                    middle));
        }
        circle(svg, "dot " + side, axis.x(ratio.ratio()), middle, 5.5);
    }

    /** Returns a row's forks as dots and their median as a stroke; a peer's are coloured by the side of its ratio. */
    static String forks(LogAxis axis, Row row) {
        Summary summary = row.summary();
        StringBuilder svg = open(ROW_HEIGHT, "scores of " + row.scores().size() + " forks");
        grid(svg, axis);
        String side = row.kind() == Row.Kind.PEER ? side(row.ratio()) : "open";
        int middle = ROW_HEIGHT / 2;
        if (summary != null) {
            line(svg, "median " + side, axis.x(summary.median()), middle - 9, middle + 9);
        }
        row.scores().values().stream()
                .filter(score -> score > 0)
                .forEach(score -> circle(svg, "fork " + side, axis.x(score), middle, 4));
        return svg.append("</svg>").toString();
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
        StringBuilder svg = open(AXIS_HEIGHT, "scale");
        List<Double> ticks = axis.ticks();
        for (double tick : ticks) {
            svg.append("<text x=\"")
                    .append(axis.x(tick))
                    .append("\" y=\"15\" text-anchor=\"middle\">")
                    .append(Html.escape(name.apply(tick)))
                    .append("</text>");
        }
        return svg.append("</svg>").toString();
    }

    private static StringBuilder open(int height, String label) {
        return new StringBuilder("<svg class=\"strip\" role=\"img\" width=\"100%\" height=\"")
                .append(height)
                .append("\" aria-label=\"")
                .append(Html.escape(label))
                .append("\">");
    }

    private static void grid(StringBuilder svg, LogAxis axis) {
        for (double tick : axis.ticks()) {
            line(svg, "grid", axis.x(tick), 0, ROW_HEIGHT);
        }
    }

    private static void line(StringBuilder svg, String cssClass, String x, int from, int to) {
        svg.append(String.format(
                Locale.ROOT, "<line class=\"%s\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>", cssClass, x, x, from, to));
    }

    private static void circle(StringBuilder svg, String cssClass, String x, int y, double radius) {
        svg.append(String.format(
                Locale.ROOT, "<circle class=\"%s\" cx=\"%s\" cy=\"%d\" r=\"%.1f\"/>", cssClass, x, y, radius));
    }
}
