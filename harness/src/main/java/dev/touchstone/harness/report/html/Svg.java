package dev.touchstone.harness.report.html;

import java.util.Locale;

/**
 * A plot under construction, as inline SVG that takes the width of its place. Lengths across are shares of that width as SVG writes them
 * ({@code 12.50%}), those down are pixels from the top. One writer, one thread.
 */
final class Svg {
    private final StringBuilder out;
    private final int height;

    /**
     * Opens a plot.
     *
     * @param cssClass of the plot
     * @param label says what it shows to whoever does not see it
     */
    Svg(String cssClass, int height, String label) {
        this.height = height;
        this.out = new StringBuilder("<svg class=\"" + cssClass + "\" role=\"img\" width=\"100%\" height=\"" + height
                + "\" aria-label=\"" + Html.escape(label) + "\">");
    }

    /** Draws a line of the grid from the left to the right, with its value above it. */
    void level(double y, String value) {
        line("grid", "0", "100%", y, y);
        text("0", y - 4, "start", value);
    }

    /** Draws an upright line from the top to the bottom. */
    void upright(String cssClass, String x) {
        line(cssClass, x, x, 0, height);
    }

    void line(String cssClass, String x1, String x2, double y1, double y2) {
        out.append("<line class=\"" + cssClass + "\" x1=\"" + x1 + "\" x2=\"" + x2 + "\" y1=\"" + down(y1) + "\" y2=\""
                + down(y2) + "\"/>");
    }

    void circle(String cssClass, String x, double y, double radius, String title) {
        String shape =
                "circle class=\"" + cssClass + "\" cx=\"" + x + "\" cy=\"" + down(y) + "\" r=\"" + down(radius) + "\"";
        if (title.isEmpty()) {
            out.append("<" + shape + "/>");
        } else {
            out.append("<" + shape + "><title>" + Html.escape(title) + "</title></circle>");
        }
    }

    /**
     * Writes a text.
     *
     * @param anchor which end of it stands at {@code x}: {@code start}, {@code middle} or {@code end}
     */
    void text(String x, double y, String anchor, String text) {
        out.append("<text x=\"" + x + "\" y=\"" + down(y) + "\" text-anchor=\"" + anchor + "\">" + Html.escape(text)
                + "</text>");
    }

    /** Adds markup of this room, which is in the units of this plot. Never data. */
    void raw(String markup) {
        out.append(markup);
    }

    /** Returns a position in percent of the width as SVG writes it. */
    static String across(double percent) {
        return String.format(Locale.ROOT, "%.2f%%", percent);
    }

    private static String down(double pixels) {
        return pixels == Math.rint(pixels) ? Long.toString((long) pixels) : String.format(Locale.ROOT, "%.1f", pixels);
    }

    /** Closes the plot; returns it. */
    String end() {
        return out.append("</svg>").toString();
    }
}
