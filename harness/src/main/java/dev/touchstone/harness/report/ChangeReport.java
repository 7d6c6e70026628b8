package dev.touchstone.harness.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.touchstone.harness.stats.Verdict;
import dev.touchstone.harness.store.StrictJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A comparison's verdicts for a terminal and for other programs. */
public final class ChangeReport {
    /** Version of the JSON's form; fields are only ever added. */
    public static final int SCHEMA = 1;

    private ChangeReport() {}

    /** A table within {@value TextReport#WIDTH} columns. */
    public static String text(Changes changes) {
        StringBuilder out = new StringBuilder();
        wrap(out, changes.title());
        changes.warnings().forEach(warning -> wrap(out, "! " + warning));
        TextTable table = new TextTable(TextReport.WIDTH, "<cell", "<against", "ratio", "p", "verdict", "of all");
        for (Change change : changes.rows()) {
            table.row(
                    change.cell(),
                    change.against(),
                    Format.ratio(change.ratio()),
                    p(change),
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

    /** One line: how many cells have which verdict. */
    public static String summary(Changes changes) {
        String counts = Arrays.stream(Verdict.values())
                .map(verdict -> changes.of(verdict).size() + " " + verdict.label())
                .collect(Collectors.joining(", "));
        return changes.rows().size() + (changes.rows().size() == 1 ? " cell: " : " cells: ") + counts + ".";
    }

    static List<String> notes(Change change) {
        List<String> notes = new ArrayList<>();
        String failure = change.failure();
        if (failure != null) {
            notes.add(failure);
        }
        if (change.dirtyRounds() > 0) {
            notes.add(change.dirtyRounds() + (change.dirtyRounds() == 1 ? " round was" : " rounds were")
                    + " never quiet and left out; the last column is of all rounds as they first ran.");
        }
        return notes;
    }

    /** How to read the table. */
    static List<String> notes(Changes changes) {
        double floor =
                changes.rows().stream().mapToDouble(Change::floorPercent).max().orElse(Verdict.MIN_FLOOR_PERCENT);
        List<String> notes = new ArrayList<>();
        notes.add(
                "A ratio above 1x is better, whichever way the unit goes; in brackets its interval over pairs of forks.");
        notes.add(String.format(
                Locale.ROOT,
                "faster, slower: p below %.2f for all cells together, and more than the floor of this machine, up to %s;"
                        + " same: the whole interval within it, and within %s; unknown: neither was shown.",
                Verdict.LEVEL,
                Format.percent(floor),
                Format.percent(Verdict.MAX_SAME_PERCENT)));
        if (changes.rows().stream().anyMatch(Change::fresh)) {
            notes.add("What seemed to differ was measured again; its figures are of those fresh pairs alone.");
        }
        return notes;
    }

    /** {@code 0.84x [0.80, 0.88]}. */
    public static String ratio(Change change) {
        return Format.ratio(change.ratio());
    }

    static String p(Change change) {
        return change.ratio() == null || change.p() >= 1 ? "" : String.format(Locale.ROOT, "%.4f", change.p());
    }

    /** One JSON document. */
    public static String json(Changes changes) {
        return StrictJson.pretty(tree(changes));
    }

    /** As a part of another document. */
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
        node.put("adjustedP", change.p());
        node.put("floorPercent", change.floorPercent());
        node.put("verdict", change.verdict().label());
        node.put("verdictOfAll", change.verdictOfAll().label());
        node.put("dirtyRounds", change.dirtyRounds());
        node.put("fresh", change.fresh());
        node.put("failure", change.failure());
        node.put("ownFailed", change.ownFailed());
        return node;
    }

    private static void wrap(StringBuilder out, String text) {
        TextTable.wrap(out, text, "", TextReport.WIDTH);
    }
}
