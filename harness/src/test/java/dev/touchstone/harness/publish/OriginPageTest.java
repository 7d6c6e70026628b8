package dev.touchstone.harness.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.harness.report.Fixtures;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.store.Published;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OriginPageTest {
    private static final String RUN = "host/2026-11-20-f56a250";
    private static final Published.Gap REST = new Published.Gap(
            "queue-popout#(?!write-ssd/(synced|tape)/t8|scan-ssd/tape$|mixed-ssd/tape/(total|read)$).*", "not here");

    @Test
    void of_figures_eachHasWhatAnswersItOrTheReason() throws IOException {
        String page = page(REST);
        assertThat(page)
                .containsPattern(
                        "\\| tape/t8 \\| [^|]+ \\| tape 2.0.0-beta1 \\| 1[.]\\d+ k ops/s \\| 4\\d[.]\\d k ops/s \\| 2\\d[.]\\d")
                .as("a method of a group")
                .containsPattern("\\| tape/read \\| [^|]+ \\| tape 2.0.0-beta1 \\| 29[.]\\d k ops/s")
                .as("a workload that the run has, without the peer")
                .containsPattern("\\| tape \\| [^|]+ \\| tape 2.0.0-beta1 \\| +\\|")
                .containsPattern("\\| not here \\| +\\| +\\| +\\| +\\|")
                .contains("| as above |", "[run](../../results/" + RUN + "/report.md)");
    }

    @Test
    void of_figureWithNeitherOrBoth_isRefusedByName() {
        assertThatThrownBy(() -> page(new Published.Gap("nothing", "not here")))
                .hasMessageMatching("origin: seed=queue-popout#.*: expected a workload .*, got neither");
    }

    private static String page(Published.Gap gap) throws IOException {
        ReportInput input = Fixtures.input(6);
        Published.Table table = new Published.Table("All", RUN, "");
        Published published = new Published(
                1,
                RUN,
                List.of(new Published.Part(
                        "queue", "Queue", List.of(table), new Published.Plot("Plot", List.of("x/t1"), 1, List.of()))),
                List.of(gap));
        return OriginPage.of(published, Map.of(RUN, input), input.seeds());
    }
}
