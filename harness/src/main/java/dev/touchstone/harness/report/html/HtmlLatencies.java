package dev.touchstone.harness.report.html;

import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Latencies;
import dev.touchstone.harness.report.Row;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The page's response times: for every load a curve of each subject over the percentiles, and the table behind it. */
final class HtmlLatencies {
    private final Html html;
    private final Latencies latencies;

    HtmlLatencies(Html html, Latencies latencies) {
        this.html = html;
        this.latencies = latencies;
    }

    void section() {
        html.fold("latency", "Response times at a fixed rate");
        html.element("p class=\"sub\"", Latencies.LEAD);
        html.raw(
                "<p class=\"sub\">In the charts a strong line is all forks together, a faint one a fork. Both axes are logarithmic:"
                        + " each step to the right is a tenth of the calls of the one before.</p>");
        RateCurves.loads(latencies).forEach(this::load);
        latencies.tables().forEach(this::table);
        html.endFold();
    }

    private void load(String load, List<Latencies.Table> tables) {
        html.raw("<article>").element("h3", load + " · by rate");
        html.raw("<p class=\"sub\">Strong lines are the 99th percentile, faint ones the median.</p>");
        legend(tables.get(0));
        html.raw(new RateCurves(tables).svg()).raw("</article>");
    }

    private void table(Latencies.Table table) {
        html.raw("<article>").element("h3", table.heading());
        legend(table);
        html.raw(new LatencyCurves(table).svg());
        html.raw("<div class=\"scroll\" tabindex=\"0\"><table class=\"cells\"><thead><tr><th>subject</th>");
        for (double percentile : Latencies.PERCENTILES) {
            html.element("th class=\"n\"", Latencies.name(percentile));
        }
        html.raw("<th class=\"n\">max</th><th class=\"n\">p99, ours is</th></tr></thead><tbody>");
        table.lines().forEach(this::line);
        html.raw("</tbody></table></div></article>");
    }

    private void legend(Latencies.Table table) {
        html.raw("<p class=\"legend\">");
        for (int i = 0; i < table.lines().size(); i++) {
            html.raw("<span><svg width=\"26\" height=\"10\" aria-hidden=\"true\"><line class=\"all "
                            + LatencyCurves.style(table, i) + "\" x1=\"1\" x2=\"25\" y1=\"5\" y2=\"5\"/></svg> ")
                    .text(table.lines().get(i).label())
                    .raw("</span> ");
        }
        html.raw("</p>");
    }

    private void line(Latencies.Line line) {
        html.raw("<tr class=\"" + line.kind().name().toLowerCase(Locale.ROOT) + "\">");
        html.openCell("", "subject").element("b", line.label());
        html.element(
                "small",
                Format.score((double) line.all().made()) + " calls, "
                        + line.forks().size() + (line.forks().size() == 1 ? " fork" : " forks"));
        Latencies.remark(line).ifPresent(remark -> html.element("em", remark));
        html.raw("</td>");
        for (double percentile : Latencies.PERCENTILES) {
            Optional<Latencies.Quantile> quantile = Latencies.at(line, percentile);
            html.openCell(Latencies.name(percentile), "n");
            quantile.ifPresentOrElse(this::quantile, () -> html.text(Format.NONE));
            html.raw("</td>");
        }
        html.cell("max", "n", Format.score(line.all().micros(100)));
        boolean ours = line.kind() == Row.Kind.OURS;
        html.cell("p99, ours is", "n", ours ? "" : Latencies.ratio(line));
        html.raw("</tr>");
    }

    private void quantile(Latencies.Quantile quantile) {
        html.element("b", Format.score(quantile.micros()));
        if (quantile.forks().n() > 1) {
            html.raw("<small>")
                    .text(Format.score(quantile.forks().low()) + "–"
                            + Format.score(quantile.forks().high()))
                    .raw("</small>");
        }
    }
}
