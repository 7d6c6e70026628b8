package dev.touchstone.harness.report.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.touchstone.harness.file.StrictJson;
import dev.touchstone.harness.paced.HistogramText;
import dev.touchstone.harness.report.Comparison;
import dev.touchstone.harness.report.Group;
import dev.touchstone.harness.report.History;
import dev.touchstone.harness.report.Latencies;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.Row;
import dev.touchstone.harness.report.SeedComparison;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A recorded run's comparison as a JSON tree, for other programs. Fields are only ever added. */
public final class JsonReport {
    /** Version of the tree's form. */
    public static final int SCHEMA = 1;

    private JsonReport() {}

    /** The whole report, indented. */
    public static String render(ReportInput input) {
        return StrictJson.pretty(tree(input));
    }

    /** The whole report. */
    public static JsonNode tree(ReportInput input) {
        Comparison comparison = input.comparison();
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("schema", SCHEMA);
        root.put("profile", input.run().profile());
        root.put("version", input.run().version());
        root.put("commit", input.run().commit());
        root.put("dirty", input.run().dirty());
        root.put("startedAt", input.run().startedAt());
        root.put("finishedAt", input.run().finishedAt());
        root.put("tmpfs", input.run().tmpfs() || input.environment().tmpfs());
        root.put("failed", comparison.failed());
        input.changes().ifPresent(changes -> root.set("comparison", ChangeReport.tree(changes)));
        History history = input.history();
        if (history != null) {
            add(root.putObject("history"), history);
        }
        ArrayNode groups = root.putArray("groups");
        comparison.groups().forEach(group -> add(groups.addObject(), group));
        ArrayNode latencies = root.putArray("latencies");
        input.latencies().tables().forEach(table -> add(latencies.addObject(), table));
        ArrayNode seeds = root.putArray("seeds");
        SeedComparison.of(input, comparison).tables().forEach(table -> add(seeds.addObject(), table));
        strings(root.putArray("warnings"), Footnotes.warnings(input, comparison));
        strings(root.putArray("notes"), Footnotes.notes(input, comparison));
        return root;
    }

    private static void add(ObjectNode node, History history) {
        node.put("passedOver", history.passedOver());
        ArrayNode lines = node.putArray("lines");
        for (History.Line line : history.lines()) {
            ObjectNode cell = lines.addObject();
            cell.put("cell", line.cell());
            cell.put("ruler", line.kind().work());
            cell.put("lastToWindow", line.lastToWindow());
            ArrayNode nights = cell.putArray("nights");
            line.nights()
                    .forEach(night -> nights.addObject()
                            .put("day", night.day().toString())
                            .put("commit", night.commit())
                            .put("score", night.score())
                            .put("unit", night.unit())
                            .put("speed", night.speed()));
            ArrayNode shifts = cell.putArray("shifts");
            for (History.Shift shift : line.shifts()) {
                ObjectNode at = shifts.addObject();
                at.put("day", line.nights().get(shift.at()).day().toString());
                at.put("commit", line.nights().get(shift.at()).commit());
                at.put("ratio", shift.ratio());
                strings(at.putArray("remarks"), shift.remarks());
            }
        }
    }

    private static void add(ObjectNode node, Group group) {
        node.put("workload", group.workload().id());
        node.put("title", group.workload().title());
        strings(node.putObject("params"), group.params());
        node.put("threads", group.threads());
        node.put("unit", group.unit());
        node.put("higherIsBetter", group.higherIsBetter());
        group.percentOfCeiling().ifPresent(percent -> node.put("percentOfCeiling", percent));
        node.put("rulerMicros", group.rulerMicros());
        ArrayNode rows = node.putArray("rows");
        group.rows().forEach(row -> add(rows.addObject(), row));
    }

    private static void add(ObjectNode node, Row row) {
        node.put("subject", row.subject());
        node.put("kind", row.kind().name());
        node.put("label", row.label());
        node.put("level", row.level());
        node.set("score", node(row.summary()));
        node.set("ratio", node(row.ratio()));
        ArrayNode forks = node.putArray("forks");
        row.scores()
                .forEach((round, score) -> forks.addObject().put("round", round).put("score", score));
        ObjectNode perOperation = node.putObject("perOperation");
        row.perOperation().forEach(perOperation::put);
        ObjectNode secondary = node.putObject("secondary");
        row.secondary().forEach((name, series) -> secondary.set(name, node(series.summary())));
        node.put("disturbed", row.disturbed());
        node.put("failed", row.failed());
        node.put("failure", row.failure());
    }

    private static void add(ObjectNode node, Latencies.Table table) {
        node.put("workload", table.workload().id());
        node.put("heading", table.heading());
        node.put("ratePerSecond", table.ratePerSecond());
        ArrayNode lines = node.putArray("lines");
        for (Latencies.Line line : table.lines()) {
            ObjectNode one = lines.addObject();
            one.put("label", line.label());
            one.put("kind", line.kind().name());
            one.put("made", line.all().made());
            one.put("omitted", line.all().omitted());
            one.put("held", line.held());
            one.put("hdrHistogramNanos", HistogramText.of(line.all().nanos()));
            ArrayNode quantiles = one.putArray("percentiles");
            for (Latencies.Quantile quantile : line.quantiles()) {
                ObjectNode at = quantiles.addObject();
                at.put("percentile", quantile.percentile());
                at.put("micros", quantile.micros());
                at.set("forks", node(quantile.forks()));
                at.set("ratio", node(quantile.ratio()));
            }
        }
    }

    private static void add(ObjectNode node, SeedComparison.Table table) {
        node.put("source", table.origin().document().source());
        node.put("table", table.origin().table().id());
        node.put("unit", table.unit());
        ArrayNode rows = node.putArray("rows");
        for (SeedComparison.Line line : table.rows()) {
            ObjectNode row = rows.addObject();
            row.put("row", line.seed().id());
            row.put("seed", line.seed().score());
            row.put("seedSubject", line.seed().subject());
            row.put("peer", line.peerLabel());
            row.put("ours", line.oursLabel());
            row.put("unit", line.unit());
            row.set("peerHere", node(line.peer()));
            row.set("oursHere", node(line.ours()));
            row.set("ratio", node(line.ratio()));
            row.set("ceiling", node(line.ceiling()));
        }
    }

    static JsonNode node(@Nullable Summary summary) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        if (summary == null) {
            return json.nullNode();
        }
        ObjectNode node = json.objectNode()
                .put("n", summary.n())
                .put("median", summary.median())
                .put("min", summary.min())
                .put("max", summary.max());
        return Double.isNaN(summary.spreadPercent())
                ? node.putNull("spreadPercent")
                : node.put("spreadPercent", summary.spreadPercent());
    }

    static JsonNode node(@Nullable PairedRatio ratio) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return ratio == null
                ? json.nullNode()
                : json.objectNode()
                        .put("n", ratio.n())
                        .put("ratio", ratio.ratio())
                        .put("low", ratio.low())
                        .put("high", ratio.high())
                        .put("coverage", ratio.coverage())
                        .put("outliers", ratio.outliers())
                        .put("spread", ratio.spread());
    }

    private static void strings(ArrayNode array, Iterable<String> texts) {
        texts.forEach(array::add);
    }

    private static void strings(ObjectNode node, Map<String, String> texts) {
        texts.forEach(node::put);
    }
}
