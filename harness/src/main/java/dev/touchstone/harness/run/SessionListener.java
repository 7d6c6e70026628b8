package dev.touchstone.harness.run;

import dev.touchstone.harness.store.ForkResult;
import java.time.Duration;

/** Hears of a session's progress, on the session's thread. */
public interface SessionListener {
    /**
     * Hears that a fork starts.
     *
     * @param number of the fork among those of its round, from 1 on; forks that are run again do not count
     * @param forks of the round; fewer only after comparisons were {@link #dropped}
     * @param remaining expected time to the end of the run
     */
    void forkStarts(ForkSpec fork, int number, int forks, Duration remaining);

    /** A comparison is measured no further: the budget is too short for the least number of rounds of it. */
    void dropped(Cell cell);

    /** A fork has ended and its line is on the device. */
    void forkEnded(ForkSpec fork, ForkResult result);
}
