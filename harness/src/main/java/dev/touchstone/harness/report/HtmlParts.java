package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page's overview: for each part of the project how many of its comparisons ours wins, and by how much. */
final class HtmlParts {
    private final Html html;
    private final Map<String, List<Group>> parts;

    HtmlParts(Html html, Comparison comparison) {
        this.html = html;
        this.parts = byPart(comparison);
    }

    /** The groups of each part, in the matrix's order. */
    static Map<String, List<Group>> byPart(Comparison comparison) {
        Map<String, List<Group>> parts = new LinkedHashMap<>();
        for (Group group : comparison.groups()) {
            parts.computeIfAbsent(group.workload().part(), part -> new ArrayList<>())
                    .add(group);
        }
        return parts;
    }

    void section() {
        if (parts.values().stream().allMatch(groups -> ratios(groups).isEmpty())) {
            return;
        }
        html.raw("<section id=\"parts\"><h2>Part by part</h2><div class=\"parts\">");
        parts.forEach(this::card);
        html.raw("</div></section>");
    }

    private void card(String part, List<Group> groups) {
        List<PairedRatio> ratios = ratios(groups);
        if (ratios.isEmpty()) {
            return;
        }
        long ahead = ratios.stream()
                .filter(ratio -> ratio.decided() && ratio.ratio() > 1)
                .count();
        long behind = ratios.stream()
                .filter(ratio -> ratio.decided() && ratio.ratio() < 1)
                .count();
        long open = ratios.size() - ahead - behind;
        Summary summary = Summary.of(ratios.stream().map(PairedRatio::ratio).toList());
        html.raw("<article class=\"part\"><h3><a href=\"#part-" + Html.escape(part) + "\">")
                .text(part)
                .raw("</a></h3>");
        html.raw("<p class=\"big\">").text(Format.factor(summary.median())).raw("x</p>");
        html.element(
                "p class=\"sub\"",
                ratios.size() == 1
                        ? "the only comparison with a peer"
                        : "in the middle of " + ratios.size() + " comparisons with peers, from "
                                + Format.factor(summary.min()) + "x to " + Format.factor(summary.max()) + "x");
        html.raw("<svg class=\"tally\" role=\"img\" width=\"100%\" height=\"8\" aria-label=\"ahead in " + ahead
                + ", behind in " + behind + ", undecided " + open + "\">");
        double from = segment("better", 0, ahead, ratios.size());
        from = segment("open", from, open, ratios.size());
        segment("worse", from, behind, ratios.size());
        html.raw("</svg><p class=\"tallies\">");
        tally("better", ahead, "ahead");
        tally("open", open, "undecided");
        tally("worse", behind, "behind");
        html.raw("</p></article>");
    }

    private void tally(String side, long count, String word) {
        if (count > 0) {
            html.raw("<span class=\"" + side + "\">").text(count + " " + word).raw("</span> ");
        }
    }

    private double segment(String side, double from, long count, int all) {
        double width = 100.0 * count / all;
        if (count > 0) {
            html.raw(String.format(
                    Locale.ROOT,
                    "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"4\" y2=\"4\"/>",
                    side,
                    from,
                    from + width));
        }
        return from + width;
    }

    private static List<PairedRatio> ratios(List<Group> groups) {
        List<PairedRatio> ratios = new ArrayList<>();
        for (Group group : groups) {
            for (Row row : group.rows()) {
                PairedRatio ratio = row.ratio();
                if (row.kind() == Row.Kind.PEER && ratio != null) {
                    ratios.add(ratio);
                }
            }
        }
        return ratios;
    }
}
