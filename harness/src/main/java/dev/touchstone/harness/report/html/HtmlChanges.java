package dev.touchstone.harness.report.html;

import dev.touchstone.harness.report.Change;
import dev.touchstone.harness.report.Changes;
import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.text.ChangeReport;
import dev.touchstone.harness.stats.PairedRatio;
import java.util.ArrayList;
import java.util.List;

/** The page's verdicts: every cell's ratio with its interval on one axis, and what is to be concluded from it. */
final class HtmlChanges {
    private static final int MAX_UNFOLDED = 4;

    private final Html html;
    private final Changes changes;

    HtmlChanges(Html html, Changes changes) {
        this.html = html;
        this.changes = changes;
    }

    void section() {
        html.raw("<section id=\"changes\">").element("h2", changes.title());
        html.element("p class=\"lead\"", ChangeReport.summary(changes));
        changes.warnings().forEach(warning -> html.element("p class=\"warning\"", warning));
        int cells = changes.rows().size();
        html.raw("<details class=\"fold\"" + (cells <= MAX_UNFOLDED ? " open" : "") + "><summary>")
                .element("h3", cells == 1 ? "The cell" : "All " + cells + " cells")
                .raw("</summary>");
        LogAxis axis = axis();
        html.raw("<div class=\"scroll\" tabindex=\"0\"><table class=\"cells\"><thead><tr><th>cell</th>");
        html.raw("<th class=\"n\">before</th><th class=\"n\">now</th><th class=\"n\">ratio</th><th>verdict</th>");
        html.raw("<th>of all rounds</th><th class=\"forks\">interval</th></tr></thead><tbody>");
        changes.rows().forEach(change -> row(axis, change));
        html.raw("<tr class=\"scale\"><td class=\"subject\" colspan=\"6\"></td><td class=\"forks\">")
                .raw(HtmlPlots.scale(axis))
                .raw("</td></tr></tbody></table></div><ul>");
        ChangeReport.notes(changes).forEach(note -> html.element("li", note));
        html.raw("</ul></details></section>");
    }

    private void row(LogAxis axis, Change change) {
        html.raw("<tr class=\"sided " + HtmlPlots.side(change.verdict()) + "\">")
                .openCell("", "subject")
                .element("b", change.cell());
        html.element("small", change.unit() + ", " + Format.direction(change.higherIsBetter()));
        ChangeReport.notes(change).forEach(note -> html.element("em", note));
        html.raw("</td>").cell("before", "n", Format.score(change.theirs()));
        html.cell("now", "n", Format.score(change.ours())).cell("ratio", "n", Format.ratio(change.ratio()));
        html.openCell("verdict", "").element("b", change.verdict().label()).raw("</td>");
        html.cell("of all rounds", "", change.verdictOfAll().label());
        PairedRatio ratio = change.ratio();
        html.openCell("", "forks")
                .raw(ratio == null ? "" : HtmlPlots.verdict(axis, ratio, change.verdict()))
                .raw("</td></tr>");
    }

    private LogAxis axis() {
        List<PairedRatio> ratios = new ArrayList<>();
        for (Change change : changes.rows()) {
            PairedRatio ratio = change.ratio();
            if (ratio != null) {
                ratios.add(ratio);
            }
        }
        return HtmlPlots.axis(ratios);
    }
}
