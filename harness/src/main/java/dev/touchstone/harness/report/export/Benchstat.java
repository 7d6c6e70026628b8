package dev.touchstone.harness.report.export;

import dev.touchstone.harness.report.CountedForks;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A run's forks as lines of Go's benchmark format (golang.org/design/14313-benchmark-format), one each, which benchstat compares: failed forks are
 * left out, since it has no word for them.
 */
public final class Benchstat {
    private Benchstat() {}

    /** Returns all lines. */
    public static String render(ReportInput input) {
        StringBuilder out = new StringBuilder();
        line(out, "cpu", input.environment().cpuModel());
        line(out, "jdk", input.environment().jdkVersion());
        line(out, "commit", input.run().commit());
        Map<String, Boolean> units = new LinkedHashMap<>();
        StringBuilder lines = new StringBuilder();
        for (ForkResult fork : CountedForks.counted(input.forks())) {
            Metric metric = fork.primary();
            if (metric != null) {
                units.put(metric.unit(), metric.higherIsBetter());
                lines.append(name(fork, input.run().baseline() != null))
                        .append(' ')
                        .append(Math.max(1, metric.iterations().size()))
                        .append(' ');
                lines.append(metric.score())
                        .append(' ')
                        .append(word(metric.unit()))
                        .append('\n');
            }
        }
        units.forEach((unit, higher) ->
                out.append("Unit ").append(word(unit)).append(higher ? " better=higher\n" : " better=lower\n"));
        return out.append(lines).toString();
    }

    /** Returns the name; what follows {@code Benchmark} must be an upper-case letter. */
    private static String name(ForkResult fork, boolean builds) {
        String workload = part(fork.workload());
        StringBuilder name = new StringBuilder("Benchmark")
                .append(workload.substring(0, 1).toUpperCase(Locale.ROOT))
                .append(workload, 1, workload.length());
        fork.params()
                .forEach((param, value) ->
                        name.append('/').append(part(param)).append('=').append(part(value)));
        name.append("/subject=").append(part(fork.subject()));
        if (builds) {
            name.append("/build=").append(fork.build());
        }
        return name.append('-').append(Math.max(1, fork.threads())).toString();
    }

    private static void line(StringBuilder out, String key, String value) {
        out.append(key).append(": ").append(value.replaceAll("\\p{Cntrl}", " ")).append('\n');
    }

    /** Returns a part of a name; parts end at slashes. */
    private static String part(String text) {
        return word(text).replace('/', '_');
    }

    /** Words end at blanks. */
    private static String word(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}]+", "_");
    }
}
