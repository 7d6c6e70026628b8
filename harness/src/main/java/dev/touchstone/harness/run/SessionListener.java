package dev.touchstone.harness.run;

import dev.touchstone.harness.store.ForkResult;
import java.time.Duration;

/** Hears of a session's progress, on the session's thread. */
public interface SessionListener {
    /** A fork starts; {@code remaining} is the expected time to the end of the run, and {@code forks} an estimate of how many there will be. */
    void forkStarts(ForkSpec fork, int done, int forks, Duration remaining);

    /** A fork has ended and its line is on the device. */
    void forkEnded(ForkSpec fork, ForkResult result);
}
