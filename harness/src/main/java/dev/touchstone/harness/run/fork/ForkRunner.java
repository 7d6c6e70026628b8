package dev.touchstone.harness.run.fork;

import dev.touchstone.harness.store.ForkResult;
import java.time.Duration;

/** Runs one fork. */
@FunctionalInterface
public interface ForkRunner {
    /**
     * Runs a fork and blocks until it has ended. A failure is a result with an error, not an exception.
     *
     * @param fork what to run
     * @param deadline time after which the fork is killed
     * @return the score, or the reason why there is none
     */
    ForkResult run(ForkSpec fork, Duration deadline);
}
