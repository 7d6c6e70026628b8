package dev.touchstone.harness.run.plan;

import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.fork.ForkRunner;
import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.store.Calibration;
import dev.touchstone.harness.store.ForkLog;
import dev.touchstone.harness.store.ForkResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan fork by fork, each recorded before the next starts, and stops in time. One thread runs it; {@link #interrupt} may come from any.
 *
 * <p>The budget is kept by not starting what will not end within it: beyond the least number of rounds a round starts only if all of it fits,
 * before that a comparison only if all of it fits, and always a fork only if it fits. What has started is never ended for the budget's sake. How
 * long a cell takes is learned from its own forks. A plan with looks goes on with as many comparisons as can still have the rounds without which
 * nothing can be decided, because fewer rounds of all would show nothing of any. At each look the cells that are decided end.
 */
public final class Session {
    /** Beyond this a fork hangs: nothing that is only slow takes so much longer than planned. */
    private static final Duration HANG_GRACE = Duration.ofMinutes(2);

    private static final int HANG_TIMES_EXPECTED = 10;
    /** A signal to the whole process group may end a fork before this process hears of it. */
    private static final long INTERRUPT_MILLIS = 500;

    private final Plan plan;
    private final ForkRunner runner;
    private final ForkLog log;
    private final SessionListener listener;
    private final Calibration limits;
    private final LongSupplier nanoClock;
    private final RecordedForks history;
    private final long startNanos;
    private final CountDownLatch interruption = new CountDownLatch(1);
    private final Decisions decisions;
    private final Set<Cell> dropped = new HashSet<>();
    private final Set<String> decided = new HashSet<>();
    /** Rounds that are over. */
    private int done;

    /**
     * Creates a session; its time starts now.
     *
     * @param plan the forks of each round
     * @param runner runs each fork
     * @param log records each result; the caller closes it
     * @param recorded forks that the log holds already and that are not run again
     * @param listener hears of the progress
     * @param calibration limits of the noise that counts as a disturbance on this machine
     * @param decisions asked at each look of the plan
     * @param nanoClock monotonic clock in nanoseconds
     */
    public Session(
            Plan plan,
            ForkRunner runner,
            ForkLog log,
            List<ForkResult> recorded,
            SessionListener listener,
            Calibration calibration,
            Decisions decisions,
            LongSupplier nanoClock) {
        this.plan = plan;
        this.runner = runner;
        this.log = log;
        this.listener = listener;
        this.limits = plan.comparesBuilds() ? calibration.ofOthersOnly() : calibration;
        this.decisions = decisions;
        this.nanoClock = nanoClock;
        this.history = new RecordedForks(plan, recorded);
        this.startNanos = nanoClock.getAsLong();
    }

    /** Asks for the end: the running fork's result is not recorded, since its death was not its own doing. */
    public void interrupt() {
        interruption.countDown();
    }

    /**
     * Runs the rest of the plan, until it is complete, does not fit the budget or is interrupted.
     *
     * @return the reason for the end, with complete rounds and failed forks
     * @throws IOException if a result cannot be recorded, or recorded ones cannot be read
     */
    public Outcome run() throws IOException {
        for (done = 0; done < plan.settings().maxRounds() && !notDropped().isEmpty(); done++) {
            if (!owed() && !fits(pending(kept(), done))) {
                return outcome(Outcome.End.BUDGET);
            }
            for (List<ForkSpec> comparison : undecided(plan.round(done))) {
                Outcome.End end = drops(comparison) ? Outcome.End.COMPLETE : complete(comparison);
                if (end != Outcome.End.COMPLETE) {
                    return outcome(end);
                }
            }
            if (plan.looks().contains(done + 1)) {
                decided.addAll(decisions.decided());
            }
        }
        return outcome(Outcome.End.COMPLETE);
    }

    /** Returns whether this round is one of those without which nothing is shown. */
    private boolean owed() {
        return done < plan.owedRounds();
    }

    /** Decides at a comparison's turn whether it goes on; what has missed a round does not come back. */
    private boolean drops(List<ForkSpec> comparison) {
        Cell cell = comparison.get(0).cell();
        if (kept().stream().flatMap(List::stream).anyMatch(fork -> fork.cell().equals(cell))) {
            return false;
        }
        if (dropped.add(cell)) {
            listener.dropped(cell);
        }
        return true;
    }

    /** The comparisons that go on: of a stage the first that can have the least number of rounds within the budget, at least one. */
    private List<List<ForkSpec>> kept() {
        List<List<ForkSpec>> left = notDropped();
        if ((!plan.comparesBuilds() && plan.looks().isEmpty()) || !owed()) {
            return left;
        }
        List<List<ForkSpec>> kept = new ArrayList<>();
        List<ForkSpec> forks = new ArrayList<>();
        for (List<ForkSpec> comparison : left) {
            List<ForkSpec> with = new ArrayList<>(forks);
            for (int round = done; round < plan.owedRounds(); round++) {
                with.addAll(pending(List.of(comparison), round));
            }
            if (kept.isEmpty() || fits(with)) {
                kept.add(comparison);
                forks = with;
            }
        }
        return kept;
    }

    private List<List<ForkSpec>> notDropped() {
        return undecided(plan.comparisons()).stream()
                .filter(comparison -> comparison.stream().noneMatch(fork -> dropped.contains(fork.cell())))
                .toList();
    }

    /** Returns what is left of the comparisons without the cells that are decided. */
    private List<List<ForkSpec>> undecided(List<List<ForkSpec>> comparisons) {
        return comparisons.stream()
                .map(comparison -> comparison.stream()
                        .filter(fork -> !decided.contains(fork.cell().id()))
                        .toList())
                .filter(comparison -> !comparison.isEmpty())
                .toList();
    }

    private List<ForkSpec> pending(List<List<ForkSpec>> comparisons, int round) {
        return comparisons.stream()
                .map(comparison -> comparison.stream()
                        .map(fork -> fork.at(round, fork.order()))
                        .toList())
                .flatMap(forks -> history.pending(forks, 0).stream())
                .toList();
    }

    /** Returns the forks that are expected to run: all that are pending of this round, and those of further rounds that fit the budget. */
    private List<ForkSpec> ahead() {
        List<List<ForkSpec>> kept = kept();
        List<ForkSpec> ahead = new ArrayList<>(pending(kept, done));
        for (int round = done + 1; round < plan.settings().maxRounds(); round++) {
            List<ForkSpec> with = new ArrayList<>(ahead);
            with.addAll(pending(kept, round));
            if (!fits(with)) {
                break;
            }
            ahead = with;
        }
        return ahead;
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

    private Outcome.End runAll(List<ForkSpec> forks) throws IOException {
        for (int i = 0; i < forks.size(); i++) {
            ForkSpec fork = forks.get(i);
            if (interrupted()) {
                return Outcome.End.INTERRUPTED;
            }
            if (!fits(List.of(fork))) {
                return Outcome.End.BUDGET;
            }
            List<ForkSpec> ahead = new ArrayList<>(ahead());
            if (fork.rerun() > 0) {
                ahead.addAll(forks.subList(i, forks.size()));
            }
            List<List<ForkSpec>> told = notDropped();
            int ofRound = told.stream().mapToInt(List::size).sum();
            int number = ofRound - pending(told, done).size() + (fork.rerun() > 0 ? 0 : 1);
            listener.forkStarts(fork, number, ofRound, history.expected(ahead));
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
        return result.dirtied(limits.complaint(result.cell(), result.noise()).orElse(null));
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

    private Outcome outcome(Outcome.End end) {
        return new Outcome(end, done, history.failed());
    }

    private boolean fits(List<ForkSpec> forks) {
        Duration left = budgetLeft();
        return left == null || history.expected(forks).compareTo(left) <= 0;
    }

    private static Duration hangLimit(ForkSpec fork) {
        return fork.expected().multipliedBy(HANG_TIMES_EXPECTED).plus(HANG_GRACE);
    }

    private @Nullable Duration budgetLeft() {
        Duration budget = plan.settings().budget();
        return budget == null ? null : budget.minus(history.earlier()).minus(elapsed());
    }

    private Duration elapsed() {
        return Duration.ofNanos(nanoClock.getAsLong() - startNanos);
    }

    /** Source of the cells that need no further forks. */
    @FunctionalInterface
    public interface Decisions {
        /**
         * Judges the forks recorded so far.
         *
         * @return ids of the cells that are decided
         * @throws IOException if the forks cannot be read
         */
        Set<String> decided() throws IOException;
    }
}
