package dev.touchstone.harness.report;

import dev.touchstone.harness.run.Matrix.Workload;
import dev.touchstone.harness.stats.PairedRatio;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Subjects that did the same work in the same rounds: one table of a report.
 *
 * @param params the workload's parameters other than the subject
 * @param threads JMH worker threads, or 0 where the benchmark fixes its own
 * @param unit of the scores, {@code ops/s}
 * @param rows ours, the peers in the matrix's order, the ceiling
 */
public record Group(
        Workload workload,
        SortedMap<String, String> params,
        int threads,
        String unit,
        boolean higherIsBetter,
        List<Row> rows) {

    /** The row that ratios are taken of. */
    public Row ours() {
        return rows.get(0);
    }

    /** The physical limit's row, where there is one. */
    public Optional<Row> ceiling() {
        return rows.stream().filter(row -> row.kind() == Row.Kind.CEILING).findFirst();
    }

    /** Share of the physical limit that ours reaches, where both ran. */
    public Optional<Double> percentOfCeiling() {
        return ceiling().map(Row::ratio).map(PairedRatio::ratio).map(ratio -> 100 * ratio);
    }

    /** Rounds in which any subject gave a score. */
    public int rounds() {
        SortedSet<Integer> rounds = new TreeSet<>();
        rows.forEach(row -> rounds.addAll(row.scores().keySet()));
        return rounds.size();
    }

    /** Threads and parameters in words: {@code 8 threads, size=LARGE}. */
    public String conditions() {
        StringBuilder text = new StringBuilder();
        if (threads > 0) {
            text.append(threads).append(threads == 1 ? " thread" : " threads");
        }
        params.forEach((name, value) ->
                text.append(text.isEmpty() ? "" : ", ").append(name).append('=').append(value));
        return text.toString();
    }

    /** Title and conditions in one line. */
    public String heading() {
        String conditions = conditions();
        return conditions.isEmpty() ? workload.title() : workload.title() + " · " + conditions;
    }
}
