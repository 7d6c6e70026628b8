package dev.touchstone.harness.report.text;

import dev.touchstone.harness.report.Comparison;
import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.Group;
import dev.touchstone.harness.report.Latencies;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.Row;
import dev.touchstone.harness.report.SeedComparison;
import java.util.ArrayList;
import java.util.List;

/** A recorded run as tables for a terminal, never wider than {@value #WIDTH} columns. */
public final class TextReport {
    /** The widest line. */
    public static final int WIDTH = 100;

    private final ReportInput input;
    private final Comparison comparison;
    private final StringBuilder out = new StringBuilder(8192);

    private TextReport(ReportInput input) {
        this.input = input;
        this.comparison = input.comparison();
    }

    /** The whole report. */
    public static String render(ReportInput input) {
        TextReport report = new TextReport(input);
        report.head();
        input.changes().ifPresent(changes -> report.out.append('\n').append(ChangeReport.text(changes)));
        report.comparison.groups().forEach(report::group);
        report.latencies();
        report.foot();
        return report.out.toString();
    }

    private void head() {
        wrap(RunText.title(input) + " · " + RunText.when(input), "");
        wrap(RunText.machine(input), "");
        Footnotes.warnings(input, comparison).forEach(warning -> wrap("! " + warning, ""));
    }

    private void group(Group group) {
        out.append('\n');
        wrap(group.heading() + " · " + group.unit() + ", " + Format.direction(group.higherIsBetter()), "");
        TextTable table = new TextTable(WIDTH, "<subject", "<level", "score", "±", "ours is");
        for (Row row : group.shown()) {
            table.row(row.label(), row.level(), Format.score(row.summary()), Format.spread(row.summary()), ratio(row));
            RowNotes.of(row).forEach(table::note);
        }
        table.appendTo(out);
        group.remarks().forEach(sentence -> wrap(sentence, "  "));
    }

    private void latencies() {
        for (Latencies.Table latencies : input.latencies().tables()) {
            out.append('\n');
            wrap(latencies.heading() + " · µs from when due, less is better", "");
            TextTable table =
                    new TextTable(WIDTH, "<subject", "p50", "p90", "p99", "p99.9", "p99.99", "max", "p99: ours is");
            for (Latencies.Line line : latencies.lines()) {
                List<String> cells = new ArrayList<>(List.of(line.label()));
                for (double percentile : Latencies.PERCENTILES) {
                    cells.add(Latencies.at(line, percentile)
                            .map(quantile -> Format.score(quantile.micros()))
                            .orElse(Format.NONE));
                }
                cells.add(Format.score(line.all().micros(100)));
                cells.add(line.kind() == Row.Kind.OURS ? "" : Latencies.ratio(line));
                table.row(cells.toArray(new String[0]));
                Latencies.remark(line).ifPresent(table::note);
            }
            table.appendTo(out);
        }
    }

    private static String ratio(Row row) {
        return row.kind() == Row.Kind.OURS ? "" : Format.ratio(row.ratio());
    }

    private void foot() {
        out.append('\n');
        List<String> notes = new ArrayList<>(Footnotes.notes(input, comparison));
        if (!SeedComparison.of(input, comparison).tables().isEmpty()) {
            notes.add("The origin documents' figures stand beside these in the Markdown and HTML reports.");
        }
        for (int i = 0; i < notes.size(); i++) {
            int at = out.length();
            String number = "(" + (i + 1) + ") ";
            wrap(notes.get(i), " ".repeat(number.length()));
            out.replace(at, at + number.length(), number);
        }
    }

    private void wrap(String text, String indent) {
        TextTable.wrap(out, text, indent, WIDTH);
    }
}
