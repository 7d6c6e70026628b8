package dev.touchstone.harness.report;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.Matrix.SeedRow;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tables of the origin documents, with what answers each row here. Immutable.
 *
 * @param tables in the order of the matrix's seed rows; only those of which some row was measured
 */
public record SeedComparison(List<Table> tables) {
    /**
     * Compares the documents' rows with the cells of a run that the matrix names for them.
     *
     * @param comparison of the same run
     */
    public static SeedComparison of(ReportInput input, Comparison comparison) {
        Map<String, Table> tables = new LinkedHashMap<>();
        for (SeedRow row : input.matrix().seedRows()) {
            Optional<Group> group = comparison.groups().stream()
                    .filter(candidate -> candidate.workload().id().equals(row.workload()))
                    .filter(candidate -> candidate.threads() == row.threads())
                    .findFirst();
            Optional<SeedFigures.Figure> figure = input.seeds().find(row.seed());
            if (group.isPresent() && figure.isPresent()) {
                SeedFigures.Figure seed = figure.get();
                tables.computeIfAbsent(tableOf(row.seed()), unused -> new Table(seed, new LinkedHashMap<>()))
                        .lines
                        .put(row.seed(), line(input.matrix(), row, seed, group.get()));
            }
        }
        return new SeedComparison(List.copyOf(tables.values()));
    }

    private static String tableOf(String reference) {
        int slash = reference.indexOf('/');
        return slash < 0 ? reference : reference.substring(0, slash);
    }

    private static Line line(Matrix matrix, SeedRow row, SeedFigures.Figure seed, Group group) {
        String counter = row.counter();
        SortedMap<Integer, Double> ours = scores(group, row.ours(), counter);
        SortedMap<Integer, Double> peer = scores(group, row.peer(), counter);
        boolean higher = seed.table().better() == SeedDocument.Better.HIGHER;
        return new Line(
                seed.row(),
                label(matrix, row.peer()),
                label(matrix, row.ours()),
                counter == null ? group.unit() : seed.table().unit(),
                summary(peer),
                summary(ours),
                PairedRatio.of(ours, peer, counter == null ? group.higherIsBetter() : higher)
                        .orElse(null),
                counter == null ? group.ceiling().map(Row::summary).orElse(null) : null);
    }

    private static SortedMap<Integer, Double> scores(Group group, String subject, @Nullable String counter) {
        return row(group, subject)
                .map(row -> counter == null
                        ? row.scores()
                        : Optional.ofNullable(row.secondary().get(counter))
                                .map(Series::byRound)
                                .orElseGet(TreeMap::new))
                .orElseGet(TreeMap::new);
    }

    private static Optional<Row> row(Group group, String subject) {
        return group.rows().stream()
                .filter(row -> row.subject().equals(subject))
                .findFirst();
    }

    private static String label(Matrix matrix, String subject) {
        Matrix.Subject known = matrix.subjects().get(subject);
        return known == null ? subject : known.label();
    }

    private static @Nullable Summary summary(SortedMap<Integer, Double> scores) {
        return scores.isEmpty() ? null : Summary.of(List.copyOf(scores.values()));
    }

    /** The documents' conditions, each once, in the order of the tables. */
    public List<String> conditions() {
        return tables.stream()
                .map(table -> table.origin.document())
                .map(document -> document.source() + ": " + document.conditions() + ".")
                .distinct()
                .toList();
    }

    /** Returns the lines of all tables, by reference {@code file#table/row}. */
    public Map<String, Line> lines() {
        Map<String, Line> lines = new LinkedHashMap<>();
        tables.forEach(table -> lines.putAll(table.lines));
        return lines;
    }

    /**
     * Table of an origin document.
     *
     * @param lines by reference
     */
    public record Table(SeedFigures.Figure origin, Map<String, Line> lines) {
        public String title() {
            return origin.document().source() + " · " + origin.table().title();
        }

        public String unit() {
            return origin.table().unit();
        }

        public List<Line> rows() {
            return List.copyOf(lines.values());
        }
    }

    /**
     * A row of an origin document with what was measured here.
     *
     * @param unit of what was measured here
     * @param peer measured here; null where it wasn't
     * @param ratio ours to the peer, both measured here
     */
    public record Line(
            SeedDocument.Row seed,
            String peerLabel,
            String oursLabel,
            String unit,
            @Nullable Summary peer,
            @Nullable Summary ours,
            @Nullable PairedRatio ratio,
            @Nullable Summary ceiling) {

        /** Returns the peer's label; where the document's row is of something else, that too: {@code chronicle-queue, for tape}. */
        public String peerText() {
            String origin = seed.subject();
            return origin.isEmpty() || peerLabel.regionMatches(true, 0, origin, 0, origin.length())
                    ? peerLabel
                    : peerLabel + ", for " + origin;
        }
    }
}
