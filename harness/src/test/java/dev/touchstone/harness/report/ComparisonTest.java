package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void of_ceilingWithOtherThreads_isTimedAndMakesNoGroupOfItsOwn() throws IOException {
        Comparison comparison = Fixtures.input(6).comparison();
        assertThat(comparison.groups())
                .extracting(Group::heading)
                .startsWith("Write 512 B, durable on return · 8 threads")
                .hasSize(4);
        Row ceiling = comparison.groups().get(0).ceiling().orElseThrow();
        assertThat(ceiling.level()).isEqualTo("the device's own limit ×8");
        assertThat(ceiling.summary()).isNotNull();
        assertThat(ceiling.scores().get(0)).isBetween(8 * 11_000.0, 8 * 16_000.0);
        assertThat(comparison.groups().get(0).percentOfCeiling().orElseThrow()).isEqualTo(39, within(4.0));
    }

    @Test
    void of_timesNotRates_ratioStillSaysHowMuchBetterOursIs() throws IOException {
        Group scan = Fixtures.input(6).comparison().groups().get(2);
        assertThat(scan.higherIsBetter()).isFalse();
        PairedRatio ratio = scan.rows().get(1).ratio();
        assertThat(ratio).isNotNull();
        assertThat(ratio == null ? 0 : ratio.ratio()).isEqualTo(0.24 / 0.31, within(0.1));
    }

    @Test
    void of_failedForks_markTheRowAndLeaveTheRest() throws IOException {
        Comparison comparison = Fixtures.input(3).comparison();
        Row evil = comparison.groups().get(1).rows().get(2);
        assertThat(evil.failed()).isEqualTo(3);
        assertThat(evil.summary()).isNull();
        assertThat(evil.failure()).contains("exit=134");
        assertThat(comparison.failed()).isTrue();
        assertThat(comparison.groups().get(1).rows().get(1).ratio()).isNotNull();
    }

    @Test
    void of_forkRunAgain_lastOfItsRoundCounts() throws IOException {
        ReportInput input = Fixtures.input(2);
        ForkResult first = input.forks().get(0);
        ForkResult again = new ForkResult(
                first.cell(),
                first.workload(),
                first.subject(),
                first.threads(),
                first.params(),
                first.round(),
                first.order(),
                first.startedAt(),
                first.wallMillis(),
                "killed",
                null,
                first.secondary(),
                first.jvmFlags(),
                first.noise());
        List<ForkResult> failedLast = new ArrayList<>(input.forks());
        failedLast.add(again);
        Row ours = Comparison.of(input.matrix(), failedLast).groups().get(0).ours();
        assertThat(ours.scores()).containsOnlyKeys(1);
        assertThat(ours.failed()).isEqualTo(1);
        failedLast.add(first);
        assertThat(Comparison.of(input.matrix(), failedLast)
                        .groups()
                        .get(0)
                        .ours()
                        .failed())
                .isZero();
    }

    @Test
    void of_methodsAndCounters_areToldApart() throws IOException {
        Comparison comparison = Fixtures.input(3).comparison();
        Row mixed = comparison.groups().get(3).ours();
        assertThat(mixed.secondary()).containsOnlyKeys("read", "write");
        assertThat(mixed.perOperation()).isEmpty();
        Row synced = comparison.groups().get(0).ours();
        assertThat(synced.secondary()).isEmpty();
        assertThat(synced.perOperation().get("forces per record")).isEqualTo(0.26, within(1e-9));
    }

    @Test
    void lowestCoverage_rounds_sayWhatTheIntervalsHold() throws IOException {
        assertThat(Fixtures.input(3).comparison().lowestCoverage()).hasValue(0.75);
        assertThat(Fixtures.input(6).comparison().lowestCoverage()).hasValue(0.96875);
        assertThat(Fixtures.input(1).comparison().lowestCoverage()).isEmpty();
        assertThat(Fixtures.input(3).comparison().rounds()).isEqualTo(3);
    }

    @Test
    void of_unlikeUnits_noRatio() throws IOException {
        ReportInput input = Fixtures.input(1);
        List<ForkResult> forks = new ArrayList<>();
        for (ForkResult fork : input.forks()) {
            boolean tape = fork.subject().equals("TAPE") && fork.threads() == 8;
            forks.add(
                    !tape
                            ? fork
                            : new ForkResult(
                                    fork.cell(),
                                    fork.workload(),
                                    fork.subject(),
                                    fork.threads(),
                                    fork.params(),
                                    fork.round(),
                                    fork.order(),
                                    fork.startedAt(),
                                    fork.wallMillis(),
                                    null,
                                    new Metric("avgt", "s/op", 1, List.of()),
                                    fork.secondary(),
                                    fork.jvmFlags(),
                                    fork.noise()));
        }
        assertThat(Comparison.of(input.matrix(), forks)
                        .groups()
                        .get(0)
                        .rows()
                        .get(1)
                        .ratio())
                .isNull();
    }
}
