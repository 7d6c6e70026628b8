package dev.touchstone.harness.run.plan;

import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.store.ForkResult;
import java.time.Duration;

/** Hears of a session's progress, on the session's thread. */
public interface SessionListener {
    /**
     * Hears that a fork starts.
     *
     * @param fork the fork that is about to run
     * @param number of the fork among those of its round, from 1 on; forks that are run again do not count
     * @param forks of the round; fewer only after comparisons were {@link #dropped}
     * @param remaining expected time to the end of the run
     */
    void forkStarts(ForkSpec fork, int number, int forks, Duration remaining);

    /**
     * Hears that a cell's comparison is measured no further: the budget is too short for its least number of rounds.
     *
     * @param cell the comparison's cell; of several the first
     */
    void dropped(Cell cell);

    /**
     * Hears that a fork has ended and its line is on the device.
     *
     * @param fork the fork that ran
     * @param result its recorded result
     */
    void forkEnded(ForkSpec fork, ForkResult result);
}
