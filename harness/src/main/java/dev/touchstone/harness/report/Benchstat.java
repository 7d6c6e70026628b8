package dev.touchstone.harness.report;

import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A run's forks as lines of Go's benchmark format (golang.org/design/14313-benchmark-format), one each, which benchstat compares: failed forks are
 * left out, since it has no word for them.
 */
public final class Benchstat {
    private Benchstat() {}

    /** All lines. */
    public static String render(ReportInput input) {
        StringBuilder out = new StringBuilder();
        line(out, "cpu", input.environment().cpuModel());
        line(out, "jdk", input.environment().jdkVersion());
        line(out, "commit", input.run().commit());
        Map<String, Boolean> units = new LinkedHashMap<>();
        StringBuilder lines = new StringBuilder();
        for (ForkResult fork : Attempts.counted(input.forks())) {
            Metric metric = fork.primary();
            if (metric != null) {
                units.put(metric.unit(), metric.higherIsBetter());
                lines.append(name(fork))
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

    private static String name(ForkResult fork) {
        StringBuilder name = new StringBuilder("Benchmark/").append(word(fork.workload()));
        fork.params()
                .forEach((param, value) ->
                        name.append('/').append(word(param)).append('=').append(word(value)));
        name.append("/subject=").append(word(fork.subject()));
        if (fork.build() != Build.OWN) {
            name.append("/build=").append(word(fork.build().name()));
        }
        return name.append('-').append(Math.max(1, fork.threads())).toString();
    }

    private static void line(StringBuilder out, String key, String value) {
        out.append(key).append(": ").append(value.replaceAll("\\p{Cntrl}", " ")).append('\n');
    }

    /** Words end at blanks. */
    private static String word(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}]+", "_");
    }
}
