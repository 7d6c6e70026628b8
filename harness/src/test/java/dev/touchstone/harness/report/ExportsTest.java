package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.harness.paced.HistogramText;
import dev.touchstone.harness.report.export.Benchstat;
import dev.touchstone.harness.report.export.ForkCsv;
import dev.touchstone.harness.report.export.HistogramLog;
import dev.touchstone.harness.report.export.JmhJson;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Forks;
import dev.touchstone.harness.store.Latency;
import dev.touchstone.harness.store.Metric;
import dev.touchstone.harness.store.Noise;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportsTest {

    @Test
    void jmhJson_anyRun_asJmhWritesIt() throws IOException {
        JsonNode root = new ObjectMapper().readTree(JmhJson.render(Fixtures.input(3)));
        assertThat(root).hasSize(10); // cells that gave a score
        JsonNode first = root.get(0);
        assertThat(List.of(
                        first.get("benchmark").asText(),
                        first.get("mode").asText(),
                        first.at("/params/subject").asText(),
                        first.at("/primaryMetric/scoreUnit").asText()))
                .containsExactly("example.Benchmark.run", "thrpt", "OURS_SYNCED", "ops/s");
        assertThat(first.get("forks").asInt()).isEqualTo(3);
        JsonNode raw = first.at("/primaryMetric/rawData");
        double mean = (raw.get(0).get(0).asDouble()
                        + raw.get(1).get(0).asDouble()
                        + raw.get(2).get(0).asDouble())
                / 3;
        assertThat(first.at("/primaryMetric/score").asDouble()).isEqualTo(mean);
        assertThat(first.at("/primaryMetric/scoreConfidence")).hasSize(2);
        assertThat(first.at("/primaryMetric/scorePercentiles/50.0").isNumber()).isTrue();
        assertThat(first.at("/secondaryMetrics/forces/scoreUnit").asText()).isEqualTo("ops/s");
    }

    @Test
    void jmhJson_pacedRun_aModeThatItsReadersKnow() throws IOException {
        JsonNode root = new ObjectMapper().readTree(JmhJson.render(Fixtures.paced(3)));
        assertThat(root).anySatisfy(result -> {
            assertThat(result.at("/params/rate").asText()).isEqualTo("1000");
            assertThat(result.get("mode").asText()).isEqualTo("sample");
        });
    }

    /** Reads the lines back as golang.org/design/14313-benchmark-format says. */
    @Test
    void benchstat_anyRun_readsBackAsItsForks() throws IOException {
        ReportInput input = Fixtures.full();
        List<String> lines = Benchstat.render(input).lines().toList();
        assertThat(lines).contains("Unit ops/s better=higher", "Unit s/op better=lower", "commit: f56a250");
        List<String> read = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("Benchmark")) {
                assertThat(line).matches("Benchmark\\p{Lu}[^/ ]*(/[^/= ]+=[^/ ]*)+-[0-9]+ [1-9][0-9]* [0-9.E-]+ [^ ]+");
                String[] words = line.split(" ", -1);
                String[] parts = words[0].split("[/]", -1);
                String last = parts[parts.length - 1];
                read.add(String.join(
                        " ",
                        parts[0].substring(9).toLowerCase(Locale.ROOT),
                        List.of(parts).subList(1, parts.length - 1).toString(),
                        last.substring(last.indexOf('=') + 1, last.lastIndexOf('-')),
                        last.substring(last.lastIndexOf('-') + 1),
                        words[2],
                        words[3]));
            }
        }
        List<String> expected = new ArrayList<>();
        for (ForkResult fork : CountedForks.counted(input.forks())) {
            Metric metric = fork.primary();
            if (metric != null) {
                List<String> parts = new ArrayList<>();
                fork.params().forEach((name, value) -> parts.add(name + "=" + value.replace('/', '_')));
                parts.add("subject=" + fork.subject());
                expected.add(String.join(
                        " ",
                        fork.workload(),
                        parts.toString(),
                        fork.build().name(),
                        "" + Math.max(1, fork.threads()),
                        "" + metric.score(),
                        metric.unit()));
            }
        }
        assertThat(read).hasSizeGreaterThan(200).isEqualTo(expected);
    }

    @Test
    void benchstat_runOfOneBuild_namesNoBuild() throws IOException {
        assertThat(Benchstat.render(Fixtures.input(1)))
                .contains("BenchmarkQueue-write-synced/subject=TAPE-8 1 ")
                .doesNotContain("build=");
    }

    @Test
    void histogramLog_pacedRun_readsBackAsItsForks() throws IOException {
        ReportInput input = Fixtures.paced(2, 500);
        String log = HistogramLog.render(input);
        List<String> expected = new ArrayList<>();
        for (ForkResult fork : input.forks()) {
            Latency latency = fork.latency();
            if (latency != null) {
                expected.add(fork.cell() + " " + latency.nanos());
            }
        }
        List<String> read = new ArrayList<>();
        try (HistogramLogReader reader =
                new HistogramLogReader(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)))) {
            while (reader.hasNext()) {
                Histogram histogram = (Histogram) reader.nextIntervalHistogram();
                assertThat(histogram.getStartTimeStamp())
                        .isEqualTo(Instant.parse("2026-11-20T12:00:00Z").toEpochMilli());
                assertThat(histogram.getEndTimeStamp() - histogram.getStartTimeStamp())
                        .isEqualTo(4000);
                read.add(histogram.getTag() + " " + HistogramText.of(histogram));
            }
        }
        assertThat(read).hasSize(12).isEqualTo(expected);
        assertThat(HistogramLog.render(Fixtures.input(1)).lines()).allMatch(line -> line.matches("[#\"].*"));
    }

    @Test
    void jmhJsonAndBenchstat_roundsRunAgain_theAttemptThatCounts() throws IOException {
        Forks forks = Forks.of("w");
        ReportInput plain = Fixtures.input(1);
        ReportInput again = new ReportInput(
                plain.run(),
                plain.environment(),
                plain.matrix(),
                List.of(forks.dirty("steal").score(1), forks.rerun(1).score(2)),
                plain.seeds());
        assertThat(Benchstat.render(again).lines().filter(line -> line.startsWith("Benchmark")))
                .singleElement()
                .asString()
                .contains(" 2.0 ");
        assertThat(new ObjectMapper().readTree(JmhJson.render(again)).at("/0/primaryMetric/rawData"))
                .hasSize(1);
    }

    @Test
    void csv_anyRun_readsBackAsItsForks() throws IOException {
        ReportInput input = Fixtures.input(3);
        String csv = ForkCsv.render(input);
        assertThat(csv)
                .startsWith("cell,workload,subject,threads,param size,build,round,")
                .contains("\"" + Fixtures.MARKUP + " exit=134\n\tat line 2\"");
        List<List<String>> rows = rows(csv);
        List<String> names = rows.get(0);
        assertThat(names).contains("metric forces", "unit of forces", "µs before the fork: a force of 512 B");
        assertThat(rows)
                .hasSize(1 + input.forks().size())
                .allSatisfy(row -> assertThat(row).hasSameSizeAs(names));
        for (int i = 0; i < input.forks().size(); i++) {
            ForkResult fork = input.forks().get(i);
            List<String> row = rows.get(i + 1);
            Metric score = fork.primary();
            Metric forces = fork.secondary().get("forces");
            assertThat(row.get(names.indexOf("cell"))).isEqualTo(fork.cell());
            assertThat(row.get(names.indexOf("param size")))
                    .isEqualTo(fork.params().getOrDefault("size", ""));
            assertThat(row.get(names.indexOf("score"))).isEqualTo(score == null ? "" : "" + score.score());
            assertThat(row.get(names.indexOf("metric forces"))).isEqualTo(forces == null ? "" : "" + forces.score());
            assertThat(row.get(names.indexOf(Noise.Kind.STEAL.label())))
                    .isEqualTo("" + fork.noise().stealPercent());
            assertThat(row.get(names.indexOf("error"))).isEqualTo(fork.error() == null ? "" : fork.error());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "\t=1+1", "\r=1+1", "@A1"})
    void csv_textThatASpreadsheetRuns_isText(String text) {
        ReportInput plain = Fixtures.input(1, SeedFigures.none());
        ReportInput evil = new ReportInput(
                plain.run(),
                plain.environment(),
                plain.matrix(),
                List.of(Forks.of("w").dirty(text).score(1)),
                plain.seeds());
        List<List<String>> rows = rows(ForkCsv.render(evil));
        assertThat(rows.get(1).get(rows.get(0).indexOf("disturbed"))).isEqualTo("'" + text);
    }

    /** Reads a table as RFC 4180 says. */
    private static List<List<String>> rows(String csv) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        Matcher cell = Pattern.compile("(?:\"((?:[^\"]|\"\")*)\"|([^\",\r\n]*))(,|\r\n)")
                .matcher(csv);
        int at = 0;
        while (at < csv.length()) {
            assertThat(cell.find(at) && cell.start() == at)
                    .as("a cell at %d", at)
                    .isTrue();
            row.add(cell.group(1) == null ? cell.group(2) : cell.group(1).replace("\"\"", "\""));
            if (cell.group(3).equals("\r\n")) {
                rows.add(row);
                row = new ArrayList<>();
            }
            at = cell.end();
        }
        return rows;
    }
}
