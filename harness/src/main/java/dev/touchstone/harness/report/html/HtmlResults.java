package dev.touchstone.harness.report.html;

import dev.touchstone.harness.report.Comparison;
import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Group;
import dev.touchstone.harness.report.Row;
import dev.touchstone.harness.report.Series;
import dev.touchstone.harness.report.text.Links;
import dev.touchstone.harness.report.text.RowNotes;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The page's figures, folded by part and group: every ratio at a glance, below it each group's table with every fork. */
final class HtmlResults {
    /** Groups of a run up to which its parts are unfolded. */
    private static final int MAX_UNFOLDED = 8;

    private static final Map<String, String> WORDS =
            new TreeMap<>(Map.of("better", "ahead", "open", "undecided", "worse", "behind"));
    private static final String LEGEND =
            "Right of 1x ours is better. A line is the interval, of fewer than 6 rounds from"
                    + " the lowest to the highest. A hollow grey dot is undecided: its line holds 1, or is no interval. The axis is"
                    + " logarithmic.";
    private final Html html;
    private final Comparison comparison;
    private final Links links;

    HtmlResults(Html html, Comparison comparison, Links links) {
        this.html = html;
        this.comparison = comparison;
        this.links = links;
    }

    void section() {
        html.raw("<section id=\"results\"><h2>Results</h2>");
        if (hasRatios()) {
            html.element("p class=\"sub\"", LEGEND);
        }
        Map<String, List<Group>> parts = new LinkedHashMap<>();
        for (Group group : comparison.groups()) {
            parts.computeIfAbsent(group.workload().part(), part -> new ArrayList<>())
                    .add(group);
        }
        parts.forEach(this::part);
        html.raw("</section>");
    }

    /** Returns whether ours was compared with any peer. */
    boolean hasRatios() {
        return comparison.groups().stream().anyMatch(group -> !ratios(group).isEmpty());
    }

    private void part(String part, List<Group> groups) {
        List<PairedRatio> ratios =
                groups.stream().flatMap(group -> ratios(group).stream()).toList();
        LogAxis axis = HtmlPlots.axis(ratios);
        boolean open = comparison.groups().size() <= MAX_UNFOLDED;
        html.raw("<details class=\"fold part" + sides(ratios) + (open ? "\" open>" : "\">"));
        html.raw("<summary>").element("h3", part);
        if (!ratios.isEmpty()) {
            tally(ratios);
        }
        html.raw("</summary><div id=\"part-" + Html.escape(part) + "\">");
        if (!ratios.isEmpty()) {
            html.raw("<div class=\"fr scale\"><span></span>")
                    .raw(HtmlPlots.scale(axis))
                    .raw("<span></span></div>");
        }
        groups.forEach(group -> group(axis, group));
        html.raw("</div></details>");
    }

    /** Writes in how many of a part's comparisons ours is ahead or behind, and the middle of all. */
    private void tally(List<PairedRatio> ratios) {
        Summary summary = Summary.of(ratios.stream().map(PairedRatio::ratio).toList());
        html.element(
                "small",
                ratios.size() == 1
                        ? Format.factor(summary.median()) + "x, the only comparison with a peer"
                        : Format.factor(summary.median()) + "x in the middle of " + ratios.size()
                                + " comparisons with peers, from " + Format.factor(summary.min()) + "x to "
                                + Format.factor(summary.max()) + "x");
        html.raw("<span class=\"tallies\">");
        WORDS.forEach((side, word) -> {
            long count = ratios.stream()
                    .filter(ratio -> HtmlPlots.side(ratio).equals(side))
                    .count();
            if (count > 0) {
                html.element("span class=\"" + side + "\"", count + " " + word).raw(" ");
            }
        });
        html.raw("</span>");
    }

    /** Writes a group: folded all of its ratios on one axis, unfolded each ratio and the table too. */
    private void group(LogAxis axis, Group group) {
        List<PairedRatio> ratios = ratios(group);
        html.raw("<details class=\"fold group" + sides(ratios)
                        + (comparison.groups().size() == 1 ? "\" open>" : "\">"))
                .raw("<summary class=\"fr\">")
                .element("h4", group.heading());
        if (!ratios.isEmpty()) {
            html.raw(HtmlPlots.ratios(axis, ratios.size() + " ratios", ratios)).raw("<span class=\"val\">");
            group.bestPeers().stream()
                    .filter(row -> row.ratio() != null)
                    .findFirst()
                    .ifPresent(this::value);
            html.raw("</span>");
        }
        html.raw("</summary><article>");
        if (ratios.size() > 1) {
            group.shown().stream().filter(row -> row.kind() == Row.Kind.PEER).forEach(row -> forest(axis, row));
        }
        table(group);
        html.raw("</article></details>");
    }

    private void forest(LogAxis axis, Row row) {
        PairedRatio ratio = row.ratio();
        if (ratio != null) {
            html.raw("<div class=\"fr\">").element("span class=\"who\"", row.label());
            html.raw(HtmlPlots.ratios(axis, "ours is " + Format.ratio(ratio), List.of(ratio)));
            html.element("span class=\"val\"", Format.ratio(ratio)).raw("</div>");
        }
    }

    /** Writes the ratio to the best peer. */
    private void value(Row row) {
        html.text(Format.ratio(row.ratio())).element("small", "beside " + row.label());
    }

    private void table(Group group) {
        html.raw("<p class=\"sub\">");
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
    }

    /** Writes the name of the benchmark method, with a link to its source where that is known. */
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

    /** Returns the sides of ratios as words, each with a blank before it; the filter looks for them. */
    private static String sides(List<PairedRatio> ratios) {
        return ratios.stream()
                .map(ratio -> " " + HtmlPlots.side(ratio))
                .distinct()
                .collect(Collectors.joining("", " sided", ""));
    }

    /** Returns the ratios to the peers of a group. */
    private static List<PairedRatio> ratios(Group group) {
        List<PairedRatio> ratios = new ArrayList<>();
        for (Row row : group.rows()) {
            PairedRatio ratio = row.ratio();
            if (row.kind() == Row.Kind.PEER && ratio != null) {
                ratios.add(ratio);
            }
        }
        return ratios;
    }
}
