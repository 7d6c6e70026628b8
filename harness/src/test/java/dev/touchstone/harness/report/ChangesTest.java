package dev.touchstone.harness.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.run.Settings;
import dev.touchstone.harness.stats.Verdict;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Forks;
import dev.touchstone.harness.store.Ruler;
import dev.touchstone.harness.store.RunInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangesTest {
    private static final long SEED = 20260302;
    private static final int SCREEN = 8;
    private static final int CONFIRM = 12;

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
        pairs(Forks.of("w").unit(mode, unit), 0, SCREEN + CONFIRM, times, 0.004);
        Change change = Changes.ofBuilds(input(forks)).rows().get(0);
        assertThat(change.verdict()).isEqualTo(expected);
        assertThat(change.verdictOfAll()).isEqualTo(expected);
        assertThat(change.against()).isEqualTo("old1234");
    }

    @Test
    void candidates_screen_choosesWhatSeemsToDifferOnly() {
        pairs(Forks.of("slower"), 0, SCREEN, 0.8, 0.01);
        pairs(Forks.of("equal"), 0, SCREEN, 1, 0.01);
        pairs(Forks.of("barely"), 0, SCREEN, 1.02, 0.001);
        assertThat(Changes.candidates(input(forks), CONFIRM)).containsExactly("slower/t1/OURS");
        assertThat(Changes.candidates(input(forks), 7))
                .as("7 pairs can't show anything")
                .isEmpty();
    }

    @Test
    void candidates_fewCleanPairsThatAgree_suffice() {
        pairs(Forks.of("slower"), 0, 5, 0.9, 0.01);
        assertThat(Changes.candidates(input(forks), CONFIRM)).containsExactly("slower/t1/OURS");
    }

    @Test
    void candidates_screenMostlyDisturbed_stillChooses() {
        pairs(Forks.of("slower").dirty("foreign"), 0, 4, 0.9, 0.01);
        pairs(Forks.of("slower"), 4, 2, 0.9, 0.01);
        assertThat(Changes.candidates(input(forks), CONFIRM)).containsExactly("slower/t1/OURS");
    }

    @Test
    void ofBuilds_fresh_judgedWithoutTheScreen() {
        pairs(Forks.of("w"), 0, SCREEN, 0.5, 0.01);
        pairs(Forks.of("w"), SCREEN, CONFIRM, 1, 0.004);
        Change change = Changes.ofBuilds(input(forks)).rows().get(0);
        assertThat(change.verdict())
                .as("what raised the suspicion is no evidence")
                .isEqualTo(Verdict.SAME);
        assertThat(change.fresh()).isTrue();
        assertThat(change.ratio())
                .isNotNull()
                .satisfies(ratio -> assertThat(ratio.n()).isEqualTo(CONFIRM));
    }

    @Test
    void ofBuilds_screenOnly_neverADifference() {
        pairs(Forks.of("w"), 0, SCREEN, 0.5, 0.01);
        assertThat(Changes.ofBuilds(input(forks)).rows().get(0).verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void ofBuilds_buildAgain_raisesTheFloor() {
        pairs(Forks.of("w"), 0, SCREEN + CONFIRM, 0.9, 0.001);
        again("w", 0, SCREEN, 1.15);
        Change change = Changes.ofBuilds(input(forks)).rows().get(0);
        assertThat(change.floorPercent()).as("the machine alone makes 15 %%").isBetween(14.9, 15.1);
        assertThat(change.verdict()).isNotEqualTo(Verdict.SLOWER);
    }

    @Test
    void ofBuilds_buildAgainDiffersMuch_noMoreThanATenthIsTheSame() {
        pairs(Forks.of("w"), 0, SCREEN, 1, 0.2);
        again("w", 0, SCREEN, 1.5);
        Change change = Changes.ofBuilds(input(forks)).rows().get(0);
        assertThat(change.floorPercent()).isGreaterThan(45);
        assertThat(change.verdict()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void ofBuilds_fewerPairsOfBuildAgainThanAnIntervalNeeds_noFloor() {
        pairs(Forks.of("w"), 0, SCREEN, 1, 0.01);
        again("w", 0, 5, 1.5);
        assertThat(Changes.ofBuilds(input(forks)).rows().get(0).floorPercent()).isEqualTo(Verdict.MIN_FLOOR_PERCENT);
    }

    @Test
    void candidates_freshRoundsThatAreThereAlready_changeNothing() {
        pairs(Forks.of("slower"), 0, SCREEN, 0.8, 0.01);
        again("slower", 0, SCREEN, 1);
        List<String> chosen = Changes.candidates(input(forks), CONFIRM);
        pairs(Forks.of("slower"), SCREEN, 6, 1, 0.01);
        again("slower", SCREEN, SCREEN + 6, 2);
        assertThat(Changes.candidates(input(forks), CONFIRM)).isEqualTo(chosen).isNotEmpty();
    }

    @Test
    void ofBuilds_dirtyRoundRunAgain_verdictWithAndWithout() {
        for (int round = SCREEN; round < SCREEN + CONFIRM; round++) {
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
        assertThat(change.dirtyRounds()).isEqualTo(CONFIRM / 4);
        assertThat(ChangeReport.text(new Changes("t", List.of(change), List.of())))
                .contains("3 rounds were never quiet");
    }

    @Test
    void ofBuilds_mostlyDirty_noVerdict() {
        for (int round = SCREEN; round < SCREEN + CONFIRM; round++) {
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
        for (int round = 0; round < SCREEN; round++) {
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

    /** 100 comparisons of equals under drift and outliers: at most one false verdict. */
    @Test
    void ofBuilds_nothingDiffers_atMostOneFalseVerdictInAHundred() {
        int wrong = 0;
        for (int trial = 0; trial < 100; trial++) {
            forks.clear();
            for (int cell = 0; cell < 4; cell++) {
                pairs(Forks.of("w" + cell), 0, SCREEN, 1, 0.08);
            }
            for (String candidate : Changes.candidates(input(forks), CONFIRM)) {
                pairs(Forks.of(candidate.substring(0, candidate.indexOf('/'))), SCREEN, CONFIRM, 1, 0.08);
            }
            Changes changes = Changes.ofBuilds(input(forks));
            wrong += changes.of(Verdict.SLOWER).size()
                    + changes.of(Verdict.FASTER).size();
        }
        assertThat(wrong).as("seed=" + SEED).isLessThanOrEqualTo(1);
    }

    @Test
    void ofRuns_driftBetweenThem_raisesTheFloor() {
        List<ForkResult> older = new ArrayList<>();
        for (int round = 0; round < CONFIRM; round++) {
            older.add(
                    Forks.of("w").round(round).ruler(new Ruler(10, 10, 10, 10)).score(100 + round * 0.01));
            forks.add(
                    Forks.of("w").round(round).ruler(new Ruler(12, 10, 10, 10)).score(85 + round * 0.01));
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
        for (int round = 0; round < CONFIRM; round++) {
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

    @Test
    void text_anyChanges_within100ColumnsAndNamesAll() {
        pairs(Forks.of("a-workload-with-quite-a-long-name-that-goes-on-and-on-and-on"), 0, SCREEN + CONFIRM, 0.7, 0.01);
        String text = ChangeReport.text(Changes.ofBuilds(input(forks)));
        assertThat(text).contains("slower", "1 cell: 0 faster, 1 slower, 0 same, 0 unknown.", "old1234");
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(TextReport.WIDTH));
        assertThat(ChangeReport.json(Changes.ofBuilds(input(forks))))
                .contains("\"verdict\" : \"slower\"", "\"slower\" : 1");
    }

    @Test
    void reports_runWithBaseline_allFormsShowTheVerdict() {
        pairs(Forks.of("queue-write-synced"), 0, SCREEN + CONFIRM, 0.7, 0.01);
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
    private void again(String workload, int from, int end, double times) {
        for (ForkResult own : List.copyOf(forks)) {
            if (own.build() == Build.OWN && own.round() >= from && own.round() < end) {
                double score = Objects.requireNonNull(own.primary()).score();
                forks.add(
                        Forks.of(workload).build(Build.AGAIN).round(own.round()).score(times * score));
            }
        }
    }

    private static ReportInput input(List<ForkResult> forks) {
        return new ReportInput(
                run(new BuildInfo("0.1.0", "old1234", false)),
                Fixtures.environment(false),
                Fixtures.matrix(),
                List.copyOf(forks),
                SeedFigures.none());
    }

    private static RunInfo run(@Nullable BuildInfo baseline) {
        RunInfo plain = Fixtures.runInfo(SCREEN, false);
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
                plain.cells(),
                SCREEN,
                plain.jdk(),
                baseline,
                new TreeMap<>(Map.of(Settings.SCREEN, "" + SCREEN, "warmup", "1 x 1s")));
    }
}
