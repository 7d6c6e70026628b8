package dev.touchstone.harness.report;

import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A run's forks as comma-separated values (RFC 4180), one row each, failed ones too. */
public final class ForkCsv {
    private static final List<String> COLUMNS = List.of(
            "cell",
            "workload",
            "subject",
            "threads",
            "params",
            "build",
            "round",
            "rerun",
            "order",
            "started",
            "mode",
            "unit",
            "score",
            "error",
            "disturbed",
            "foreign cores",
            "wall ms");

    private ForkCsv() {}

    /** The whole table with its head. */
    public static String render(ReportInput input) {
        StringBuilder out = new StringBuilder(String.join(",", COLUMNS)).append("\r\n");
        for (ForkResult fork : input.forks()) {
            Metric metric = fork.primary();
            List<String> cells = List.of(
                    fork.cell(),
                    fork.workload(),
                    fork.subject(),
                    Integer.toString(fork.threads()),
                    params(fork.params()),
                    fork.build().name(),
                    Integer.toString(fork.round()),
                    Integer.toString(fork.rerun()),
                    Integer.toString(fork.order()),
                    fork.startedAt(),
                    metric == null ? "" : metric.mode(),
                    metric == null ? "" : metric.unit(),
                    metric == null ? "" : Double.toString(metric.score()),
                    text(fork.error()),
                    text(fork.dirty()),
                    Double.toString(fork.noise().foreignCpuCores()),
                    Long.toString(fork.wallMillis()));
            out.append(cells.stream().map(ForkCsv::quoted).collect(Collectors.joining(",")))
                    .append("\r\n");
        }
        return out.toString();
    }

    private static String params(Map<String, String> params) {
        return params.entrySet().stream()
                .map(param -> param.getKey() + "=" + param.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** A text that a spreadsheet would take for a formula gets an apostrophe before it; a number keeps its sign. */
    private static String quoted(String cell) {
        boolean formula = cell.matches("(?s)[=+@\\-].*") && !cell.matches("-?[0-9.Ee-]+");
        String safe = formula ? "'" + cell : cell;
        return safe.matches("[^\",\\p{Cntrl}]*") ? safe : '"' + safe.replace("\"", "\"\"") + '"';
    }
}
