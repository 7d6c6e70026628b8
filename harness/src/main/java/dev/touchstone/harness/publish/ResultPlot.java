package dev.touchstone.harness.publish;

import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Group;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.Row;
import dev.touchstone.harness.report.html.Html;
import dev.touchstone.harness.report.html.LogAxis;
import dev.touchstone.harness.report.text.RunText;
import dev.touchstone.harness.report.text.TextTable;
import dev.touchstone.harness.run.Matrix.Subject;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.store.Published;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The headline of one part as an SVG image: for each chosen group its subjects from best to worst, on one logarithmic axis, the ceiling last.
 *
 * <p>Positions across are percentages and texts have sizes in pixels, so the image takes any width from 320 pixels on without shrinking its
 * text; its height is fixed. It has no script and loads nothing.
 */
final class ResultPlot {
    private static final int ROW = 36;
    private static final int LINE = 15;
    /** Characters that fit 343 pixels, the width of a phone less its margins, in the fonts of title, headings and notes. */
    private static final int TITLE_CHARS = 34;

    private static final int HEADING_CHARS = 46;
    private static final int NOTE_CHARS = 58;
    private static final int LABEL_CHARS = 34;

    private final ReportInput input;
    private final Published.Plot plot;
    private final List<Group> groups;
    private final Undecided undecided;
    private final LogAxis axis;
    private final Html body = new Html();
    private final StringBuilder description = new StringBuilder();
    private int y;
    private int omitted;

    private ResultPlot(ReportInput input, Published.Plot plot) {
        this.input = input;
        this.plot = plot;
        this.groups = plot.groups().stream().map(name -> group(input, name)).toList();
        List<Double> scores = new ArrayList<>();
        this.undecided = new Undecided(input);
        for (Group group : groups) {
            if (!group.unit().equals(groups.get(0).unit())) {
                throw new IllegalArgumentException("plot '" + plot.title() + "': expected one unit, got "
                        + groups.get(0).unit() + " and " + group.unit() + "; choose groups of one unit");
            }
            shown(group).forEach(row -> scores.addAll(row.scores().values()));
        }
        this.axis = LogAxis.covering(scores);
    }

    /**
     * Draws the chosen groups of a run.
     *
     * @param part name of the part, whose page has the full tables
     * @throws IllegalArgumentException if the run lacks a group, or the groups' units differ
     */
    static String render(ReportInput input, Published.Plot plot, String part, PlotColours colours) {
        return new ResultPlot(input, plot).draw(part, colours);
    }

    private static Group group(ReportInput input, String name) {
        List<Group> found = input.comparison().groups().stream()
                .filter(group -> (group.workload().id() + "/t" + group.threads()).equals(name))
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException("plot: group=" + name + ": expected once in run of commit "
                    + input.run().commit() + ", got " + found.size() + " times");
        }
        return found.get(0);
    }

    /** Returns ours, the best peers and the named ones from best to worst, failed ones after them; the ceiling last. */
    private List<Row> shown(Group group) {
        List<Row> peers = group.bestPeers();
        List<Row> best = peers.stream().limit(plot.peers()).toList();
        List<Row> subjects = new ArrayList<>(List.of(group.ours()));
        peers.stream()
                .filter(row ->
                        best.contains(row) || row.failed() > 0 || plot.also().contains(row.subject()))
                .forEach(subjects::add);
        subjects.sort(group.bestFirst());
        group.ceiling().filter(row -> !row.pending()).ifPresent(subjects::add);
        return subjects;
    }

    private String draw(String part, PlotColours colours) {
        head();
        groups.forEach(this::group);
        ticks();
        notes(part);
        String unit = groups.get(0).unit();
        return new Html()
                .raw("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100%\" height=\"" + y
                        + "\" role=\"img\" aria-labelledby=\"title desc\">\n")
                .element("title id=\"title\"", plot.title() + ", " + unit)
                .raw("\n")
                .element("desc id=\"desc\"", description.toString().strip())
                .raw("\n<style>" + colours.css() + "</style>\n")
                .raw("<rect width=\"100%\" height=\"100%\" fill=\"" + colours.paper() + "\"/>\n")
                .raw(body + "</svg>\n")
                .toString();
    }

    private void head() {
        for (String line : fold(plot.title(), " ", TITLE_CHARS)) {
            y += 20;
            left("title", line);
        }
        y += 20;
        Group first = groups.get(0);
        String direction = Format.direction(first.higherIsBetter());
        left("head", direction.substring(0, 1).toUpperCase(Locale.ROOT) + direction.substring(1) + ", log scale");
        right("head score", first.unit());
        right("head ratio", "ours is");
        y += 4;
    }

    private void group(Group group) {
        y += 8;
        String heading = group.workload().title() + threads(group);
        for (String line : fold(heading, " ", HEADING_CHARS)) {
            y += LINE + 1;
            left("group", line);
        }
        y += 3;
        description.append(heading).append(": ");
        List<Row> rows = shown(group);
        omitted = Math.max(omitted, group.bestPeers().size() - (int) count(rows, Row.Kind.PEER));
        String separator = "";
        for (Row row : rows) {
            description.append(separator);
            row(group, row);
            separator = "; ";
        }
        description.append(". ");
    }

    /** Returns the number of threads where it is not one, or where the plot shows the workload with several. */
    private String threads(Group group) {
        boolean several = groups.stream()
                .anyMatch(other -> other.workload().equals(group.workload()) && other.threads() != group.threads());
        return group.threads() > 1 || several ? " ·\u00a0" + group.threadsText().replace(' ', '\u00a0') : "";
    }

    private static long count(List<Row> rows, Row.Kind kind) {
        return rows.stream().filter(row -> row.kind() == kind).count();
    }

    private void row(Group group, Row row) {
        String kind = row.kind().name().toLowerCase(Locale.ROOT);
        String label = (row.kind() == Row.Kind.CEILING ? "ceiling: " : "")
                + row.label()
                + (row.failed() > 0 ? " (" + row.failed() + " failed)" : "");
        y += 17;
        body.raw("<text x=\"0\" y=\"" + y + "\" class=\"" + kind + "\">")
                .raw("<tspan class=\"narrow\">")
                .text(TextTable.cut(label, LABEL_CHARS))
                .raw("</tspan><tspan class=\"wide\">")
                .text(label)
                .raw("</tspan><tspan class=\"wide level\" dx=\"8\">")
                .text(row.level())
                .raw("</tspan></text>\n");
        description.append(label).append(' ');
        Summary summary = row.summary();
        if (summary == null) {
            right("worse ratio", row.failed() > 0 ? "failed" : "not run");
            description.append(row.failed() > 0 ? "failed" : "not run");
        } else {
            right("score " + kind, Format.score(summary));
            description.append(Format.score(summary)).append(' ').append(group.unit());
            ratio(group, row);
        }
        strip(group, row, kind, y + 11);
        y += ROW - 17;
    }

    private void ratio(Group group, Row row) {
        PairedRatio ratio = row.ratio();
        if (ratio == null) {
            return;
        }
        if (undecided.has(group, row)) {
            right("ratio", Undecided.TEXT);
            description.append(", ").append(Undecided.TEXT);
            return;
        }
        String factor = Format.factor(ratio.ratio()) + "x";
        right(ratio.high() < 1 && row.kind() == Row.Kind.PEER ? "ratio worse" : "ratio", factor);
        right("wide ends", Format.ends(ratio));
        description.append(", ours is ").append(factor);
    }

    /** Draws the axis, the ceiling's mark, the range of the rounds and the median. */
    private void strip(Group group, Row row, String kind, int middle) {
        line("axis", "0", "100%", middle, middle);
        axis.ticks().forEach(tick -> line("axis", axis.x(tick), axis.x(tick), middle - 3, middle + 3));
        Summary summary = row.summary();
        if (summary != null) {
            line("range " + kind, axis.x(summary.min()), axis.x(summary.max()), middle, middle);
        }
        Optional<Summary> ceiling = group.ceiling().map(Row::summary);
        ceiling.ifPresent(
                limit -> line("mark", axis.x(limit.median()), axis.x(limit.median()), middle - 5, middle + 5));
        if (summary != null && row.kind() != Row.Kind.CEILING) {
            body.raw("<circle class=\"" + kind + "\" cx=\"" + axis.x(summary.median()) + "\" cy=\"" + middle + "\" r=\""
                    + (row.kind() == Row.Kind.OURS ? 6 : 5) + "\"/>\n");
        }
    }

    private void ticks() {
        y += 14;
        for (double tick : axis.ticks()) {
            body.raw("<text class=\"tick\" x=\"" + axis.x(tick) + "\" y=\"" + y + "\">")
                    .text(Format.tick(tick))
                    .raw("</text>\n");
        }
        y += 8;
    }

    private void notes(String part) {
        boolean limited = groups.stream()
                .anyMatch(group -> group.ceiling().map(Row::summary).isPresent());
        y += 4;
        note("Dot: median; line: range of rounds" + (limited ? "; upright: ceiling." : "."), " ");
        note("1.5x: ours is 1.5 times better; below 1x it is worse.", " ");
        if (omitted > 0) {
            if (plot.peers() > 0) {
                note(chosen(), " ");
            }
            note("All subjects: docs/results/" + part + ".md.", " ");
        }
        y += 4;
        note(RunText.when(input) + " · build " + input.run().commit() + " · " + RunText.machine(input), " · ");
        y += 8;
    }

    private String chosen() {
        String also = plot.also().stream().map(subject -> ", " + label(subject)).collect(Collectors.joining());
        return "Shown: the best " + (plot.peers() == 1 ? "peer" : plot.peers() + " peers") + also + ".";
    }

    private String label(String subject) {
        Subject known = input.matrix().subjects().get(subject);
        if (known == null) {
            throw new IllegalArgumentException("plot '" + plot.title() + "': also: unknown subject=" + subject
                    + "; expected a name of the matrix");
        }
        return known.label();
    }

    private void note(String text, String separator) {
        for (String line : fold(text, separator, NOTE_CHARS)) {
            y += LINE;
            left("note", line);
        }
    }

    private void left(String cssClass, String text) {
        text(cssClass, "0", text);
    }

    private void right(String cssClass, String text) {
        text("end " + cssClass, "100%", text);
    }

    private void text(String cssClass, String x, String text) {
        body.raw("<text class=\"" + cssClass + "\" x=\"" + x + "\" y=\"" + y + "\">")
                .text(text)
                .raw("</text>\n");
    }

    private void line(String cssClass, String x1, String x2, int y1, int y2) {
        body.raw("<line class=\"" + cssClass + "\" x1=\"" + x1 + "\" x2=\"" + x2 + "\" y1=\"" + y1 + "\" y2=\"" + y2
                + "\"/>\n");
    }

    /** Breaks a text at a separator into lines of at most {@code width} characters where its pieces allow that. */
    static List<String> fold(String text, String separator, int width) {
        List<String> lines = new ArrayList<>();
        String line = null;
        for (String piece : text.split(Pattern.quote(separator), -1)) {
            if (line != null && line.length() + separator.length() + piece.length() > width) {
                lines.add(line);
                line = null;
            }
            line = line == null ? piece : line + separator + piece;
        }
        lines.add(Objects.requireNonNull(line));
        return lines;
    }
}
