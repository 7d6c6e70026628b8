package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The page's figures: all ratios at a glance, then each group's table with every fork. */
final class HtmlResults {
    private final Html html;
    private final Comparison comparison;
    private final Links links;

    HtmlResults(Html html, Comparison comparison, Links links) {
        this.html = html;
        this.comparison = comparison;
        this.links = links;
    }

    /** Every ratio on one axis. */
    void overview() {
        List<Double> ends = new ArrayList<>(List.of(1.0));
        for (Group group : comparison.groups()) {
            for (Row row : peers(group)) {
                PairedRatio ratio = row.ratio();
                if (ratio != null) {
                    ends.add(ratio.low());
                    ends.add(ratio.high());
                }
            }
        }
        if (ends.size() == 1) {
            return;
        }
        LogAxis axis = LogAxis.covering(ends);
        html.raw("<section id=\"glance\"><h2>How many times better ours is</h2>");
        html.raw(
                "<p class=\"sub\">Right of 1x ours is better. A line is the interval, of fewer than 6 rounds from the lowest to the highest."
                        + " A hollow grey dot is undecided: its line holds 1, or is no interval. The axis is logarithmic.</p><div class=\"forest\">");
        scale(axis);
        HtmlParts.byPart(comparison).forEach((part, groups) -> {
            if (groups.stream().anyMatch(group -> !compared(group).isEmpty())) {
                html.element("h3 class=\"part\"", part);
                groups.forEach(group -> forest(axis, group));
            }
        });
        scale(axis);
        html.raw("</div></section>");
    }

    /** Each group's table. */
    void groups() {
        html.raw("<section id=\"results\"><h2>Results</h2>");
        HtmlParts.byPart(comparison).forEach((part, groups) -> {
            html.element("h3 class=\"part\" id=\"part-" + Html.escape(part) + "\"", part);
            groups.forEach(this::group);
        });
        html.raw("</section>");
    }

    private void scale(LogAxis axis) {
        html.raw("<div class=\"fr scale\"><span class=\"who\"></span>")
                .raw(HtmlPlots.scale(axis, tick -> Format.tick(tick).replace(" ", "") + "x"))
                .raw("<span class=\"val\"></span></div>");
    }

    private void forest(LogAxis axis, Group group) {
        List<Row> rows = compared(group);
        if (rows.isEmpty()) {
            return;
        }
        html.element("h4", group.heading());
        for (Row row : rows) {
            PairedRatio ratio = row.ratio();
            if (ratio != null) {
                html.raw("<div class=\"fr\"><span class=\"who\">")
                        .text(row.label())
                        .raw("</span>");
                html.raw(HtmlPlots.interval(axis, ratio));
                html.raw("<span class=\"val\"><b>")
                        .text(Format.factor(ratio.ratio()))
                        .raw("x</b> <small>");
                html.text(Format.ends(ratio));
                html.raw("</small></span></div>");
            }
        }
    }

    private void group(Group group) {
        html.raw("<article><h4>").text(group.heading()).raw("</h4><p class=\"sub\">");
        html.text(group.unit() + ", " + Format.direction(group.higherIsBetter()) + ".");
        group.remarks().forEach(sentence -> html.text(" " + sentence));
        html.raw("</p><div class=\"scroll\" tabindex=\"0\"><table class=\"cells\">");
        Set<String> methods = names(group, true);
        Set<String> counters = names(group, false);
        head(methods, counters);
        html.raw("<tbody>");
        LogAxis axis = axis(group);
        for (Row row : group.shown()) {
            row(axis, row, methods, counters);
        }
        html.raw("<tr class=\"scale\"><td class=\"subject\" colspan=\"" + (3 + methods.size() + counters.size())
                + "\"></td>");
        html.raw("<td class=\"forks\">")
                .raw(HtmlPlots.scale(axis, Format::tick))
                .raw("</td></tr>");
        html.raw("</tbody></table></div>");
        sources(group.workload().benchmark());
        html.raw("</article>");
    }

    /** What measured it. */
    private void sources(String benchmark) {
        String name = benchmark.replaceFirst(".*[.]([^.]+[.][^.]+)$", "$1");
        String source = links.source(benchmark);
        html.raw("<p class=\"from\">");
        if (source == null) {
            html.element("code", name);
        } else {
            html.raw("<a href=\"" + Html.escape(source) + "\">")
                    .element("code", name)
                    .raw("</a>");
        }
        html.raw(links.files() ? " · <a href=\"forks.jsonl\">its forks</a></p>" : "</p>");
    }

    private void head(Set<String> methods, Set<String> counters) {
        html.raw("<thead><tr><th>subject</th><th class=\"n\">score</th><th class=\"n\">ours is</th>");
        methods.forEach(name -> html.element("th class=\"n\"", name));
        counters.forEach(label -> html.element("th class=\"n\"", label));
        html.raw("<th class=\"forks\">forks</th></tr></thead>");
    }

    private void row(LogAxis axis, Row row, Set<String> methods, Set<String> counters) {
        html.raw("<tr class=\"" + row.kind().name().toLowerCase(Locale.ROOT) + "\">");
        html.openCell("", "subject")
                .element("b", row.label())
                .raw("<small>")
                .text(row.level())
                .raw("</small>");
        RowNotes.status(row).forEach(note -> html.element("em", note));
        html.raw("</td>");
        html.openCell("score", "n").element("b", Format.score(row.summary())).raw(" <small>");
        html.text(Format.spread(row.summary())).raw("</small></td>");
        html.cell("ours is", "n", row.kind() == Row.Kind.OURS ? "" : Format.ratio(row.ratio()));
        for (String name : methods) {
            Series series = row.secondary().get(name);
            html.cell(name, "n", series == null ? Format.NONE : Format.score(series.summary()));
        }
        for (String label : counters) {
            Double ratio = row.perOperation().get(label);
            html.cell(label, "n", ratio == null ? Format.NONE : Format.perOperation(ratio));
        }
        html.openCell("", "forks")
                .raw(row.scores().isEmpty() ? "" : HtmlPlots.forks(axis, row))
                .raw("</td></tr>");
    }

    private static LogAxis axis(Group group) {
        List<Double> scores = new ArrayList<>();
        group.rows()
                .forEach(row -> row.scores().values().stream()
                        .filter(score -> score > 0)
                        .forEach(scores::add));
        return LogAxis.covering(scores);
    }

    private static Set<String> names(Group group, boolean methods) {
        Set<String> names = new TreeSet<>();
        group.rows()
                .forEach(row -> names.addAll(
                        methods ? row.secondary().keySet() : row.perOperation().keySet()));
        return names;
    }

    private static List<Row> compared(Group group) {
        return peers(group).stream().filter(row -> row.ratio() != null).toList();
    }

    private static List<Row> peers(Group group) {
        return group.rows().stream().filter(row -> row.kind() == Row.Kind.PEER).toList();
    }
}
