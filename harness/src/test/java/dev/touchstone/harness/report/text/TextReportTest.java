package dev.touchstone.harness.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.report.Fixtures;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedFigures;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextReportTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 6, 12})
    void render_longLabels_neverWiderThan100(int rounds) throws IOException {
        assertThat(TextReport.render(Fixtures.input(rounds)).lines())
                .allMatch(line -> line.codePointCount(0, line.length()) <= 100)
                .noneMatch(line -> line.endsWith(" "));
    }

    @Test
    void render_threeRounds_saysWhatTheIntervalHolds() throws IOException {
        String text = oneLine(Fixtures.input(3));
        assertThat(text)
                .contains("the lowest and the highest of fewer than 6 rounds")
                .doesNotContain("signed-rank");
        assertThat(oneLine(Fixtures.input(6))).contains("in at least 96.8 % of runs of 6 rounds (exact signed-rank).");
        assertThat(text).contains("Ceilings are reference limits measured by the simplest code");
    }

    @Test
    void render_failedFork_marksItsRow() throws IOException {
        assertThat(TextReport.render(Fixtures.input(3)))
                .contains("FAILED 3 of 3: " + Fixtures.MARKUP + " exit=134 at line 2");
    }

    @Test
    void render_subjectsNotRun_areOneSentenceInPlaceOfRows() throws IOException {
        ReportInput all = Fixtures.input(3);
        ReportInput some = new ReportInput(
                all.run(),
                all.environment(),
                all.matrix(),
                all.forks().stream()
                        .filter(fork -> !fork.subject().equals("TAPE"))
                        .toList(),
                SeedFigures.none());
        String text = TextReport.render(some);
        assertThat(text).contains("Not run: tape 2.0.0-beta1.").doesNotContainPattern("(?m)^ *tape");
        assertThat(TextReport.render(all)).doesNotContain("Not run");
    }

    @Test
    void render_group_scoreSpreadRatioCountersCeiling() throws IOException {
        String text = TextReport.render(Fixtures.input(6));
        assertThat(text).containsPattern("tape 2.0.0-beta1 +durable, two forces a record +1.7\\d k +±\\d.*x \\[.*]");
        assertThat(text)
                .contains("forces per record 0.260 (1 in 3.85)")
                .containsPattern("Ours reaches \\d\\d % of the ceiling");
        assertThat(text).containsPattern("read \\d.* · write \\d");
        assertThat(text).contains("origin documents' figures stand beside these");
    }

    @Test
    void render_tmpfs_warnsFirst() {
        ReportInput input = new ReportInput(
                Fixtures.runInfo(3, true),
                Fixtures.environment(true),
                Fixtures.matrix(),
                List.of(),
                SeedFigures.none());
        assertThat(TextReport.render(input)).contains("! tmpfs: the data folder is memory", "tmpfs on tmpfs (tmpfs)");
    }

    @Test
    void wrap_longWord_isCut() {
        StringBuilder out = new StringBuilder();
        TextTable.wrap(out, "a " + "x".repeat(50) + " b", "  ", 20);
        assertThat(out.toString().lines()).containsExactly("  a", "  " + "x".repeat(17) + "…", "  b");
    }

    @Test
    void table_manyWideColumns_isCutToTheWidth() {
        TextTable table = new TextTable(100, "<a", "b", "c", "d", "e");
        String wide = "w".repeat(60);
        table.row(wide, wide, wide, wide, wide);
        StringBuilder out = new StringBuilder();
        table.appendTo(out);
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= 100);
    }

    private static String oneLine(ReportInput input) {
        return TextReport.render(input).replaceAll("\\s+", " ");
    }
}
