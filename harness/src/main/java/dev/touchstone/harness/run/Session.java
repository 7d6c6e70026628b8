package dev.touchstone.harness.run;

import dev.touchstone.harness.store.ForkLog;
import dev.touchstone.harness.store.ForkResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a plan fork by fork, each recorded before the next starts, and stops in time. One thread runs it; {@link #interrupt} may come from any.
 *
 * <p>The budget is kept by not starting what will not end within it: beyond the least number of rounds a round starts only if all of it fits, and
 * before that a comparison starts only if all of it fits. How long a cell takes is learned from its own forks.
 */
public final class Session {
    private static final Duration GRACE = Duration.ofSeconds(60);
    private static final int TIMES_EXPECTED = 4;

    private final Plan plan;
    private final ForkRunner runner;
    private final ForkLog log;
    private final SessionListener listener;
    private final LongSupplier nanoClock;
    private final History history;
    private final long startNanos;
    private volatile boolean interrupted;

    /** @param recorded forks that the log holds already and that are not run again */
    public Session(
            Plan plan,
            ForkRunner runner,
            ForkLog log,
            List<ForkResult> recorded,
            SessionListener listener,
            LongSupplier nanoClock) {
        this.plan = plan;
        this.runner = runner;
        this.log = log;
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.history = new History(recorded);
        this.startNanos = nanoClock.getAsLong();
    }

    /** Asks for the end: the running fork's result is not recorded, since its death was not its own doing. */
    public void interrupt() {
        interrupted = true;
    }

    /** Runs what is left of the plan. @throws IOException if a result could not be recorded */
    public Outcome run() throws IOException {
        for (int round = 0; round < plan.settings().maxRounds(); round++) {
            List<List<ForkSpec>> comparisons = history.pending(plan.round(round));
            boolean optional = round >= plan.settings().minRounds();
            if (optional && !fits(comparisons.stream().flatMap(List::stream).toList())) {
                return outcome(Outcome.End.BUDGET, round);
            }
            for (List<ForkSpec> comparison : comparisons) {
                if (interrupted) {
                    return outcome(Outcome.End.INTERRUPTED, round);
                }
                if (!fits(comparison)) {
                    return outcome(Outcome.End.BUDGET, round);
                }
                if (!runAll(comparison)) {
                    return outcome(Outcome.End.INTERRUPTED, round);
                }
            }
        }
        return outcome(Outcome.End.COMPLETE, plan.settings().maxRounds());
    }

    private boolean runAll(List<ForkSpec> comparison) throws IOException {
        for (ForkSpec fork : comparison) {
            if (interrupted) {
                return false;
            }
            int total = plan.cellIds().size() * roundsThatFit();
            listener.forkStarts(fork, history.size(), Math.max(total, history.size() + 1), remaining());
            ForkResult result = runner.run(fork, deadline(fork));
            if (interrupted) {
                return false;
            }
            log.append(result);
            history.add(result);
            listener.forkEnded(fork, result);
        }
        return true;
    }

    private Outcome outcome(Outcome.End end, int rounds) {
        return new Outcome(end, rounds, history.failed());
    }

    private boolean fits(List<ForkSpec> forks) {
        Duration left = budgetLeft();
        return left == null || history.expected(forks).compareTo(left) <= 0;
    }

    private Duration deadline(ForkSpec fork) {
        Duration patience = fork.expected().multipliedBy(TIMES_EXPECTED).plus(GRACE);
        Duration left = budgetLeft();
        return left == null || patience.compareTo(left) <= 0 ? patience : left;
    }

    private @Nullable Duration budgetLeft() {
        Duration budget = plan.settings().budget();
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
        int max = plan.settings().maxRounds();
        if (left == null) {
            return max;
        }
        long roundMillis = Math.max(1, roundTime().toMillis());
        long forksLeft = left.toMillis() * plan.cellIds().size() / roundMillis;
        long rounds = (history.size() + forksLeft) / Math.max(1, plan.cellIds().size());
        return (int) Math.min(max, Math.max(1, rounds));
    }

    private Duration remaining() {
        int cells = Math.max(1, plan.cellIds().size());
        long forks = (long) cells * roundsThatFit() - history.size();
        return roundTime().multipliedBy(Math.max(1, forks)).dividedBy(cells);
    }
}
