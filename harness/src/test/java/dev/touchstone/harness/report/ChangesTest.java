package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.report.html.HtmlReport;
import dev.touchstone.harness.report.text.ChangeReport;
import dev.touchstone.harness.report.text.JsonReport;
import dev.touchstone.harness.report.text.MarkdownReport;
import dev.touchstone.harness.report.text.TextReport;
import dev.touchstone.harness.run.ReferenceLoad;
import dev.touchstone.harness.run.plan.Settings;
import dev.touchstone.harness.stats.Looks;
import dev.touchstone.harness.stats.Verdict;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Forks;
import dev.touchstone.harness.store.Metric;
import dev.touchstone.harness.store.RunInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangesTest {
    private static final long SEED = 20260302;
    private static final int PAIRS = 20;

    private final Random random = new Random(SEED);
    private final List<ForkResult> forks = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "thrpt, ops/s, 0.7, SLOWER",
        "avgt, ns/op, 1.43, SLOWER",
        "ss, ms/op, 1.43, SLOWER",
        "sample, us/op, 0.7, FASTER",
        "thrpt, ops/us, 1.3, FASTER",
        "thrpt, ops/s, 1.0, SAME",
    })
    void ofBuilds_anyModeAndUnit_directionIsTheirs(String mode, String unit, double times, Verdict expected) {
        pairs(Forks.of("w").unit(mode, unit), 0, PAIRS, times, 0.004);
        Change change = Changes.ofBuilds(input(forks)).rows().get(0);
        assertThat(change.verdict()).isEqualTo(expected);
        assertThat(change.verdictOfAll()).isEqualTo(expected);
        assertThat(change.against()).isEqualTo("old1234");
    }

    @Test
    void ofBuilds_tailAloneIsSlower_isFound() {
        paced(100_000, 1.3, 0.02);
        List<Change> rows = Changes.ofBuilds(input(forks)).rows();
        assertThat(rows).extracting(Change::cell).containsExactly("w/t1/rate=5000/OURS", "w/t1/rate=5000/OURS p99.9");
        assertThat(rows).extracting(Change::verdict).containsExactly(Verdict.SAME, Verdict.SLOWER);
        assertThat(Changes.planned(List.of(rows.get(0).cell()), Fixtures.matrix(), "gc"))
                .isEqualTo(2);
        assertThat(Changes.decided(input(forks))).containsExactly("w/t1/rate=5000/OURS");
    }

    /** A cell whose score is decided goes on until its tail is. */
    @Test
    void decided_tailIsOpen_cellGoesOn() {
        paced(100_000, 1.1, 0.3);
        assertThat(Changes.ofBuilds(input(forks)).rows())
                .extracting(Change::verdict)
                .containsExactly(Verdict.SAME, Verdict.UNKNOWN);
        assertThat(Changes.decided(input(forks))).isEmpty();
    }

    @Test
    void ofBuilds_fewCalls_theirTailSaysNothing() {
        paced(9_999, 1.3, 0.02);
        assertThat(Changes.ofBuilds(input(forks)).rows())
                .extracting(Change::verdict)
                .containsExactly(Verdict.SAME);
    }

    @Test
    void ofBuilds_timesTellNothing_instructionsDo() {
        for (int round = 0; round < PAIRS; round++) {
            for (Build build : List.of(Build.OWN, Build.BASELINE)) {
                ForkResult fork = Forks.of("w")
                        .build(build)
                        .round(round)
                        .dirty("others were busy")
                        .score(1_000 * noise(0.3));
                double instructions = (build == Build.OWN ? 110 : 100) * noise(0.002);
                fork.secondary().put("instructions", new Metric("thrpt", "#/op", instructions, List.of(instructions)));
                forks.add(fork);
            }
        }
        List<Change> rows = Changes.ofBuilds(input(forks)).rows();
        assertThat(rows).extracting(Change::cell).containsExactly("w/t1/OURS", "w/t1/OURS instructions");
        assertThat(rows).extracting(Change::verdict).containsExactly(Verdict.UNKNOWN, Verdict.SLOWER);
        assertThat(Changes.planned(List.of(rows.get(0).cell()), Fixtures.matrix(), "gc,perf"))
                .isGreaterThan(1);
        assertThat(Changes.decided(input(forks))).isEmpty();
        assertThat(ChangeReport.text(Changes.ofBuilds(input(forks)))).contains("\n  + instructions  ");
    }

    /** Pairs of forks at a fixed rate, whose tails differ by a factor, and whose scores do not. */
    private void paced(long calls, double times, double deviation) {
        for (int round = 0; round < PAIRS; round++) {
            for (Build build : List.of(Build.OWN, Build.BASELINE)) {
                double tail = build == Build.OWN ? 300 * times : 300;
                forks.add(Forks.of("w")
                        .build(build)
                        .round(round)
                        .paced(100 * noise(0.004), tail * noise(deviation), calls));
            }
        }
    }

    private double noise(double deviation) {
        return Math.exp(deviation * random.nextGaussian());
    }

    /** An interval that lies off 1, but within the margin, is no difference, so that its dot has no side. */
    @Test
    void html_sameThoughOffOne_dotHasTheVerdictsColour() {
        pairs(Forks.of("w"), 0, PAIRS, 0.98, 0.001);
        Change change = Changes.ofBuilds(input(forks)).rows().get(0);
        assertThat(change.verdict()).isEqualTo(Verdict.SAME);
        assertThat(Objects.requireNonNull(change.ratio()).decided()).isTrue();
        assertThat(HtmlReport.render(input(forks)))
                .contains("\"dot same\"", "<tr class=\"sided same\">")
                .doesNotContain("\"dot worse\"", "\"dot better\"");
    }

    @Test
    void ofBuilds_sixPairsOfOneLook_neverADifference() {
        pairs(Forks.of("w"), 0, 6, 0.5, 0.01);
        assertThat(Changes.ofBuilds(input(forks)).rows().get(0).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void ofBuilds_someForksFail_isTold() {
        pairs(Forks.of("w"), 0, PAIRS, 1, 0.01);
        assertThat(ChangeReport.text(Changes.ofBuilds(input(forks)))).doesNotContain("forks failed");
        forks.add(Forks.of("w").round(PAIRS).failed("IOException: gone"));
        forks.add(Forks.of("w").round(PAIRS).build(Build.BASELINE).score(1));
        Change change = Changes.ofBuilds(input(forks)).rows().get(0);
        assertThat(change.verdict()).isEqualTo(Verdict.SAME);
        int all = PAIRS + 1;
        assertThat(ChangeReport.notes(change))
                .containsExactly(
                        "1 of " + all + " forks failed, and 0 of " + all + " on the other side: IOException: gone");
    }

    /** A cell ends at the look that decides it; later forks, which a look ago nobody asked for, change nothing. */
    @Test
    void ofBuilds_decidedAtALook_laterPairsDoNotCount() {
        int first = Looks.of(1, PAIRS).first();
        pairs(Forks.of("w"), 0, first, 0.5, 0.01);
        assertThat(Changes.decided(input(forks))).containsExactly("w/t1/OURS");
        pairs(Forks.of("w"), first, PAIRS - first, 1, 0.01);
        Change change = Changes.ofBuilds(input(forks)).rows().get(0);
        assertThat(change.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(change.ratio())
                .isNotNull()
                .satisfies(ratio -> assertThat(ratio.n()).isEqualTo(first));
    }

    /** Checks that a look before the last one keeps back the error of those that may follow, and that the last one spends it. */
    @Test
    void decided_lookThatMayBeFollowed_asksForMoreThanTheLast() {
        pairs(Forks.of("w"), 0, 12, 0.7, 0.001);
        ReportInput twelveAtMost = input(forks, Map.of(Settings.PAIRS, "12"));
        ReportInput thousandAtMost = input(forks, Map.of(Settings.PAIRS, "1000"));
        assertThat(Changes.decided(twelveAtMost)).hasSize(1);
        assertThat(Changes.decided(thousandAtMost)).isEmpty();
        assertThat(Changes.ofBuilds(thousandAtMost).decided())
                .as("the run has ended")
                .isTrue();
    }

    @Test
    void ofBuilds_buildAgain_raisesTheFloorOfItsCell() {
        pairs(Forks.of("w"), 0, PAIRS, 0.9, 0.001);
        again("w", 1.15);
        pairs(Forks.of("other"), 0, PAIRS, 0.9, 0.001);
        List<Change> rows = Changes.ofBuilds(input(forks)).rows();
        assertThat(rows.get(0).floorPercent())
                .as("the machine alone makes 15 %%")
                .isBetween(14.9, 15.1);
        assertThat(rows.get(0).verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(rows.get(1).floorPercent()).isEqualTo(Verdict.MIN_FLOOR_PERCENT);
        assertThat(rows.get(1).verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(Changes.ofBuilds(input(forks)).decided()).isFalse();
    }

    @Test
    void ofBuilds_recordedLimits_areUsed() {
        pairs(Forks.of("w"), 0, PAIRS, 0.93, 0.001);
        assertThat(verdict(Map.of())).isEqualTo(Verdict.SLOWER);
        assertThat(verdict(Map.of(Changes.FLOOR, "8.00"))).isEqualTo(Verdict.UNKNOWN);
        assertThat(verdict(Map.of(Changes.FLOOR + " w/t1/OURS", "8.00"))).isEqualTo(Verdict.UNKNOWN);
        assertThat(verdict(Map.of(Changes.FLOOR, "8.00", Settings.MARGIN, "8.00")))
                .isEqualTo(Verdict.SAME);
    }

    private Verdict verdict(Map<String, String> settings) {
        return Changes.ofBuilds(input(forks, settings)).rows().get(0).verdict();
    }

    @Test
    void ofBuilds_fewerPairsOfBuildAgainThanAnIntervalNeeds_noFloor() {
        pairs(Forks.of("w"), 0, 5, 1, 0.01);
        again("w", 1.5);
        assertThat(Changes.ofBuilds(input(forks)).rows().get(0).floorPercent()).isEqualTo(Verdict.MIN_FLOOR_PERCENT);
    }

    /** However small the margin that was chosen, and however noisy the night, a slowdown beyond it is not the same. */
    @Test
    void ofBuilds_noisyNight_doesNotWidenTheSame() {
        pairs(Forks.of("w"), 0, PAIRS, 0.93, 0.02);
        again("w", 1.2);
        assertThat(Changes.ofBuilds(input(forks)).rows().get(0).verdict()).isNotEqualTo(Verdict.SAME);
    }

    @Test
    void ofBuilds_dirtyRoundRunAgain_verdictWithAndWithout() {
        for (int round = 0; round < PAIRS; round++) {
            Forks fork = Forks.of("w").round(round);
            forks.add(fork.dirty("foreign").score(30));
            forks.add(fork.build(Build.BASELINE).score(100));
            if (round % 4 != 0) {
                forks.add(fork.rerun(1).score(100 + round));
                forks.add(fork.rerun(1).build(Build.BASELINE).score(100 + round));
            }
        }
        Change change = Changes.ofBuilds(input(forks)).rows().get(0);
        assertThat(change.verdict()).isEqualTo(Verdict.SAME);
        assertThat(change.verdictOfAll()).isEqualTo(Verdict.SLOWER);
        assertThat(change.dirtyRounds()).isEqualTo(PAIRS / 4);
        assertThat(ChangeReport.text(new Changes("t", List.of(change), List.of())))
                .contains("5 rounds were never quiet");
    }

    @Test
    void ofBuilds_mostlyDirty_noVerdict() {
        for (int round = 0; round < PAIRS; round++) {
            Forks fork = Forks.of("w").round(round);
            forks.add(fork.dirty(round % 4 == 0 ? null : "foreign").score(30));
            forks.add(fork.build(Build.BASELINE).score(100));
        }
        Changes changes = Changes.ofBuilds(input(forks));
        assertThat(changes.rows().get(0).verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(changes.decided()).isFalse();
    }

    @Test
    void ofBuilds_failedSideOrAnotherUnit_isToldAndNotJudged() {
        for (int round = 0; round < PAIRS; round++) {
            forks.add(Forks.of("gone").round(round).score(1));
            forks.add(Forks.of("gone").round(round).build(Build.BASELINE).failed("NoSuchMethodError: x"));
            forks.add(Forks.of("other").round(round).score(1));
            forks.add(Forks.of("other")
                    .round(round)
                    .build(Build.BASELINE)
                    .unit("avgt", "s/op")
                    .score(9));
        }
        Changes changes = Changes.ofBuilds(input(forks));
        assertThat(changes.failed()).isTrue();
        assertThat(changes.ownFailed()).as("a baseline may lack a benchmark").isFalse();
        assertThat(changes.rows())
                .extracting(Change::failure)
                .containsExactly(
                        "no score on the other side: NoSuchMethodError: x", "unlike scores: thrpt ops/s, avgt s/op");
        assertThat(changes.of(Verdict.UNKNOWN)).hasSize(2);
    }

    @Test
    void ofRuns_driftBetweenThem_raisesTheFloor() {
        List<ForkResult> older = new ArrayList<>();
        for (int round = 0; round < PAIRS; round++) {
            older.add(Forks.of("w")
                    .round(round)
                    .ruler(new ReferenceLoad(10, 10, 10, 10))
                    .score(100 + round * 0.01));
            forks.add(Forks.of("w")
                    .round(round)
                    .ruler(new ReferenceLoad(12, 10, 10, 10))
                    .score(85 + round * 0.01));
        }
        Changes changes = Changes.ofRuns(input(older), input(forks), 3, List.of("kernel: 1, 2"));
        assertThat(changes.rows().get(0).floorPercent()).isBetween(19.9, 20.1);
        assertThat(changes.rows().get(0).verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(changes.warnings()).first().isEqualTo("Forced: kernel: 1, 2");
        forks.replaceAll(fork -> Forks.of("w").round(fork.round()).score(60 + fork.round() * 0.01));
        assertThat(Changes.ofRuns(input(older), input(forks), 3, List.of())
                        .rows()
                        .get(0)
                        .verdict())
                .isEqualTo(Verdict.SLOWER);
    }

    @Test
    void ofPeers_oneRun_eachPeerJudged() {
        for (int round = 0; round < PAIRS; round++) {
            forks.add(Forks.of("queue-write-synced")
                    .subject("OURS_SYNCED")
                    .round(round)
                    .score(100 + random.nextInt(3)));
            forks.add(
                    Forks.of("queue-write-synced").subject("TAPE").round(round).score(20 + random.nextInt(3)));
            forks.add(Forks.of("queue-write-synced")
                    .subject("CEILING_DSYNC")
                    .round(round)
                    .score(20));
        }
        assertThat(Changes.ofPeers(input(forks), 3).rows()).singleElement().satisfies(change -> {
            assertThat(change.against()).isEqualTo("TAPE");
            assertThat(change.verdict()).isEqualTo(Verdict.FASTER);
        });
    }

    /** A peer that is decided ends, ours with the last of its peers, and a peer that gives no score holds nobody. */
    @Test
    void decided_peers_eachEndsByItself() {
        peers(PAIRS - 1, 1);
        assertThat(Changes.decided(ofPeers()))
                .containsExactlyInAnyOrder(
                        "queue-write-synced/t1/TAPE",
                        "queue-write-batched/t1/CHRONICLE",
                        "queue-write-batched/t1/OURS_BATCHED");
        assertThat(Changes.ofPeers(ofPeers(), 0).rows())
                .extracting(Change::verdict)
                .containsExactly(Verdict.FASTER, Verdict.UNKNOWN, Verdict.UNKNOWN);
        forks.clear();
        peers(PAIRS - 1, 0.001);
        assertThat(Changes.decided(ofPeers()))
                .containsExactlyInAnyOrderElementsOf(ofPeers().run().cells());
        assertThat(Changes.ofPeers(ofPeers(), 0).decided()).isTrue();
    }

    /** Rounds in which one peer is far behind, one scatters about ours, and one fails. */
    private void peers(int rounds, double scatter) {
        for (int round = 0; round < rounds; round++) {
            Forks synced = Forks.of("queue-write-synced").round(round);
            Forks batched = Forks.of("queue-write-batched").round(round);
            forks.add(synced.subject("OURS_SYNCED").score(100));
            forks.add(synced.subject("TAPE").score(20 + random.nextInt(3)));
            forks.add(synced.subject("CHRONICLE_SYNC").score(100 * Math.exp(scatter * random.nextGaussian())));
            forks.add(synced.subject("CEILING_DSYNC").score(200));
            forks.add(batched.subject("OURS_BATCHED").score(100));
            forks.add(batched.subject("CHRONICLE").failed("does not start"));
        }
    }

    private ReportInput ofPeers() {
        return input(forks, Map.of(), null);
    }

    @Test
    void text_anyChanges_within100ColumnsAndNamesAll() {
        pairs(Forks.of("a-workload-with-quite-a-long-name-that-goes-on-and-on-and-on"), 0, PAIRS, 0.7, 0.01);
        String text = ChangeReport.text(Changes.ofBuilds(input(forks)));
        assertThat(text).contains("slower", "1 cell: 0 faster, 1 slower, 0 same, 0 unknown.", "old1234");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(TextReport.WIDTH));
        assertThat(ChangeReport.json(Changes.ofBuilds(input(forks))))
                .contains("\"verdict\" : \"slower\"", "\"slower\" : 1");
    }

    @Test
    void reports_runWithBaseline_allFormsShowTheVerdict() {
        pairs(Forks.of("queue-write-synced"), 0, PAIRS, 0.7, 0.01);
        ReportInput input = input(forks);
        assertThat(TextReport.render(input)).contains("Build f56a250 beside old1234", "slower");
        assertThat(MarkdownReport.render(input)).contains("## Build f56a250 beside old1234", "| slower | slower |");
        assertThat(HtmlReport.render(input)).contains("id=\"changes\"", "<b>slower</b>", "href=\"#changes\"");
        assertThat(JsonReport.tree(input).at("/comparison/changes/0/verdict").textValue())
                .isEqualTo("slower");
    }

    /** Rounds in which ours scores {@code times} what the baseline does, on a machine that drifts. */
    private void pairs(Forks fork, int from, int rounds, double times, double deviation) {
        double drift = 0;
        for (int round = from; round < from + rounds; round++) {
            drift += 0.1 * random.nextGaussian();
            double base = 100 * Math.exp(drift);
            forks.add(fork.round(round).score(base * times * Math.exp(deviation * random.nextGaussian())));
            forks.add(
                    fork.round(round).build(Build.BASELINE).score(base * Math.exp(deviation * random.nextGaussian())));
        }
    }

    /** This build once more, as if the machine were {@code times} as fast. */
    private void again(String workload, double times) {
        for (ForkResult own : List.copyOf(forks)) {
            if (own.build() == Build.OWN && own.workload().equals(workload)) {
                double score = Objects.requireNonNull(own.primary()).score();
                forks.add(
                        Forks.of(workload).build(Build.AGAIN).round(own.round()).score(times * score));
            }
        }
    }

    private static ReportInput input(List<ForkResult> forks) {
        return input(forks, Map.of());
    }

    private static ReportInput input(List<ForkResult> forks, Map<String, String> settings) {
        return input(forks, settings, new BuildInfo("0.1.0", "old1234", false));
    }

    private static ReportInput input(
            List<ForkResult> forks, Map<String, String> settings, @Nullable BuildInfo baseline) {
        TreeMap<String, String> all = new TreeMap<>(Map.of(Settings.PAIRS, "" + PAIRS, "warmup", "1 x 1s"));
        all.putAll(settings);
        return new ReportInput(
                run(forks, baseline, all),
                Fixtures.environment(false),
                Fixtures.matrix(),
                List.copyOf(forks),
                SeedFigures.none());
    }

    private static RunInfo run(
            List<ForkResult> forks, @Nullable BuildInfo baseline, SortedMap<String, String> settings) {
        RunInfo plain = Fixtures.runInfo(PAIRS, false);
        return new RunInfo(
                plain.schema(),
                "compare",
                plain.commandLine(),
                plain.version(),
                plain.commit(),
                false,
                plain.startedAt(),
                plain.finishedAt(),
                plain.dataFolder(),
                false,
                forks.stream().map(ForkResult::cell).distinct().toList(),
                PAIRS,
                plain.jdk(),
                baseline,
                settings);
    }
}
