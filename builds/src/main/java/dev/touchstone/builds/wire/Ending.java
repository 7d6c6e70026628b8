package dev.touchstone.builds.wire;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.wire.v1.Wire;
import java.time.Duration;

/**
 * How a job or an attempt ended.
 *
 * @param pullNanos how long fetching took
 * @param buildNanos how long the script took
 */
public record Ending(
        BuildCode code,
        int exitCode,
        String message,
        long pullNanos,
        long buildNanos,
        int attempts,
        String agent,
        long logBytes,
        boolean truncated) {
    /** Returns the ending as a message. */
    public Wire.Ending toMessage() {
        return Wire.Ending.newBuilder()
                .setCode(code.number())
                .setExitCode(exitCode)
                .setMessage(message)
                .setPullNanos(pullNanos)
                .setBuildNanos(buildNanos)
                .setAttempts(attempts)
                .setAgent(agent)
                .setLogBytes(logBytes)
                .setTruncated(truncated)
                .build();
    }

    /**
     * Returns the ending that a message has.
     *
     * @throws WireException if it has values that it may not have
     */
    public static Ending of(Wire.Ending message) {
        return new Ending(
                Checks.code(message.getCode()),
                message.getExitCode(),
                Checks.text("ending's message", message.getMessage(), Checks.MAX_TEXT),
                Checks.natural("ending's time of fetching", message.getPullNanos()),
                Checks.natural("ending's time of the script", message.getBuildNanos()),
                (int) Checks.natural("ending's attempts", message.getAttempts()),
                Checks.text("ending's agent", message.getAgent(), Checks.MAX_TEXT),
                Checks.natural("ending's bytes of log", message.getLogBytes()),
                message.getTruncated());
    }

    /** Returns this ending with another message. */
    public Ending withMessage(String text) {
        return new Ending(code, exitCode, text, pullNanos, buildNanos, attempts, agent, logBytes, truncated);
    }

    /** Returns the result of a job. */
    public BuildResult toResult(String jobId) {
        return new BuildResult(
                jobId,
                code,
                exitCode,
                message,
                Duration.ofNanos(pullNanos),
                Duration.ofNanos(buildNanos),
                attempts,
                agent,
                logBytes,
                truncated);
    }
}
