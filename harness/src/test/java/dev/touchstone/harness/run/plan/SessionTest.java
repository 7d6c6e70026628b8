package dev.touchstone.harness.run.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Comparisons;
import dev.touchstone.harness.run.Comparisons.Extent;
import dev.touchstone.harness.run.ForkFlags;
import dev.touchstone.harness.run.Matrices;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.Selection;
import dev.touchstone.harness.run.Timing;
import dev.touchstone.harness.run.fork.ForkRunner;
import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.stats.Looks;
import dev.touchstone.harness.store.Build;
import dev.touchstone.harness.store.BuildInfo;
import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.ForkLog;
import dev.touchstone.harness.store.ForkResult;
import dev.touchstone.harness.store.Metric;
import dev.touchstone.harness.store.Noise;
import dev.touchstone.harness.store.RunFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTest {
    private static final Timing TIMING = new Timing(false, 1, new Phase(0, Duration.ZERO), new Phase(1, Duration.ZERO));
    private static final int CELLS = 8;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private RunFolder runFolder;

    private final List<String> ran = new ArrayList<>();
    private final List<Duration> deadlines = new ArrayList<>();
    private final List<Duration> remainders = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();
    private long nowNanos;
    private Duration forkTime = Duration.ofSeconds(2);
    private Predicate<ForkSpec> fails = fork -> false;
    private List<Build> builds = List.of(Build.OWN);
    private Session.Decisions decisions = Set::of;
    private Predicate<ForkSpec> dirty = fork -> false;

    @BeforeEach
    void makeFolder() throws IOException {
        runFolder = RunFolder.create(folder, "host", LocalDate.EPOCH, new BuildInfo("1", "abc", false));
    }

    @Test
    void run_noBudget_everyCellEveryRound() throws Exception {
        Outcome outcome = run(settings(2, 2, null), session -> {});
        assertThat(outcome).isEqualTo(new Outcome(Outcome.End.COMPLETE, 2, 0));
        assertThat(ran).hasSize(2 * CELLS);
        assertThat(ran.get(0)).isEqualTo("0 write/t1/OURS");
        assertThat(ran.get(2 * CELLS - 1)).isEqualTo("1 write/t1/OURS");
        assertThat(runFolder.readForks()).hasSize(2 * CELLS);
    }

    @Test
    void run_budgetGrowsThePlan_progressCountsTheForksOfEachRound() throws Exception {
        forkTime = Duration.ofMillis(1); // far below the plan: more rounds fit than seemed to at first
        run(settings(1, 3, Duration.ofSeconds(60)), session -> {});
        assertThat(progress).hasSize(3 * CELLS);
        for (int i = 0; i < progress.size(); i++) {
            assertThat(progress.get(i)).isEqualTo((i % CELLS + 1) + "/" + CELLS);
        }
    }

    @Test
    void run_disturbedComparison_itsRepetitionsDoNotCount() throws Exception {
        dirty = fork -> fork.cell().id().equals("write/t8/PEER") && fork.rerun() == 0;
        run(settings(1, 1, null), session -> {});
        int peer = 1 + ran.indexOf("0 write/t8/PEER");
        assertThat(progress).hasSize(CELLS + 2).containsOnlyOnce(CELLS + "/" + CELLS);
        assertThat(progress.subList(peer - 1, peer + 3))
                .containsExactly(
                        peer + "/" + CELLS,
                        "again " + peer + "/" + CELLS,
                        "again " + peer + "/" + CELLS,
                        (peer + 1) + "/" + CELLS);
    }

    @Test
    void run_failingForks_restGoesOnAndTheCellIsGivenUp() throws Exception {
        fails = fork -> fork.cell().id().equals("write/t8/PEER");
        Outcome outcome = run(settings(4, 4, null), session -> {});
        assertThat(outcome.failedForks()).isEqualTo(2);
        assertThat(ran).hasSize(4 * CELLS - 2);
        assertThat(runFolder.readForks()).filteredOn(fork -> !fork.ok()).hasSize(2);
    }

    @Test
    void run_budget_wholeRoundsBeyondTheLeast() throws Exception {
        Duration threeAndAHalfRounds = forkTime.multipliedBy(CELLS * 7 / 2);
        Outcome outcome = run(settings(2, 8, threeAndAHalfRounds), session -> {});
        assertThat(outcome).isEqualTo(new Outcome(Outcome.End.BUDGET, 3, 0));
        assertThat(ran).hasSize(3 * CELLS);
    }

    @Test
    void run_slowerThanPlanned_stopsBetweenComparisonsWithinTheBudget() throws Exception {
        forkTime = Duration.ofSeconds(10);
        Duration budget = Duration.ofSeconds(100);
        Outcome outcome = run(settings(3, 8, budget), session -> {});
        assertThat(outcome.end()).isEqualTo(Outcome.End.BUDGET);
        assertThat(Duration.ofNanos(nowNanos)).isLessThanOrEqualTo(budget);
        assertThat(ran).as("comparisons are whole").hasSize(CELLS);
        assertThat(deadlines)
                .as("no fork that has started is ended for the budget's sake")
                .allSatisfy(deadline -> assertThat(deadline).isGreaterThan(budget));
    }

    @Test
    void run_slowerThanPlanned_goesOnWithWhatCanHaveTheRoundsOfTheFirstLook() throws Exception {
        forkTime = Duration.ofSeconds(10);
        builds = List.of(Build.OWN, Build.BASELINE);
        int first = Looks.of(CELLS, 14).first();
        Duration budget = forkTime.multipliedBy(2L * 3 * (first + 1)); // one round more for three cells
        Settings settings = Settings.comparing(Sampling.ANNOTATED, 14, 5, budget, List.of());
        run(settings, session -> {
            if (ran.size() == 15) {
                session.interrupt();
            }
        });
        run(settings, session -> {});
        assertThat(Duration.ofNanos(nowNanos))
                .as("and the fork that was interrupted")
                .isLessThanOrEqualTo(budget.plus(forkTime));
        assertThat(runFolder.readForks())
                .filteredOn(fork -> fork.round() == first - 1)
                .as("the first round of all cells has taken the time of two rounds of three")
                .hasSizeBetween(2, 6);
        assertThat(Set.copyOf(left)).hasSizeGreaterThanOrEqualTo(CELLS - 3);
    }

    @Test
    void run_cellsDecidedAtALook_endAndTheOthersGoOn() throws Exception {
        builds = List.of(Build.OWN, Build.BASELINE);
        List<Integer> looks = Looks.of(CELLS, 20).rounds();
        List<Integer> asked = new ArrayList<>();
        decisions = () -> {
            asked.add(ran.size());
            return asked.size() == 1 ? Set.of("write/t8/PEER", "write/t1/OURS") : allCells();
        };
        Settings settings = Settings.comparing(Sampling.ANNOTATED, 20, 5, null, List.of());
        Outcome outcome = run(settings, session -> {});
        assertThat(outcome).isEqualTo(new Outcome(Outcome.End.COMPLETE, looks.get(1), 0));
        assertThat(asked)
                .containsExactly(
                        2 * CELLS * looks.get(0),
                        2 * CELLS * looks.get(0) + 2 * (CELLS - 2) * (looks.get(1) - looks.get(0)));
        assertThat(ran).hasSize(asked.get(1));
        assertThat(left).as("decided is not given up").isEmpty();
    }

    /** Checks that the rest of a comparison goes on by turns without the subjects that are decided. */
    @Test
    void run_peerDecidedAtALook_endsAloneAndOursGoesOn() throws Exception {
        int first = CELLS * Looks.of(CELLS, 20).first();
        Set<String> rest = new HashSet<>(allCells());
        rest.removeAll(Set.of("write/t1/PEER", "write/t1/CEILING"));
        decisions = () -> ran.size() == first ? Set.of("write/t1/PEER", "write/t1/CEILING") : rest;
        Settings settings = Settings.comparing(Sampling.ANNOTATED, 20, 5, null, List.of());
        run(settings, session -> {});
        assertThat(ran.subList(first, ran.size()))
                .as("the rounds after the first look")
                .anyMatch(fork -> fork.endsWith("write/t1/OURS"))
                .noneMatch(fork -> fork.endsWith("write/t1/PEER") || fork.endsWith("write/t1/CEILING"));
        assertThat(left).isEmpty();
    }

    private static Set<String> allCells() {
        return Comparisons.of(Matrices.sample(), Selection.ALL, Extent.ALL).stream()
                .flatMap(List::stream)
                .map(Cell::id)
                .collect(Collectors.toSet());
    }

    @Test
    void run_oneBuildTwiceBeyondTheBudget_goesOnWithWhatCanHaveTheLeastNumberOfRounds() throws Exception {
        forkTime = Duration.ofSeconds(10);
        builds = List.of(Build.OWN, Build.AGAIN);
        Settings settings = Settings.calibrating(Sampling.ANNOTATED, 12, Duration.ofMinutes(5), List.of());
        run(settings, session -> {});
        assertThat(runFolder.readForks())
                .filteredOn(fork -> fork.round() == 5)
                .as("300 s are enough for six rounds of two cells that take 20 s")
                .hasSize(4);
    }

    @Test
    void run_forkThatNoLongerFits_isNotStartedAndNothingFails() throws Exception {
        forkTime = Duration.ofSeconds(10);
        Outcome outcome = run(settings(1, 1, Duration.ofSeconds(19)), session -> {});
        assertThat(outcome).isEqualTo(new Outcome(Outcome.End.BUDGET, 0, 0));
        assertThat(ran)
                .as("the first has shown that the second would end past the budget")
                .hasSize(1);
        assertThat(runFolder.readForks()).hasSize(1).allMatch(ForkResult::ok);
    }

    @Test
    void run_forkFailsJustBeforeTheInterrupt_isNotRecorded() throws Exception {
        fails = fork -> ran.size() == 3;
        Outcome outcome = run(settings(1, 1, null), session -> {
            if (ran.size() == 3) {
                CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS).execute(session::interrupt);
            }
        });
        assertThat(outcome).isEqualTo(new Outcome(Outcome.End.INTERRUPTED, 0, 0));
        assertThat(runFolder.readForks()).hasSize(2).allMatch(ForkResult::ok);
    }

    @Test
    void run_resumed_failedForksAreRetriedOnce() throws Exception {
        fails = fork -> fork.cell().id().equals("write/t8/PEER");
        assertThat(run(settings(1, 1, null), session -> {}).failedForks()).isEqualTo(1);
        assertThat(run(settings(1, 1, null), session -> {}).failedForks()).isEqualTo(1);
        assertThat(ran).hasSize(CELLS + 1);
        assertThat(run(settings(1, 1, null), session -> {}).failedForks()).isEqualTo(1);
        assertThat(ran).as("no third attempt").hasSize(CELLS + 1);
    }

    @Test
    void run_resumed_retriedForkSucceeds_noFailureLeft() throws Exception {
        fails = fork -> fork.cell().id().equals("write/t8/PEER");
        assertThat(run(settings(2, 2, null), session -> {}).failedForks()).isEqualTo(2);
        fails = fork -> false;
        Outcome outcome = run(settings(2, 2, null), session -> {});
        assertThat(outcome).isEqualTo(new Outcome(Outcome.End.COMPLETE, 2, 0));
        assertThat(ran).hasSize(2 * CELLS + 2);
    }

    @Test
    void run_disturbedComparison_isRunAgainAsAWholeAndKept() throws Exception {
        dirty = fork -> fork.cell().id().equals("write/t8/PEER") && fork.round() == 0 && fork.rerun() == 0;
        Outcome outcome = run(settings(2, 2, null), session -> {});
        assertThat(outcome).isEqualTo(new Outcome(Outcome.End.COMPLETE, 2, 0));
        assertThat(ran).as("ours and the peer once more").hasSize(2 * CELLS + 2);
        List<ForkResult> forks = runFolder.readForks();
        assertThat(forks)
                .filteredOn(fork -> fork.dirty() != null)
                .singleElement()
                .satisfies(fork -> assertThat(fork.dirty()).contains("other processes", "9.00"));
        assertThat(forks)
                .filteredOn(fork -> fork.rerun() == 1)
                .extracting(ForkResult::cell)
                .containsExactly("write/t8/OURS", "write/t8/PEER");
    }

    @Test
    void run_neverQuiet_endsAfterHalfAsManyForksMore() throws Exception {
        dirty = fork -> true;
        Outcome outcome = run(settings(4, 4, null), session -> {});
        assertThat(outcome.end()).isEqualTo(Outcome.End.COMPLETE);
        assertThat(ran).hasSizeBetween(4 * CELLS + CELLS, 4 * CELLS * 3 / 2);
        assertThat(runFolder.readForks()).allMatch(fork -> fork.rerun() <= 2).allMatch(fork -> fork.dirty() != null);
        int before = ran.size();
        run(settings(4, 4, null), session -> {});
        assertThat(ran).as("a resume does not begin anew with it").hasSize(before);
    }

    @Test
    void run_interruptedWithinARerun_resumeCompletesIt() throws Exception {
        dirty = fork -> fork.round() == 0 && fork.rerun() == 0;
        int firstOfPair = 5;
        run(settings(1, 1, null), session -> {
            if (ran.size() == firstOfPair) {
                session.interrupt();
            }
        });
        run(settings(1, 1, null), session -> {});
        List<ForkResult> forks = runFolder.readForks();
        assertThat(forks).doesNotHaveDuplicates();
        assertThat(forks).filteredOn(fork -> fork.rerun() == 1).isNotEmpty();
    }

    @Test
    void run_builds_sidesAlternateAndOneThatFailsEndsThePair() throws Exception {
        builds = List.of(Build.OWN, Build.BASELINE);
        fails = fork -> fork.build() == Build.BASELINE && fork.cell().id().equals("write/t1/OURS");
        run(settings(4, 4, null), session -> {});
        List<ForkResult> forks = runFolder.readForks();
        assertThat(forks)
                .filteredOn(fork -> fork.cell().equals("write/t8/PEER"))
                .extracting(ForkResult::build)
                .containsExactly(
                        Build.OWN,
                        Build.BASELINE,
                        Build.BASELINE,
                        Build.OWN,
                        Build.OWN,
                        Build.BASELINE,
                        Build.BASELINE,
                        Build.OWN);
        assertThat(forks)
                .filteredOn(fork -> fork.cell().equals("write/t1/OURS"))
                .hasSize(4);
    }

    @Test
    void run_interrupted_runningForkIsNotRecordedAndResumeRepeatsOnlyIt() throws Exception {
        Outcome first = run(settings(2, 2, null), session -> {
            if (ran.size() == 5) {
                session.interrupt();
            }
        });
        assertThat(first.end()).isEqualTo(Outcome.End.INTERRUPTED);
        assertThat(runFolder.readForks()).hasSize(4);

        Outcome second = run(settings(2, 2, null), session -> {});
        assertThat(second.end()).isEqualTo(Outcome.End.COMPLETE);
        assertThat(ran).as("one fork ran twice").hasSize(2 * CELLS + 1);
        assertThat(Set.copyOf(ran)).hasSize(2 * CELLS);
    }

    @Test
    void run_forksTakeLongerThanPlanned_remainingTimeLearnsItFromTheFirst() throws Exception {
        forkTime = Duration.ofMinutes(1);
        run(settings(1, 1, null), session -> {});
        assertThat(remainders).hasSize(CELLS);
        assertThat(remainders.get(0)).isLessThan(Duration.ofMinutes(1));
        for (int done = 1; done < CELLS; done++) {
            assertThat(remainders.get(done)).isEqualTo(Duration.ofMinutes(CELLS - done));
        }
    }

    private Outcome run(Settings settings, Consumer<Session> duringFork) throws IOException, MatrixException {
        Matrix matrix = Matrices.sample();
        Plan all = new Planner(name -> Optional.of(TIMING), new ForkFlags(matrix, 17))
                .plan(Comparisons.of(matrix, Selection.ALL, Extent.ALL), settings, builds);
        Plan plan = settings.marginPercent() > 0
                ? all.lookingAfter(Looks.of(CELLS, settings.maxRounds()).rounds())
                : all;
        Session[] running = new Session[1];
        ForkRunner runner = (fork, deadline) -> {
            ran.add(fork.round() + " " + fork.cell().id());
            deadlines.add(deadline);
            nowNanos += forkTime.toNanos();
            duringFork.accept(running[0]);
            return result(fork, fails.test(fork) ? "on purpose" : null);
        };
        try (ForkLog log = runFolder.openLog()) {
            running[0] = new Session(
                    plan,
                    runner,
                    log,
                    runFolder.readForks(),
                    new Listener(),
                    Calibration.NONE,
                    decisions,
                    () -> nowNanos);
            return running[0].run();
        }
    }

    private static Settings settings(int minRounds, int maxRounds, @Nullable Duration budget) {
        return new Settings(Sampling.ANNOTATED, Sampling.ANNOTATED, minRounds, maxRounds, 0, 2, budget, List.of());
    }

    private ForkResult result(ForkSpec fork, @Nullable String error) {
        Cell cell = fork.cell();
        Metric score = error == null ? new Metric("thrpt", "ops/s", 1, List.of(1.0)) : null;
        return new ForkResult(
                cell.id(),
                cell.workload(),
                cell.subject(),
                cell.threads(),
                cell.params(),
                fork.round(),
                fork.order(),
                "2026-01-01T00:00:00Z",
                forkTime.toMillis(),
                error,
                score,
                new TreeMap<>(),
                fork.jvmFlags(),
                new Noise(dirty.test(fork) ? 9 : 0, 0, 0, 0, 0.0, 0.0),
                fork.build(),
                fork.rerun(),
                null,
                null,
                null);
    }

    private final class Listener implements SessionListener {
        @Override
        public void forkStarts(ForkSpec fork, int number, int forks, Duration remaining) {
            progress.add((fork.rerun() > 0 ? "again " : "") + number + "/" + forks);
            assertThat(remaining).isPositive();
            remainders.add(remaining);
        }

        @Override
        public void dropped(Cell cell) {
            left.add(cell.id());
        }

        @Override
        public void forkEnded(ForkSpec fork, ForkResult result) {}
    }
}
