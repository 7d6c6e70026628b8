package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.touchstone.harness.paced.HistogramText;
import dev.touchstone.harness.paced.ResponseTimes;
import dev.touchstone.harness.report.html.HtmlReport;
import dev.touchstone.harness.report.text.JsonReport;
import dev.touchstone.harness.report.text.MarkdownReport;
import dev.touchstone.harness.report.text.TextReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenciesTest {

    @Test
    void of_pacedForks_percentilesOfTheMergedCalls() throws IOException {
        Latencies latencies = Fixtures.paced(6).latencies();
        assertThat(latencies.tables()).hasSize(1);
        Latencies.Table table = latencies.tables().get(0);
        assertThat(table.heading()).endsWith("1 thread, 1000 calls/s");
        assertThat(table.lines())
                .extracting(Latencies.Line::kind)
                .startsWith(Row.Kind.OURS)
                .contains(Row.Kind.PEER);
        Latencies.Line ours = table.lines().get(0);
        ResponseTimes all = ResponseTimes.merged(ours.forks());
        assertThat(ours.all()).isEqualTo(all);
        Latencies.Quantile p99 = Latencies.at(ours, 99).orElseThrow();
        assertThat(p99.micros()).isEqualTo(all.micros(99));
        assertThat(p99.forks().low()).isLessThanOrEqualTo(p99.forks().high());
        assertThat(p99.forks().n()).isEqualTo(6);
    }

    @Test
    void at_percentileThatFewCallsExceed_leftOut() throws IOException {
        Latencies.Line ours =
                Fixtures.paced(3).latencies().tables().get(0).lines().get(0);
        assertThat(ours.all().nanos().getTotalCount()).isEqualTo(3 * 5_000);
        assertThat(Latencies.at(ours, 99.9)).isPresent();
        assertThat(Latencies.at(ours, 99.99)).isEmpty();
    }

    @Test
    void remark_rateNotKept_saidAndTheRestHasItsWait() throws IOException {
        Latencies.Line peer =
                Fixtures.paced(3).latencies().tables().get(0).lines().get(1);
        assertThat(Latencies.remark(peer))
                .hasValueSatisfying(
                        text -> assertThat(text).startsWith("did not keep the rate: 80 % of the calls were made"));
    }

    @Test
    void reports_pacedRun_everyFormHasTheTimes() throws IOException {
        ReportInput input = Fixtures.paced(6);
        assertThat(TextReport.render(input)).contains("1000 calls/s · µs from when due", "p99.9");
        assertThat(MarkdownReport.render(input)).contains("## Response times at a fixed rate", "| p99.9 |");
        JsonNode table = JsonReport.tree(input).get("latencies").get(0);
        assertThat(table.get("ratePerSecond").asInt()).isEqualTo(1_000);
        String histogram = table.get("lines").get(0).get("hdrHistogramNanos").asText();
        assertThat(HistogramText.read(histogram).getTotalCount()).isEqualTo(6 * 5_000);
        String html = HtmlReport.render(input);
        assertThat(html).contains("id=\"latency\"", "polyline class=\"all ours\"", "polyline class=\"one ours\"");
        Files.writeString(Path.of("target", "sample-latency.html"), html);
    }

    @Test
    void html_severalRates_curveOverTheRatesInTheirOrder() throws IOException {
        ReportInput input = Fixtures.paced(3, 4_000, 500);
        assertThat(input.latencies().tables())
                .extracting(Latencies.Table::ratePerSecond)
                .containsExactly(500, 1_000, 4_000);
        assertThat(HtmlReport.render(input))
                .contains(
                        "Write 512 B, durable on return · 1 thread · by rate", "line class=\"median ours\"", ">4 k/s<");
        assertThat(HtmlReport.render(Fixtures.paced(3))).doesNotContain(" · by rate");
    }

    @Test
    void reports_noPacedFork_nothingOfIt() throws IOException {
        assertThat(Fixtures.input(3).latencies().tables()).isEqualTo(List.of());
        assertThat(HtmlReport.render(Fixtures.input(3))).doesNotContain("id=\"latency\"");
    }
}
