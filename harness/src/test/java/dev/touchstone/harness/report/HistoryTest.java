package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.touchstone.harness.file.ResultFormatException;
import dev.touchstone.harness.report.html.HtmlReport;
import dev.touchstone.harness.report.text.JsonReport;
import dev.touchstone.harness.report.text.MarkdownReport;
import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.store.Annotations;
import dev.touchstone.harness.store.Annotations.Annotation;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Forks;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryTest {
    private static final long SEED = 20260304;
    private static final LocalDate FIRST = LocalDate.of(2026, 1, 1);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path results;

    private final Random random = new Random(SEED);
    private final List<ReportInput> nights = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"thrpt, ops/s, 0.8", "avgt, us/op, 1.25"})
    void of_slowerFromANightOn_oneShiftDownWhateverTheUnit(String mode, String unit, double times) {
        for (int day = 0; day < 40; day++) {
            night(day, Forks.of("w").unit(mode, unit), day < 25 ? 100 : 100 * times, 10);
        }
        History.Line line = History.of(nights, Annotations.NONE, 0).lines().get(0);
        assertThat(line.shifts()).singleElement().satisfies(shift -> {
            assertThat(shift.at()).isEqualTo(25);
            assertThat(shift.ratio()).isEqualTo(0.8, within(0.02));
        });
        assertThat(line.lastToWindow()).isEqualTo(1, within(0.05));
    }

    @Test
    void of_slowerMachine_isNoShift() {
        for (int day = 0; day < 40; day++) {
            double slower = day < 25 ? 1 : 1.5;
            night(day, Forks.of("w"), 100 / slower, 10 * slower);
        }
        assertThat(History.of(nights, Annotations.NONE, 0).lines().get(0).shifts())
                .isEmpty();
    }

    @Test
    void of_lastNight_heldAgainstTheWindowNotTheNightBefore() {
        for (int day = 0; day < 20; day++) {
            night(day, Forks.of("w"), day == 18 ? 50 : 100, 10);
        }
        assertThat(History.of(nights, Annotations.NONE, 0).lines().get(0).lastToWindow())
                .isEqualTo(1, within(0.05));
    }

    @Test
    void of_changedBenchmark_beginsAnew() {
        for (int day = 0; day < 40; day++) {
            night(day, Forks.of("w"), day < 25 ? 100 : 300, 10);
        }
        Annotations known = new Annotations(
                1,
                List.of(new Annotation(
                        FIRST.plusDays(25).toString(), "^w/", Annotations.Kind.BENCHMARK, "smaller records")));
        History.Line line = History.of(nights, known, 0).lines().get(0);
        assertThat(line.nights()).hasSize(15);
        assertThat(line.shifts()).isEmpty();
    }

    @Test
    void of_changedCode_isARemarkAtTheShift() {
        for (int day = 0; day < 40; day++) {
            night(day, Forks.of("w"), day < 25 ? 100 : 130, 10);
        }
        String day = FIRST.plusDays(24).toString();
        Annotations known = new Annotations(
                1,
                List.of(
                        new Annotation(day, "w", Annotations.Kind.CODE, "one copy less"),
                        new Annotation(day, "other", Annotations.Kind.CODE, "elsewhere"),
                        new Annotation(FIRST.toString(), "w", Annotations.Kind.MACHINE, "long ago")));
        History history = History.of(nights, known, 2);
        assertThat(history.lines().get(0).shifts().get(0).remarks()).containsExactly("code: one copy less");
        ReportInput input = nights.get(39).with(history);
        assertThat(HtmlReport.render(input)).contains("id=\"history\"", "one copy less", "2 recorded nights");
        assertThat(MarkdownReport.render(input)).contains("## This machine's nights", "one copy less");
        assertThat(JsonReport.tree(input)
                        .at("/history/lines/0/shifts/0/remarks/0")
                        .textValue())
                .isEqualTo("code: one copy less");
    }

    @Test
    void of_dirtyBaselineOrUnmeasuredMachine_leftOut() {
        night(0, Forks.of("w"), 100, 10);
        night(1, Forks.of("w").dirty("foreign"), 1, 10);
        night(2, Forks.of("w").build(Build.BASELINE), 1, 10);
        nights.add(input(3, List.of(Forks.of("w").score(1))));
        night(4, Forks.of("w"), 100, 10);
        night(5, Forks.of("once"), 100, 10);
        assertThat(History.of(nights, Annotations.NONE, 0).lines())
                .singleElement()
                .satisfies(line -> assertThat(line.nights()).hasSize(2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'schema': 2, 'annotations': []} | schema: expected 1, got 2",
                "{'schema': 1, 'annotations': [{'day': 'soon', 'cells': 'x', 'kind': 'code', 'text': 't'}]} | annotations[0].day: expected yyyy-mm-dd",
                "{'schema': 1, 'annotations': [{'day': '2026-01-01', 'cells': '(', 'kind': 'code', 'text': 't'}]} | annotations[0].cells: not a regular",
                "{'schema': 1, 'annotations': [{'day': '2026-01-01', 'cells': 'x', 'kind': 'mood', 'text': 't'}]} | kind",
            })
    void read_foreignAnnotations_refusedWithFileAndPlace(String json, String message) throws IOException {
        Files.writeString(results.resolve("annotations.json"), json.replace('\'', '"'));
        assertThatThrownBy(() -> Annotations.read(results))
                .isInstanceOf(ResultFormatException.class)
                .hasMessageContaining("annotations.json: ")
                .hasMessageContaining(message);
    }

    private void night(int day, Forks fork, double score, double rulerMicros) {
        List<ForkResult> forks = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            double noisy = score * Math.exp(0.01 * random.nextGaussian());
            forks.add(fork.round(round)
                    .ruler(new ReferenceLoad(rulerMicros, 10, 10, 10))
                    .score(noisy));
        }
        nights.add(input(day, forks));
    }

    private static ReportInput input(int day, List<ForkResult> forks) {
        RunInfo run = Fixtures.runInfo(3, false);
        RunInfo that = new RunInfo(
                run.schema(),
                "nightly",
                run.commandLine(),
                run.version(),
                "c" + day,
                false,
                FIRST.plusDays(day) + "T02:00:00Z",
                null,
                run.dataFolder(),
                false,
                run.cells(),
                3,
                run.jdk(),
                null,
                run.settings());
        return new ReportInput(that, Fixtures.environment(false), Fixtures.matrix(), forks, SeedFigures.none());
    }
}
