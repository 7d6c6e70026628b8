package dev.touchstone.harness.report;

import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Matrix.Workload;
import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.store.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Subjects that did the same work in the same rounds: one table of a report.
 *
 * @param params the workload's parameters other than the subject
 * @param threads JMH worker threads, or 0 where the benchmark fixes its own
 * @param unit of the scores, {@code ops/s}
 * @param rulerMicros time of the machine's own work that the workload mostly waits for; null where no fork measured it
 * @param rows ours, the peers in the matrix's order, the ceiling
 */
public record Group(
        Workload workload,
        SortedMap<String, String> params,
        int threads,
        String unit,
        boolean higherIsBetter,
        @Nullable Double rulerMicros,
        List<Row> rows) {

    /** The row that ratios are taken of. */
    public Row ours() {
        return rows.get(0);
    }

    /** The reference limit's row, where there is one. */
    public Optional<Row> ceiling() {
        return rows.stream().filter(row -> row.kind() == Row.Kind.CEILING).findFirst();
    }

    /** Returns ours and the other subjects that were run, in the order of the rows. */
    public List<Row> shown() {
        return rows.stream()
                .filter(row -> row.kind() == Row.Kind.OURS || !row.pending())
                .toList();
    }

    /** Returns the peers that were run, the best first and those without a score last. */
    public List<Row> bestPeers() {
        return shown().stream()
                .filter(row -> row.kind() == Row.Kind.PEER)
                .sorted(bestFirst())
                .toList();
    }

    /** Returns the order of scores from best to worst; rows without a score come last. */
    public Comparator<Row> bestFirst() {
        return Comparator.comparingDouble(row -> {
            Summary summary = row.summary();
            return summary == null ? Double.POSITIVE_INFINITY : (higherIsBetter ? -1 : 1) * summary.median();
        });
    }

    private Optional<String> notRun() {
        String names = rows.stream()
                .filter(row -> row.kind() != Row.Kind.OURS && row.pending())
                .map(Row::label)
                .collect(Collectors.joining("; "));
        return names.isEmpty() ? Optional.empty() : Optional.of("Not run: " + names + ".");
    }

    /** Share of the reference limit that ours reaches, where both ran; above 100 ours isn't limited by it. */
    public Optional<Double> percentOfCeiling() {
        return ceiling().map(Row::ratio).map(PairedRatio::ratio).map(ratio -> 100 * ratio);
    }

    /** Returns a sentence that compares ours with the reference limit; empty if either of them did not run. */
    public Optional<String> besideCeiling() {
        return percentOfCeiling()
                .map(percent -> percent > 100
                        ? "Ours is above this reference: it isn't the limit here."
                        : "Ours reaches " + Format.percent(percent) + " of the ceiling.");
    }

    /** Returns a sentence that compares ours with the machine's own work; empty if the matrix names none for the workload, or it was not measured. */
    public Optional<String> besideRuler() {
        Double micros = rulerMicros;
        Summary summary = ours().summary();
        return workload.ruler() == null || micros == null || summary == null
                ? Optional.empty()
                : RulerText.beside(summary.median(), unit, workload.rulerKind(), micros);
    }

    /** All that is to be said below the group's table. */
    public List<String> remarks() {
        return Stream.concat(
                        Stream.of(notRun(), besideCeiling(), besideRuler()).flatMap(Optional::stream),
                        rows.stream()
                                .filter(this::unbelievable)
                                .map(
                                        row -> row.label()
                                                + ": an operation in less than 1 ns, which is three cycles. Is the work there at all?"))
                .toList();
    }

    private boolean unbelievable(Row row) {
        Summary summary = row.summary();
        return summary != null && Units.unbelievable(summary.median(), unit, threads);
    }

    /** Returns the number of threads in words, or nothing where the benchmark fixes its own. */
    public String threadsText() {
        return threads == 0 ? "" : threads + (threads == 1 ? " thread" : " threads");
    }

    /** Threads and parameters in words: {@code 8 threads, size=LARGE}. */
    public String conditions() {
        StringBuilder text = new StringBuilder(threadsText());
        params.forEach((name, value) -> text.append(text.isEmpty() ? "" : ", ")
                .append(name.equals(Cell.RATE) ? value + " calls/s" : name + "=" + value));
        return text.toString();
    }

    /** Title and conditions in one line. */
    public String heading() {
        String conditions = conditions();
        return conditions.isEmpty() ? workload.title() : workload.title() + " · " + conditions;
    }
}
