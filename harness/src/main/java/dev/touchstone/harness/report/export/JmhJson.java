package dev.touchstone.harness.report.export;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.touchstone.harness.file.StrictJson;
import dev.touchstone.harness.report.CountedForks;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.run.Matrix.Workload;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;
import org.openjdk.jmh.util.Version;

/** A run in the form of JMH's own {@code -rf json}, which jmh-visualizer and others read: one result a cell, its forks as raw data. */
public final class JmhJson {
    /** The confidence that JMH states. */
    private static final double CONFIDENCE = 0.999;

    private static final double[] PERCENTILES = {0, 50, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999, 100};
    /** JMH knows no fixed rate; of its modes this is the one whose scores are times of single calls. */
    private static final String SAMPLE = "sample";

    private static final Set<String> MODES = Set.of("thrpt", "avgt", SAMPLE, "ss");
    private static final Pattern PHASE = Pattern.compile("(\\d+)\\s*x\\s*(.+)");

    private final ReportInput input;

    private JmhJson(ReportInput input) {
        this.input = input;
    }

    /** The whole document. Forks that failed are left out, as JMH leaves them out. */
    public static String render(ReportInput input) {
        ArrayNode root = JsonNodeFactory.instance.arrayNode();
        JmhJson json = new JmhJson(input);
        json.cells().values().forEach(forks -> json.add(root.addObject(), forks));
        return StrictJson.pretty(root);
    }

    private Map<String, List<ForkResult>> cells() {
        Map<String, List<ForkResult>> cells = new LinkedHashMap<>();
        for (ForkResult fork : CountedForks.counted(input.forks())) {
            if (fork.primary() != null) {
                cells.computeIfAbsent(fork.cell() + " " + fork.build(), cell -> new ArrayList<>())
                        .add(fork);
            }
        }
        return cells;
    }

    private void add(ObjectNode node, List<ForkResult> forks) {
        ForkResult any = forks.get(0);
        List<Metric> primary = new ArrayList<>();
        forks.forEach(fork -> addTo(primary, fork.primary()));
        String mode = primary.get(0).mode();
        node.put("jmhVersion", Version.getPlainVersion());
        node.put("benchmark", benchmark(any.workload()));
        node.put("mode", MODES.contains(mode) ? mode : SAMPLE);
        node.put("threads", Math.max(1, any.threads()));
        node.put("forks", forks.size());
        node.put("jvm", "java");
        ArrayNode args = node.putArray("jvmArgs");
        any.jvmFlags().forEach(args::add);
        node.put("jdkVersion", input.environment().jdkVersion());
        node.put("vmName", input.environment().vm());
        node.put("vmVersion", input.run().jdk());
        phase(node, "warmup", 0);
        phase(node, "measurement", primary.get(0).iterations().size());
        ObjectNode params = node.putObject("params");
        any.params().forEach(params::put);
        params.put("subject", any.subject());
        if (any.build() != Build.OWN) {
            params.put("build", any.build().name());
        }
        metric(node.putObject("primaryMetric"), primary);
        ObjectNode secondary = node.putObject("secondaryMetrics");
        Set<String> names = new TreeSet<>();
        forks.forEach(fork -> names.addAll(fork.secondary().keySet()));
        for (String name : names) {
            List<Metric> metrics = new ArrayList<>();
            forks.forEach(fork -> addTo(metrics, fork.secondary().get(name)));
            metric(secondary.putObject(name), metrics);
        }
    }

    private static void addTo(List<Metric> metrics, @Nullable Metric metric) {
        if (metric != null) {
            metrics.add(metric);
        }
    }

    private String benchmark(String workload) {
        return input.matrix().workloads().stream()
                .filter(candidate -> candidate.id().equals(workload))
                .map(Workload::benchmark)
                .findFirst()
                .orElse(workload);
    }

    private void phase(ObjectNode node, String name, int otherwise) {
        Matcher phase = PHASE.matcher(input.run().settings().getOrDefault(name, ""));
        boolean known = phase.matches();
        node.put(name + "Iterations", known ? Integer.parseInt(phase.group(1)) : otherwise);
        node.put(name + "Time", known ? phase.group(2) : "as annotated");
        node.put(name + "BatchSize", 1);
    }

    private static void metric(ObjectNode node, List<Metric> forks) {
        List<Double> all = new ArrayList<>();
        ArrayNode raw = JsonNodeFactory.instance.arrayNode();
        for (Metric fork : forks) {
            List<Double> scores = fork.iterations().isEmpty() ? List.of(fork.score()) : fork.iterations();
            ArrayNode row = raw.addArray();
            scores.forEach(row::add);
            all.addAll(scores);
        }
        Statistics statistics =
                new ListStatistics(all.stream().mapToDouble(Double::doubleValue).toArray());
        node.put("score", statistics.getMean());
        number(node, "scoreError", statistics.getMeanErrorAt(CONFIDENCE));
        double[] interval = statistics.getConfidenceIntervalAt(CONFIDENCE);
        ArrayNode ends = node.putArray("scoreConfidence");
        for (double end : interval) {
            ends.add(
                    Double.isFinite(end)
                            ? JsonNodeFactory.instance.numberNode(end)
                            : JsonNodeFactory.instance.textNode("NaN"));
        }
        ObjectNode percentiles = node.putObject("scorePercentiles");
        for (double percentile : PERCENTILES) {
            percentiles.put(Double.toString(percentile), statistics.getPercentile(percentile));
        }
        node.put("scoreUnit", forks.get(0).unit());
        node.set("rawData", raw);
    }

    /** Writes a number; one that is not finite as {@code "NaN"}, as JMH does. */
    private static void number(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, value);
        } else {
            node.put(name, "NaN");
        }
    }
}
