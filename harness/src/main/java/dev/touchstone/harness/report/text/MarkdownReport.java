package dev.touchstone.harness.report.text;

import dev.touchstone.harness.env.DoctorReport;
import dev.touchstone.harness.env.Finding;
import dev.touchstone.harness.report.Change;
import dev.touchstone.harness.report.Changes;
import dev.touchstone.harness.report.Comparison;
import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Group;
import dev.touchstone.harness.report.History;
import dev.touchstone.harness.report.Latencies;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.Row;
import dev.touchstone.harness.report.SeedComparison;
import java.util.ArrayList;
import java.util.List;

/** A recorded run as Markdown (the tables of GitHub's dialect). */
public final class MarkdownReport {
    private final ReportInput input;
    private final Comparison comparison;
    private final StringBuilder out = new StringBuilder(8192);

    private MarkdownReport(ReportInput input) {
        this.input = input;
        this.comparison = input.comparison();
    }

    /** The whole report. */
    public static String render(ReportInput input) {
        MarkdownReport report = new MarkdownReport(input);
        report.head();
        input.changes().ifPresent(report::changes);
        History history = input.history();
        if (history != null && !history.lines().isEmpty()) {
            report.history(history);
        }
        report.comparison.groups().forEach(report::group);
        report.latencies();
        report.seeds();
        report.notes();
        report.machine();
        return report.out.toString();
    }

    private void head() {
        out.append("# ").append(text(RunText.title(input))).append("\n\n");
        out.append(text(RunText.when(input))).append("  \n");
        out.append(text(RunText.machine(input))).append("\n\n");
        for (String warning : Footnotes.warnings(input, comparison)) {
            out.append("> **").append(text(warning)).append("**\n\n");
        }
    }

    private void latencies() {
        List<Latencies.Table> tables = input.latencies().tables();
        if (tables.isEmpty()) {
            return;
        }
        out.append("## Response times at a fixed rate\n\n")
                .append(Latencies.LEAD)
                .append("\n\n");
        for (Latencies.Table table : tables) {
            out.append("### ").append(text(table.heading())).append("\n\n");
            header("subject", "p50:", "p90:", "p99:", "p99.9:", "p99.99:", "max:", "p99, ours is:", "notes");
            for (Latencies.Line line : table.lines()) {
                List<String> cells = new ArrayList<>(List.of(line.label()));
                for (double percentile : Latencies.PERCENTILES) {
                    cells.add(
                            Latencies.at(line, percentile).map(Latencies::text).orElse(Format.NONE));
                }
                cells.add(Format.score(line.all().micros(100)));
                cells.add(line.kind() == Row.Kind.OURS ? "" : Latencies.ratio(line));
                cells.add(Latencies.remark(line).orElse(""));
                row(cells.toArray(new String[0]));
            }
            out.append('\n');
        }
    }

    private void changes(Changes changes) {
        out.append("## ").append(text(changes.title())).append("\n\n");
        changes.warnings()
                .forEach(warning -> out.append("> **").append(text(warning)).append("**\n\n"));
        header("cell", "unit", "before:", "now:", "ratio:", "pairs:", "verdict", "of all rounds", "notes");
        for (Change change : changes.rows()) {
            row(
                    change.cell(),
                    change.unit(),
                    Format.score(change.theirs()),
                    Format.score(change.ours()),
                    Format.ratio(change.ratio()),
                    ChangeReport.pairs(change),
                    change.verdict().label(),
                    change.verdictOfAll().label(),
                    String.join("; ", ChangeReport.notes(change)));
        }
        out.append('\n').append(text(ChangeReport.summary(changes))).append("\n\n");
        ChangeReport.notes(changes)
                .forEach(note -> out.append("- ").append(text(note)).append('\n'));
        out.append('\n');
    }

    private void history(History history) {
        out.append("## This machine's nights\n\n").append(HistoryText.LEAD).append("\n\n");
        header("cell", "nights:", "last to the window before:", "changes of level");
        for (History.Line line : history.lines()) {
            row(
                    line.cell(),
                    Integer.toString(line.nights().size()),
                    Format.factor(line.lastToWindow()) + "x",
                    String.join("; ", HistoryText.shifts(line)));
        }
        out.append('\n');
    }

    private void group(Group group) {
        out.append("## ").append(text(group.heading())).append("\n\n");
        out.append(text(group.unit()))
                .append(", ")
                .append(Format.direction(group.higherIsBetter()))
                .append(".");
        group.remarks().forEach(sentence -> out.append(' ').append(text(sentence)));
        out.append("\n\n");
        header("subject", "level", "score:", "±:", "ours is:", "forks:", "notes");
        for (Row row : group.shown()) {
            row(
                    row.label(),
                    row.level(),
                    Format.score(row.summary()),
                    Format.spread(row.summary()),
                    row.kind() == Row.Kind.OURS ? "" : Format.ratio(row.ratio()),
                    Integer.toString(row.scores().size()),
                    String.join("; ", RowNotes.of(row)));
        }
        out.append('\n');
    }

    private void seeds() {
        SeedComparison seeds = SeedComparison.of(input, comparison);
        List<SeedComparison.Table> tables = seeds.tables();
        if (tables.isEmpty()) {
            return;
        }
        out.append("## Beside the origin documents\n\n");
        out.append(
                "Seed figures come from other machines and years: compare ratios, not scores. A peer \"for\" a subject stands in its place.\n\n");
        for (SeedComparison.Table table : tables) {
            out.append("### ").append(text(table.title())).append("\n\n");
            header("row", "seed, " + table.unit() + ":", "peer", "peer here:", "ours here:", "ours is:", "ceiling:");
            for (SeedComparison.Line line : table.rows()) {
                row(
                        line.seed().id(),
                        line.seed().figure(),
                        line.peerText(),
                        Format.score(line.peer()),
                        Format.score(line.ours()),
                        Format.ratio(line.ratio()),
                        Format.score(line.ceiling()));
            }
            out.append('\n');
        }
        for (String conditions : seeds.conditions()) {
            out.append(text(conditions)).append("\n\n");
        }
    }

    private void notes() {
        out.append("## How to read this\n\n");
        Footnotes.notes(input, comparison)
                .forEach(note -> out.append("- ").append(text(note)).append('\n'));
        out.append('\n');
    }

    private void machine() {
        out.append("## The machine\n\n");
        header("what", "value", "meaning", "");
        for (Finding finding : DoctorReport.of(input.environment()).findings()) {
            row(
                    finding.name(),
                    finding.value(),
                    finding.meaning(),
                    finding.severity().name());
        }
    }

    /** The first two lines of a table; a name with a colon at its end heads a right-aligned column. */
    private void header(String... names) {
        List<String> titles = new ArrayList<>();
        List<String> rules = new ArrayList<>();
        for (String name : names) {
            boolean right = name.endsWith(":");
            titles.add(right ? name.substring(0, name.length() - 1) : name);
            rules.add(right ? "--:" : "---");
        }
        row(titles.toArray(String[]::new));
        out.append("| ").append(String.join(" | ", rules)).append(" |\n");
    }

    private void row(String... cells) {
        out.append('|');
        for (String cell : cells) {
            out.append(' ').append(text(cell)).append(" |");
        }
        out.append('\n');
    }

    /** Text that Markdown shows as it is: no markup, no table separator, one line. */
    public static String text(String raw) {
        StringBuilder clean = new StringBuilder(raw.length() + 16);
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            switch (c) {
                case '&' -> clean.append("&amp;");
                case '<' -> clean.append("&lt;");
                case '>' -> clean.append("&gt;");
                case '\\', '|', '`', '*', '_', '[', ']', '#', '!' ->
                    clean.append('\\').append(c);
                default -> clean.append(Character.isISOControl(c) ? ' ' : c);
            }
        }
        return clean.toString();
    }
}
