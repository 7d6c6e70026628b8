package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.artefact.Collected;
import java.time.Duration;

/**
 * How an attempt ended.
 *
 * @param exitCode the script's, 128 and the signal's number if it was killed; -1 if it did not run or was stopped
 * @param message why, in one line without secrets; empty for success
 * @param pull what bringing the sources took
 * @param build what the script took
 * @param logBytes length of the readable log
 * @param truncated whether the log is only the beginning of the output
 * @param collected the artefacts
 */
public record Outcome(
        OutcomeCode code,
        int exitCode,
        String message,
        Duration pull,
        Duration build,
        long logBytes,
        boolean truncated,
        Collected collected) {
    /** Creates an outcome without artefacts. */
    public Outcome(
            OutcomeCode code,
            int exitCode,
            String message,
            Duration pull,
            Duration build,
            long logBytes,
            boolean truncated) {
        this(code, exitCode, message, pull, build, logBytes, truncated, Collected.NONE);
    }

    static final int NO_EXIT_CODE = -1;

    /** Of an attempt that did not get to run. */
    static Outcome without(OutcomeCode code, String message) {
        return new Outcome(code, NO_EXIT_CODE, message, Duration.ZERO, Duration.ZERO, 0, false);
    }
}
