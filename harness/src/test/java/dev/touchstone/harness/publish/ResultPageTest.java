package dev.touchstone.harness.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.touchstone.harness.report.Fixtures;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedFigures;
import dev.touchstone.harness.store.Published;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultPageTest {
    private static final String RUN = "host/2026-11-20-f56a250";

    @Test
    void ofPart_table_hasEveryPeerThatRanAndTheCeiling() throws IOException {
        String page = page(Fixtures.input(12), "synced");
        assertThat(page)
                .contains("srcset=\"../plots/queue-dark.svg\"", "src=\"../plots/queue-light.svg\"")
                .contains("(../../results/" + RUN + "/report.md)")
                .contains("| tape 2.0.0-beta1 |", "| Chronicle Queue, SYNC |", "| ceiling: O\\_DSYNC writes (")
                .doesNotContain("bounded loss");
    }

    @Test
    void ofPart_workloadWithCounters_hasThemOfBothSides() throws IOException {
        assertThat(page(Fixtures.input(12), "synced"))
                .contains("| ours is | per operation: ours / beside |\n| --- | --: | --- | --: | --: | --- |\n")
                .containsPattern("\\| tape 2.0.0-beta1 \\|.*\\| forces per record 0.260 \\(1 in 3.8\\d*\\) / 2 \\|\n");
        assertThat(page(Fixtures.input(12), "batched")).doesNotContain("per operation");
    }

    @Test
    void ofPart_subjectThatWasNotRun_hasNoLine() throws IOException {
        assertThat(page(without("TAPE"), "queue-write-synced")).doesNotContain("tape");
    }

    @Test
    void ofPart_subjectThatFailed_hasALineThatSaysSo() throws IOException {
        assertThat(page(Fixtures.input(12), "batched"))
                .contains("| &lt;script&gt;alert(1)&lt;/script&gt; | failed 12 of 12 | – |");
    }

    @Test
    void overview_bestPeer_isTheBestThoughItBeatsOursOrTheCeiling() throws IOException {
        String page = overview(Fixtures.input(200));
        assertThat(page)
                .containsPattern("Three writers[^|]*\\|[^|]*\\| tape 2.0.0-beta1 \\|[^|]*\\| 0[.]6")
                .containsPattern("Write 512 B, durable[^|]*\\|[^|]*\\| Chronicle Queue, SYNC \\|")
                .as("failed peers stay")
                .contains("failed 200 of 200")
                .contains("[Durable queue](queue.md)", "## How to read the tables");
        assertThat(page.split("tape 2.0.0-beta1", -1))
                .as("only where it is the best")
                .hasSize(2);
        assertThat(overview(without("CHRONICLE_SYNC")))
                .containsPattern("Write 512 B, durable[^|]*\\|[^|]*\\| tape 2.0.0-beta1 \\|");
    }

    @Test
    void overview_undecidedRatio_isNotShown() throws IOException {
        assertThat(overview(Fixtures.input(6)))
                .containsPattern(
                        "Write 512 B, durable[^|]*\\|[^|]*\\| Chronicle Queue, SYNC \\|[^|]*\\| undecided \\|");
    }

    @Test
    void ofPart_noWorkloadMatches_isRefused() throws IOException {
        ReportInput input = Fixtures.input(1);
        assertThatThrownBy(() -> page(input, "^nothing$"))
                .hasMessage("part=queue: no workload of run " + RUN + " matches workloads=^nothing$");
    }

    private static ReportInput without(String subject) throws IOException {
        ReportInput all = Fixtures.input(200);
        return new ReportInput(
                all.run(),
                all.environment(),
                all.matrix(),
                all.forks().stream()
                        .filter(fork -> !fork.subject().equals(subject))
                        .toList(),
                SeedFigures.none());
    }

    private static String page(ReportInput input, String workloads) {
        return ResultPage.ofPart(part(workloads), List.of(input));
    }

    private static String overview(ReportInput input) {
        return ResultPage.overview(new Published(1, RUN, List.of(part("queue")), List.of()), input);
    }

    private static Published.Part part(String workloads) {
        return new Published.Part(
                "queue",
                "Durable queue",
                List.of(new Published.Table("All", RUN, workloads)),
                new Published.Plot("A plot", List.of("queue-write-synced/t8"), 3, List.of()));
    }
}
