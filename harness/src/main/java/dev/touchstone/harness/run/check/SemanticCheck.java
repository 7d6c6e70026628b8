package dev.touchstone.harness.run.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Evidence that a benchmark does the work that it times, from effects of that work and never from a count of the subject's own. */
public interface SemanticCheck {
    /**
     * Returns the effects that the check observes and the observer of each.
     *
     * @return a phrase without a full stop
     */
    String observes();

    /**
     * Returns whether the check reads the {@linkplain ForceTrace trace of forces}, so that its JVM has to run below {@code strace}.
     *
     * @return false unless overridden
     */
    default boolean needsForceTrace() {
        return false;
    }

    /**
     * Returns what this machine keeps the check from observing.
     *
     * @return a phrase with the remedy; empty if everything is observed
     */
    default Optional<String> unobserved() {
        return Optional.empty();
    }

    /**
     * Does a little of the work and observes its effects. Interrupted when the deadline of the check has passed.
     *
     * @param dataFolder an empty folder of this check's own
     * @throws CheckFailedException if the work was not done
     * @throws IOException if the work could not be done
     */
    void run(Path dataFolder) throws CheckFailedException, IOException;
}
