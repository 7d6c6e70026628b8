package dev.touchstone.builds.agent.store;

import dev.touchstone.builds.agent.artefact.Collected;
import java.time.Duration;

/**
 * The end of an attempt. Immutable.
 *
 * @param code how it ended; not null
 * @param exitCode the script's, 128 and the signal's number if it was killed; -1 if it did not run or was stopped
 * @param message why, in one line without secrets; empty for success
 * @param pull what bringing the sources took
 * @param build what the script took
 * @param logBytes length of the readable log
 * @param truncated whether the log is only the beginning of the output
 * @param collected the artefacts; not null
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
    /** The exit code of a script that did not run or was stopped. */
    public static final int NO_EXIT_CODE = -1;

    /**
     * Creates an outcome without artefacts.
     *
     * @param code how it ended; not null
     * @param exitCode as {@link #exitCode}
     * @param message why; not null
     * @param pull what bringing the sources took; not null
     * @param build what the script took; not null
     * @param logBytes length of the readable log
     * @param truncated whether the log is only the beginning of the output
     */
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

    /**
     * Returns the outcome of an attempt that did not get to run.
     *
     * @param code how it ended; not null
     * @param message why, in one line without secrets; not null
     * @return the outcome, without log and artefacts
     */
    public static Outcome without(OutcomeCode code, String message) {
        return new Outcome(code, NO_EXIT_CODE, message, Duration.ZERO, Duration.ZERO, 0, false);
    }
}
