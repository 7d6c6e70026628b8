package dev.touchstone.harness.report.html;

import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.History;
import dev.touchstone.harness.report.text.HistoryText;
import dev.touchstone.harness.stats.Summary;
import java.util.List;

/** The page's nights: for every cell its speeds in the order of time, with the nights at which the level changed. */
final class HtmlHistory {
    private static final int HEIGHT = 64;
    private static final int INSET = 8;

    private final Html html;
    private final History history;

    HtmlHistory(Html html, History history) {
        this.html = html;
        this.history = history;
    }

    void section() {
        html.fold("history", "This machine's nights").element("p class=\"sub\"", HistoryText.LEAD);
        if (history.passedOver() > 0) {
            html.element("p class=\"warning\"", history.passedOver() + " recorded nights could not be read.");
        }
        html.raw("<div class=\"scroll\" tabindex=\"0\"><table class=\"cells\"><thead><tr><th>cell</th>");
        html.raw("<th class=\"n\">nights</th><th class=\"n\">last to the window before</th>");
        html.raw("<th class=\"forks\">first night to last</th></tr></thead><tbody>");
        history.lines().forEach(this::row);
        html.raw("</tbody></table></div>").endFold();
    }

    private void row(History.Line line) {
        html.raw("<tr>").openCell("", "subject").element("b", line.cell());
        html.element("small", "beside " + line.kind().work());
        List<String> shifts = HistoryText.shifts(line);
        for (int i = 0; i < shifts.size(); i++) {
            boolean better = line.shifts().get(i).ratio() > 1;
            html.element(better ? "em class=\"better\"" : "em", shifts.get(i));
        }
        html.raw("</td>").cell("nights", "n", Integer.toString(line.nights().size()));
        html.cell("last to the window before", "n", Format.factor(line.lastToWindow()) + "x");
        html.openCell("", "forks").raw(plot(line)).raw("</td></tr>");
    }

    /**
     * Returns a plot with a dot for each night on a logarithmic scale, and a stroke before each new level. Positions across are shares, so that the
     * plot fits any width.
     */
    private static String plot(History.Line line) {
        List<History.Night> nights = line.nights();
        LogAxis axis =
                LogAxis.covering(nights.stream().map(History.Night::speed).toList());
        Svg svg = new Svg("strip", HEIGHT, "speeds of " + nights.size() + " nights");
        for (History.Shift shift : line.shifts()) {
            String side = shift.ratio() > 1 ? "better" : "worse";
            svg.upright("iv " + side, across(shift.at() - 0.5, nights.size()));
        }
        levels(svg, line, axis);
        for (int i = 0; i < nights.size(); i++) {
            History.Night night = nights.get(i);
            String title = night.day() + " " + night.commit() + ": " + Format.score(night.score()) + " " + night.unit();
            svg.circle("fork open", across(i, nights.size()), down(axis, night.speed()), 3, title);
        }
        return svg.end();
    }

    /** The line from night to night, and the median of each level. */
    private static void levels(Svg svg, History.Line line, LogAxis axis) {
        List<Double> speeds = line.nights().stream().map(History.Night::speed).toList();
        int nights = speeds.size();
        for (int i = 1; i < nights; i++) {
            double before = down(axis, speeds.get(i - 1));
            svg.line("path", across(i - 1, nights), across(i, nights), before, down(axis, speeds.get(i)));
        }
        int from = 0;
        for (int level = 0; level <= line.shifts().size(); level++) {
            int to = level < line.shifts().size() ? line.shifts().get(level).at() : nights;
            double y = down(axis, Summary.of(speeds.subList(from, to)).median());
            svg.line("level", across(from, nights), across(to - 1, nights), y, y);
            from = to;
        }
    }

    private static double down(LogAxis axis, double speed) {
        return HEIGHT - INSET - (HEIGHT - 2.0 * INSET) * axis.at(speed) / 100;
    }

    private static String across(double index, int nights) {
        return Svg.across(3 + 94 * index / Math.max(1, nights - 1));
    }
}
