package dev.touchstone.benchmarks.index.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LoadReportTest {
    private static LoadReport.Column column(String name, Double... rounds) {
        return new LoadReport.Column(name, 1, 0, 1, 1, 1, Map.of(), 1, List.of(rounds));
    }

    @Test
    void text_withTheConstantServer_hasTheMedianOfTheRatiosRoundByRound() {
        LoadReport report = new LoadReport(
                LoadReport.SCHEMA,
                2,
                20,
                0,
                1,
                3,
                true,
                List.of(
                        column("OURS_V2", 80.0, 10.0, 45.0),
                        column("CEILING_CONSTANT_V2", 100.0, 100.0, 50.0),
                        column("CEILING_CONSTANT", 200.0, 200.0, 200.0)));

        assertThat(report.text()).containsPattern("of ceiling +0[.]80 +1[.]00 +1[.]00\n");
    }

    @Test
    void text_withoutTheConstantServer_hasNoRatio() {
        LoadReport report = new LoadReport(LoadReport.SCHEMA, 1, 1, 0, 1, 1, true, List.of(column("OURS_V2", 80.0)));

        assertThat(report.text()).doesNotContain("of ceiling");
    }
}
