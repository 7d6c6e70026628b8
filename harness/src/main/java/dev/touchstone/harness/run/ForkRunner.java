package dev.touchstone.harness.run;

import dev.touchstone.harness.store.ForkResult;
import java.time.Duration;

/** Runs one fork. */
@FunctionalInterface
public interface ForkRunner {
    /** Blocks until the fork has ended or been killed at the deadline; what went wrong stands in the result. */
    ForkResult run(ForkSpec fork, Duration deadline);
}
