package dev.touchstone.harness.run;

import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.ForkLog;
import dev.touchstone.harness.store.ForkResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan fork by fork, each recorded before the next starts, and stops in time. One thread runs it; {@link #interrupt} may come from any.
 *
 * <p>The budget is kept by not starting what will not end within it: beyond the least number of rounds a round starts only if all of it fits,
 * before that a comparison only if all of it fits, and always a fork only if it fits. What has started is never ended for the budget's sake. How
 * long a cell takes is learned from its own forks. A screen goes on with as many comparisons as can still have the least number of rounds:
 * fewer rounds of all would show nothing of any.
 */
public final class Session {
    /** Beyond this a fork hangs: nothing that is only slow takes so much longer than planned. */
    private static final Duration HANG_GRACE = Duration.ofMinutes(2);

    private static final int HANG_TIMES_EXPECTED = 10;
    /** No more than half of the forks are run again for the noise. */
    private static final int RERUN_SHARE = 2;
    /** A signal to the whole process group may end a fork before this process hears of it. */
    private static final long INTERRUPT_MILLIS = 500;

    private final Plan plan;
    private final ForkRunner runner;
    private final ForkLog log;
    private final SessionListener listener;
    private final Calibration calibration;
    private final LongSupplier nanoClock;
    private final History history;
    private final long startNanos;
    private final CountDownLatch interruption = new CountDownLatch(1);

    /**
     * @param recorded forks that the log holds already and that are not run again
     * @param calibration what counts as a disturbance on this machine
     */
    public Session(
            Plan plan,
            ForkRunner runner,
            ForkLog log,
            List<ForkResult> recorded,
            SessionListener listener,
            Calibration calibration,
            LongSupplier nanoClock) {
        this.plan = plan;
        this.runner = runner;
        this.log = log;
        this.listener = listener;
        this.calibration = calibration;
        this.nanoClock = nanoClock;
        this.history = new History(recorded, plan.firstRound(), plan.forksPerRound() * plan.rounds() / RERUN_SHARE);
        this.startNanos = nanoClock.getAsLong();
    }

    /** Asks for the end: the running fork's result is not recorded, since its death was not its own doing. */
    public void interrupt() {
        interruption.countDown();
    }

    /** Runs what is left of the plan. @throws IOException if a result could not be recorded */
    public Outcome run() throws IOException {
        boolean screen = plan.firstRound() == 0 && plan.settings().confirmRounds() > 0;
        List<List<ForkSpec>> kept = plan.comparisons();
        for (int done = 0; done < plan.rounds(); done++) {
            int owed = plan.settings().minRounds() - done;
            if (screen && done > 0 && owed > 0) {
                kept = affordable(kept, owed);
            }
            Set<Cell> cells = cells(kept);
            List<List<ForkSpec>> comparisons = plan.round(plan.firstRound() + done).stream()
                    .filter(comparison -> cells.contains(comparison.get(0).cell()))
                    .toList();
            boolean optional = done >= plan.settings().minRounds();
            if (optional && !fits(pending(comparisons))) {
                return outcome(Outcome.End.BUDGET, done);
            }
            for (List<ForkSpec> comparison : comparisons) {
                Outcome.End end = complete(comparison);
                if (end != Outcome.End.COMPLETE) {
                    return outcome(end, done);
                }
            }
        }
        return outcome(Outcome.End.COMPLETE, plan.rounds());
    }

    /** Of these comparisons those that fit so many rounds, the first ones first; at least one. */
    private List<List<ForkSpec>> affordable(List<List<ForkSpec>> comparisons, int rounds) {
        Duration left = budgetLeft();
        if (left == null) {
            return comparisons;
        }
        Duration room = left.dividedBy(rounds);
        List<List<ForkSpec>> chosen = new ArrayList<>();
        for (List<ForkSpec> comparison : comparisons) {
            Duration rest = room.minus(history.expected(comparison));
            if (!rest.isNegative()) {
                chosen.add(comparison);
                room = rest;
            }
        }
        return chosen.isEmpty() ? comparisons.subList(0, 1) : chosen;
    }

    private static Set<Cell> cells(List<List<ForkSpec>> comparisons) {
        return comparisons.stream().flatMap(List::stream).map(ForkSpec::cell).collect(Collectors.toSet());
    }

    private List<ForkSpec> pending(List<List<ForkSpec>> comparisons) {
        return comparisons.stream()
                .flatMap(comparison -> history.pending(comparison, 0).stream())
                .toList();
    }

    /** Runs a comparison, and all of it again where it was disturbed. */
    private Outcome.End complete(List<ForkSpec> comparison) throws IOException {
        int reruns = plan.settings().reruns();
        List<ForkSpec> forks = history.pending(comparison, reruns);
        while (!forks.isEmpty()) {
            if (!interrupted() && !fits(forks)) {
                // What can't be run again for lack of time stays as it is.
                return forks.get(0).rerun() > 0 ? Outcome.End.COMPLETE : Outcome.End.BUDGET;
            }
            Outcome.End end = runAll(forks);
            if (end != Outcome.End.COMPLETE) {
                return end;
            }
            forks = history.pending(comparison, reruns);
        }
        return Outcome.End.COMPLETE;
    }

    private Outcome.End runAll(List<ForkSpec> comparison) throws IOException {
        for (ForkSpec fork : comparison) {
            if (interrupted()) {
                return Outcome.End.INTERRUPTED;
            }
            if (!fits(List.of(fork))) {
                return Outcome.End.BUDGET;
            }
            int total = plan.forksPerRound() * roundsThatFit();
            listener.forkStarts(fork, history.size(), Math.max(total, history.size() + 1), remaining());
            ForkResult result = judged(runner.run(fork, hangLimit(fork)));
            if (result.ok() ? interrupted() : interruptedSoon()) {
                return Outcome.End.INTERRUPTED;
            }
            log.append(result);
            history.add(result);
            listener.forkEnded(fork, result);
        }
        return Outcome.End.COMPLETE;
    }

    private ForkResult judged(ForkResult result) {
        return result.dirtied(
                calibration.complaint(result.cell(), result.noise()).orElse(null));
    }

    private boolean interrupted() {
        return interruption.getCount() == 0;
    }

    private boolean interruptedSoon() {
        try {
            return interruption.await(INTERRUPT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private Outcome outcome(Outcome.End end, int rounds) {
        return new Outcome(end, rounds, history.failed());
    }

    private boolean fits(List<ForkSpec> forks) {
        Duration left = budgetLeft();
        return left == null || history.expected(forks).compareTo(left) <= 0;
    }

    private static Duration hangLimit(ForkSpec fork) {
        return fork.expected().multipliedBy(HANG_TIMES_EXPECTED).plus(HANG_GRACE);
    }

    private @Nullable Duration budgetLeft() {
        Duration budget = plan.firstRound() == 0
                ? plan.settings().screenBudget()
                : plan.settings().budget();
        return budget == null ? null : budget.minus(history.earlier()).minus(elapsed());
    }

    private Duration elapsed() {
        return Duration.ofNanos(nanoClock.getAsLong() - startNanos);
    }

    private Duration roundTime() {
        return history.expected(
                plan.comparisons().stream().flatMap(List::stream).toList());
    }

    /** How many rounds the run will have, as far as is known now. */
    private int roundsThatFit() {
        Duration left = budgetLeft();
        int max = plan.rounds();
        if (left == null) {
            return max;
        }
        long roundMillis = Math.max(1, roundTime().toMillis());
        long forksLeft = left.toMillis() * plan.forksPerRound() / roundMillis;
        long rounds = (history.size() + forksLeft) / Math.max(1, plan.forksPerRound());
        return (int) Math.min(max, Math.max(1, rounds));
    }

    private Duration remaining() {
        int forksPerRound = Math.max(1, plan.forksPerRound());
        long forks = (long) forksPerRound * roundsThatFit() - history.size();
        return roundTime().multipliedBy(Math.max(1, forks)).dividedBy(forksPerRound);
    }
}
