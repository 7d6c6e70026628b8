package dev.touchstone.harness.run;

import dev.touchstone.harness.store.ForkResult;
import java.time.Duration;

/** Hears of a session's progress, on the session's thread. */
public interface SessionListener {
    /** A fork starts; {@code remaining} is the expected time to the end of the run, and {@code forks} an estimate of how many there will be. */
    void forkStarts(ForkSpec fork, int done, int forks, Duration remaining);

    /** A comparison is measured no further: the budget is too short for the least number of rounds of it. */
    void dropped(Cell cell);

    /** A fork has ended and its line is on the device. */
    void forkEnded(ForkSpec fork, ForkResult result);
}
