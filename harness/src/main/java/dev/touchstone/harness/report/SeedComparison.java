package dev.touchstone.harness.report;

import dev.touchstone.harness.run.Matrix.SeedRow;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The origin documents' tables, with what answers each row here.
 *
 * @param tables in the order of the matrix's seed rows; only those of which some row was measured
 */
record SeedComparison(List<Table> tables) {

    static SeedComparison of(ReportInput input, Comparison comparison) {
        Map<String, Table> tables = new LinkedHashMap<>();
        for (SeedRow row : input.matrix().seedRows()) {
            Optional<Group> group = comparison.groups().stream()
                    .filter(candidate -> candidate.workload().id().equals(row.workload()))
                    .filter(candidate -> candidate.threads() == row.threads())
                    .findFirst();
            Optional<SeedFigures.Figure> figure = input.seeds().find(row.seed());
            if (group.isPresent() && figure.isPresent()) {
                SeedFigures.Figure seed = figure.get();
                tables.computeIfAbsent(tableOf(row.seed()), unused -> new Table(seed, new ArrayList<>()))
                        .lines
                        .add(line(row, seed.row(), group.get()));
            }
        }
        return new SeedComparison(List.copyOf(tables.values()));
    }

    private static String tableOf(String reference) {
        int slash = reference.indexOf('/');
        return slash < 0 ? reference : reference.substring(0, slash);
    }

    private static Line line(SeedRow row, SeedDocument.Row seed, Group group) {
        String method = seed.id().substring(seed.id().lastIndexOf('/') + 1);
        SortedMap<Integer, Double> ours = scores(group, row.ours(), method);
        SortedMap<Integer, Double> peer = scores(group, row.peer(), method);
        boolean whole = group.rows().stream().noneMatch(any -> any.secondary().containsKey(method));
        return new Line(
                seed,
                label(group, row.peer()),
                label(group, row.ours()),
                group.unit(),
                summary(peer),
                summary(ours),
                PairedRatio.of(ours, peer, group.higherIsBetter()).orElse(null),
                whole ? group.ceiling().map(Row::summary).orElse(null) : null);
    }

    /** A row id that ends with a method of the JMH group, {@code batched/read}, is answered by that method's score. */
    private static SortedMap<Integer, Double> scores(Group group, String subject, String method) {
        return row(group, subject)
                .map(row -> {
                    Series series = row.secondary().get(method);
                    return series == null ? row.scores() : series.byRound();
                })
                .orElseGet(TreeMap::new);
    }

    private static Optional<Row> row(Group group, String subject) {
        return group.rows().stream()
                .filter(row -> row.subject().equals(subject))
                .findFirst();
    }

    private static String label(Group group, String subject) {
        return row(group, subject).map(Row::label).orElse(subject);
    }

    private static @Nullable Summary summary(SortedMap<Integer, Double> scores) {
        return scores.isEmpty() ? null : Summary.of(List.copyOf(scores.values()));
    }

    /** The documents' conditions, each once, in the order of the tables. */
    List<String> conditions() {
        return tables.stream()
                .map(table -> table.origin.document())
                .map(document -> document.source() + ": " + document.conditions() + ".")
                .distinct()
                .toList();
    }

    /** One table of an origin document. */
    record Table(SeedFigures.Figure origin, List<Line> lines) {

        String title() {
            return origin.document().source() + " · " + origin.table().title();
        }

        String unit() {
            return origin.table().unit();
        }

        /** The lines, not to be changed. */
        List<Line> rows() {
            return Collections.unmodifiableList(lines);
        }
    }

    /**
     * One row of an origin document.
     *
     * @param unit of what was measured here
     * @param peer measured here; null where it wasn't
     * @param ratio ours to the peer, both measured here
     */
    record Line(
            SeedDocument.Row seed,
            String peerLabel,
            String oursLabel,
            String unit,
            @Nullable Summary peer,
            @Nullable Summary ours,
            @Nullable PairedRatio ratio,
            @Nullable Summary ceiling) {

        /** The peer's label; where the document's row is of something else, that too: {@code chronicle-queue, for tape}. */
        String peerText() {
            String origin = seed.subject();
            return origin.isEmpty() || peerLabel.regionMatches(true, 0, origin, 0, origin.length())
                    ? peerLabel
                    : peerLabel + ", for " + origin;
        }

        /** The document's figure as it is printed. */
        String seedFigure() {
            Double score = seed.score();
            return score == null ? Format.NONE : Format.score(score);
        }
    }
}
