package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Forks;
import dev.touchstone.harness.store.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    @Test
    void secondary_countOfEvents_isAFigureOfItsOwn() {
        ForkResult fork = Forks.of("w").score(1_000);
        fork.secondary().put("entries", new Metric("thrpt", "#", 184, List.of(184.0)));
        fork.secondary().put("gc.time", new Metric("thrpt", "ms", 3, List.of(3.0)));
        assertThat(new Scores(new TreeMap<>(Map.of(0, fork))).secondary(List.of()))
                .containsOnlyKeys("entries");
    }

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
                first.noise(),
                first.build(),
                first.rerun(),
                null,
                null,
                null);
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
    void coverageByRounds_eachNumberOfRounds_saysWhatItsIntervalsHold() throws IOException {
        assertThat(Fixtures.input(3).comparison().coverageByRounds()).isEqualTo(Map.of(3, 0.75));
        assertThat(Fixtures.input(6).comparison().coverageByRounds()).isEqualTo(Map.of(6, 0.96875));
        assertThat(Fixtures.input(1).comparison().coverageByRounds()).isEmpty();
    }

    @Test
    void coverageByRounds_peerMissedRounds_isToldApart() throws IOException {
        ReportInput input = Fixtures.input(6);
        List<ForkResult> forks = new ArrayList<>(input.forks());
        forks.removeIf(fork -> fork.subject().equals("CHRONICLE_SYNC") && fork.round() > 2);
        assertThat(Comparison.of(input.matrix(), forks).coverageByRounds()).isEqualTo(Map.of(3, 0.75, 6, 0.96875));
    }

    @Test
    void besideCeiling_oursAbove_isNoShareOfALimit() throws IOException {
        ReportInput input = Fixtures.input(1);
        List<ForkResult> forks = new ArrayList<>(input.forks());
        forks.replaceAll(fork -> fork.subject().equals("OURS_SYNCED") && fork.threads() == 8
                ? scored(fork, new Metric("thrpt", "ops/s", 1e9, List.of()))
                : fork);
        assertThat(input.comparison().groups().get(0).besideCeiling().orElseThrow())
                .matches("Ours reaches \\d\\d % of the ceiling\\.");
        assertThat(Comparison.of(input.matrix(), forks).groups().get(0).besideCeiling())
                .hasValue("Ours is above this reference: it isn't the limit here.");
        assertThat(input.comparison().groups().get(3).besideCeiling()).isEmpty();
    }

    @Test
    void of_unlikeUnits_noRatio() throws IOException {
        ReportInput input = Fixtures.input(1);
        List<ForkResult> forks = new ArrayList<>(input.forks());
        forks.replaceAll(fork -> fork.subject().equals("TAPE") && fork.threads() == 8
                ? scored(fork, new Metric("avgt", "s/op", 1, List.of()))
                : fork);
        assertThat(Comparison.of(input.matrix(), forks)
                        .groups()
                        .get(0)
                        .rows()
                        .get(1)
                        .ratio())
                .isNull();
    }

    private static ForkResult scored(ForkResult fork, Metric primary) {
        return new ForkResult(
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
                primary,
                fork.secondary(),
                fork.jvmFlags(),
                fork.noise(),
                fork.build(),
                fork.rerun(),
                null,
                null,
                null);
    }
}
