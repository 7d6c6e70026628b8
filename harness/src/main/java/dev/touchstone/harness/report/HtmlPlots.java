package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * Drawings as inline SVG: dots and intervals on a logarithmic axis, never bars (a bar's length means nothing there). Positions are
 * percentages, so that a drawing takes any width and its dots stay round; names stand beside it as text, so that none is clipped.
 */
final class HtmlPlots {
    private static final int ROW_HEIGHT = 28;
    private static final int AXIS_HEIGHT = 22;

    private HtmlPlots() {}

    /** One ratio with its interval: coloured where it is decided, grey with a hollow dot where it isn't. */
    static String interval(LogAxis axis, PairedRatio ratio) {
        String side = !ratio.decided() ? "open" : ratio.ratio() > 1 ? "better" : "worse";
        StringBuilder svg = open(ROW_HEIGHT, "ours is " + Format.ratio(ratio));
        grid(svg, axis, ROW_HEIGHT);
        if (axis.low() <= 1 && axis.high() >= 1) {
            line(svg, "one", axis.x(1), 0, ROW_HEIGHT);
        }
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
        return svg.append("</svg>").toString();
    }

    /** A row's forks as dots and their median as a stroke. */
    static String forks(LogAxis axis, Row row) {
        Summary summary = row.summary();
        StringBuilder svg = open(ROW_HEIGHT, "scores of " + row.scores().size() + " forks");
        grid(svg, axis, ROW_HEIGHT);
        String kind = row.kind().name().toLowerCase(Locale.ROOT);
        int middle = ROW_HEIGHT / 2;
        if (summary != null) {
            line(svg, "median " + kind, axis.x(summary.median()), middle - 9, middle + 9);
        }
        row.scores().values().stream()
                .filter(score -> score > 0)
                .forEach(score -> circle(svg, "fork " + kind, axis.x(score), middle, 4));
        return svg.append("</svg>").toString();
    }

    /** The axis' values, to stand above or below rows of one axis. */
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

    private static void grid(StringBuilder svg, LogAxis axis, int height) {
        for (double tick : axis.ticks()) {
            line(svg, "grid", axis.x(tick), 0, height);
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
