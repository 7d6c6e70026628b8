package dev.touchstone.harness.report.export;

import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import dev.touchstone.harness.store.Noise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A run's forks as comma-separated values (RFC 4180): a row for each fork, failed ones too, with a column for each parameter, each further metric that any
 * fork has, each kind of noise and each piece of the machine's own work.
 */
public final class ForkCsv {
    private ForkCsv() {}

    /** Returns the whole table with its head. */
    public static String render(ReportInput input) {
        Map<String, Function<ForkResult, @Nullable Object>> columns = columns(input.forks());
        StringBuilder out = new StringBuilder();
        line(out, new ArrayList<>(columns.keySet()));
        for (ForkResult fork : input.forks()) {
            line(
                    out,
                    columns.values().stream()
                            .map(column -> Objects.toString(column.apply(fork), ""))
                            .toList());
        }
        return out.toString();
    }

    private static Map<String, Function<ForkResult, @Nullable Object>> columns(List<ForkResult> forks) {
        Map<String, Function<ForkResult, @Nullable Object>> columns = new LinkedHashMap<>();
        columns.put("cell", ForkResult::cell);
        columns.put("workload", ForkResult::workload);
        columns.put("subject", ForkResult::subject);
        columns.put("threads", ForkResult::threads);
        TreeSet<String> params = new TreeSet<>();
        forks.forEach(fork -> params.addAll(fork.params().keySet()));
        params.forEach(
                param -> columns.put("param " + param, fork -> fork.params().get(param)));
        columns.put("build", ForkResult::build);
        columns.put("round", ForkResult::round);
        columns.put("rerun", ForkResult::rerun);
        columns.put("order", ForkResult::order);
        columns.put("started", ForkResult::startedAt);
        columns.put("mode", fork -> of(fork.primary(), Metric::mode));
        columns.put("unit", fork -> of(fork.primary(), Metric::unit));
        columns.put("score", fork -> of(fork.primary(), Metric::score));
        columns.put("error", ForkResult::error);
        columns.put("disturbed", ForkResult::dirty);
        columns.put("wall ms", ForkResult::wallMillis);
        TreeSet<String> metrics = new TreeSet<>();
        forks.forEach(fork -> metrics.addAll(fork.secondary().keySet()));
        for (String metric : metrics) {
            columns.put("metric " + metric, fork -> of(fork.secondary().get(metric), Metric::score));
            columns.put("unit of " + metric, fork -> of(fork.secondary().get(metric), Metric::unit));
        }
        for (Noise.Kind kind : Noise.Kind.values()) {
            columns.put(kind.label(), fork -> known(fork.noise().get(kind)));
        }
        for (ReferenceLoad.Kind kind : ReferenceLoad.Kind.values()) {
            columns.put(
                    "µs before the fork: " + kind.work(), fork -> of(fork.ruler(), ruler -> known(ruler.get(kind))));
        }
        return columns;
    }

    private static <T> @Nullable Object of(@Nullable T from, Function<T, @Nullable Object> value) {
        return from == null ? null : value.apply(from);
    }

    /** Returns a figure, or null for one below 0, which is unknown. */
    private static @Nullable Double known(double figure) {
        return figure < 0 ? null : figure;
    }

    private static void line(StringBuilder out, List<String> cells) {
        out.append(cells.stream().map(ForkCsv::quoted).collect(Collectors.joining(",")))
                .append("\r\n");
    }

    /** A text that a spreadsheet would take for a formula gets an apostrophe before it; a number keeps its sign. */
    private static String quoted(String cell) {
        boolean formula = cell.matches("(?s)[=+@\\-\\t\\r].*") && !cell.matches("-?[0-9.Ee-]+");
        String safe = formula ? "'" + cell : cell;
        return safe.matches("[^\",\\p{Cntrl}]*") ? safe : '"' + safe.replace("\"", "\"\"") + '"';
    }
}
