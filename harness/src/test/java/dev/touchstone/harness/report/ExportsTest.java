package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.harness.store.Forks;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

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

    @Test
    void benchstat_anyRun_lineAForkAndUnitsWithTheirDirection() throws IOException {
        List<String> lines = Benchstat.render(Fixtures.input(3)).lines().toList();
        assertThat(lines).contains("Unit ops/s better=higher", "Unit s/op better=lower");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("Benchmark"))
                .hasSize(30)
                .allSatisfy(line -> assertThat(line).matches("Benchmark/[^ ]+-[0-9]+ [0-9]+ [0-9.E+-]+ [^ ]+"))
                .anyMatch(line -> line.startsWith("Benchmark/queue-write-synced/subject=TAPE-8 1 "));
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
    void csv_anyRun_rowAForkAndNothingThatASpreadsheetRuns() throws IOException {
        String csv = ForkCsv.render(Fixtures.input(3));
        assertThat(csv.lines().findFirst().orElseThrow())
                .startsWith("cell,workload,subject,threads,params,build,round");
        assertThat(csv.split("\r\n", -1)).hasSize(1 + 33 + 1);
        assertThat(csv).contains("\"" + Fixtures.MARKUP + " exit=134\n\tat line 2\"");
        assertThat(csv).contains("queue-scan/t1/OURS_SYNCED,queue-scan,OURS_SYNCED,1,,OWN,0,0,");
    }
}
