package dev.touchstone.harness.report.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.touchstone.harness.file.StrictJson;
import dev.touchstone.harness.report.Change;
import dev.touchstone.harness.report.Changes;
import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.stats.Looks;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A comparison's verdicts for a terminal and for other programs. */
public final class ChangeReport {
    /** Version of the JSON's form, raised where a field goes: 2 has no p-values. */
    public static final int SCHEMA = 2;

    private ChangeReport() {}

    /** A table within {@value TextReport#WIDTH} columns. */
    public static String text(Changes changes) {
        StringBuilder out = new StringBuilder();
        wrap(out, changes.title());
        changes.warnings().forEach(warning -> wrap(out, "! " + warning));
        TextTable table = new TextTable(TextReport.WIDTH, "<cell", "<against", "ratio", "pairs", "verdict", "of all");
        for (Change change : changes.rows()) {
            String witness = change.witness();
            table.row(
                    witness == null ? change.cell() : "+ " + witness,
                    change.against(),
                    Format.ratio(change.ratio()),
                    pairs(change),
                    change.verdict().label(),
                    change.verdictOfAll().label());
            notes(change).forEach(table::note);
        }
        table.appendTo(out);
        out.append('\n');
        wrap(out, summary(changes));
        notes(changes).forEach(note -> wrap(out, note));
        return out.toString();
    }

    /** Returns a line for each cell: its id, verdict, ratio, and what it was compared with, separated by tabs. */
    public static String lines(Changes changes) {
        return changes.rows().stream()
                .map(change -> String.join(
                                "\t",
                                change.cell(),
                                change.verdict().label(),
                                Format.ratio(change.ratio()),
                                change.against())
                        + "\n")
                .collect(Collectors.joining());
    }

    /** Returns one line that counts the cells by verdict. */
    public static String summary(Changes changes) {
        String counts = Arrays.stream(Verdict.values())
                .map(verdict -> changes.of(verdict).size() + " " + verdict.label())
                .collect(Collectors.joining(", "));
        return changes.rows().size() + (changes.rows().size() == 1 ? " cell: " : " cells: ") + counts + ".";
    }

    /** Returns what a reader must know of one cell beside its verdict; may be empty. */
    public static List<String> notes(Change change) {
        List<String> notes = new ArrayList<>();
        String failure = change.failure();
        if (failure != null) {
            notes.add(failure);
        }
        String failedForks = change.failedForks();
        if (failedForks != null) {
            notes.add(failedForks);
        }
        if (change.dirtyRounds() > 0) {
            notes.add(change.dirtyRounds() + (change.dirtyRounds() == 1 ? " round was" : " rounds were")
                    + " never quiet and left out; the last column is of all rounds as they first ran.");
        }
        String chances = change.chances();
        if (chances != null) {
            notes.add(chances + ".");
        }
        return notes;
    }

    /** Returns the sentences that explain the table's ratios and verdicts. */
    public static List<String> notes(Changes changes) {
        List<String> notes = new ArrayList<>();
        notes.add(
                "A ratio above 1x is better, whichever way the unit goes; in brackets its interval over pairs of forks.");
        double error = changes.rows().stream().mapToDouble(Change::error).min().orElse(Looks.NIGHT_ERROR);
        notes.add(String.format(
                Locale.ROOT,
                "faster, slower: the whole interval lies beyond the floor, %s; same: the whole interval lies within %s;"
                        + " unknown: neither yet. An interval misses in at most %s of nights, so that all cells together"
                        + " have a false verdict in at most %s.",
                range(changes, Change::floorPercent, Verdict.MIN_FLOOR_PERCENT),
                range(changes, Change::marginPercent, Verdict.MARGIN_PERCENT),
                Format.percent(100 * error),
                Format.percent(100 * Looks.NIGHT_ERROR)));
        return notes;
    }

    /** Returns one percentage, or the least and the greatest of them. */
    private static String range(Changes changes, ToDoubleFunction<Change> percent, double otherwise) {
        DoubleSummaryStatistics all =
                changes.rows().stream().mapToDouble(percent).summaryStatistics();
        double low = all.getCount() == 0 ? otherwise : all.getMin();
        double high = all.getCount() == 0 ? otherwise : all.getMax();
        return low == high ? Format.percent(low) : Format.percent(low) + " to " + Format.percent(high);
    }

    /** Returns the number of pairs, and of those beyond the bulk. */
    static String pairs(Change change) {
        PairedRatio ratio = change.ratio();
        return ratio == null ? "" : ratio.n() + (ratio.outliers() == 0 ? "" : " (" + ratio.outliers() + " out)");
    }

    /** Returns all cells with their verdicts as an indented JSON document. */
    public static String json(Changes changes) {
        return StrictJson.pretty(tree(changes));
    }

    /** Returns the content of {@link #json} as a node, to be embedded in another document. */
    static ObjectNode tree(Changes changes) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("schema", SCHEMA);
        root.put("title", changes.title());
        ObjectNode counts = root.putObject("verdicts");
        for (Verdict verdict : Verdict.values()) {
            counts.put(verdict.label(), changes.of(verdict).size());
        }
        ArrayNode rows = root.putArray("changes");
        changes.rows().forEach(change -> rows.add(tree(change)));
        ArrayNode warnings = root.putArray("warnings");
        changes.warnings().forEach(warnings::add);
        return root;
    }

    private static JsonNode tree(Change change) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("cell", change.cell());
        node.put("against", change.against());
        node.put("unit", change.unit());
        node.put("higherIsBetter", change.higherIsBetter());
        node.set("ours", JsonReport.node(change.ours()));
        node.set("theirs", JsonReport.node(change.theirs()));
        node.set("ratio", JsonReport.node(change.ratio()));
        node.put("error", change.error());
        node.put("floorPercent", change.floorPercent());
        node.put("marginPercent", change.marginPercent());
        node.put("verdict", change.verdict().label());
        node.put("verdictOfAll", change.verdictOfAll().label());
        node.put("dirtyRounds", change.dirtyRounds());
        node.put("chances", change.chances());
        node.put("failure", change.failure());
        node.put("ownFailed", change.ownFailed());
        node.put("failedForks", change.failedForks());
        return node;
    }

    private static void wrap(StringBuilder out, String text) {
        TextTable.wrap(out, text, "", TextReport.WIDTH);
    }
}
