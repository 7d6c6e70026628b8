package dev.touchstone.builds.wire;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.wire.v1.Wire;
import java.time.Duration;

/**
 * The end of a job or an attempt. Immutable.
 *
 * @param pullNanos how long fetching took
 * @param buildNanos how long the script took
 * @param artefacts number of files that the master has stored, or is to get
 * @param artefactBytes bytes of these files together
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
        boolean truncated,
        int artefacts,
        long artefactBytes) {
    /** Creates an ending without artefacts. */
    public Ending(
            BuildCode code,
            int exitCode,
            String message,
            long pullNanos,
            long buildNanos,
            int attempts,
            String agent,
            long logBytes,
            boolean truncated) {
        this(code, exitCode, message, pullNanos, buildNanos, attempts, agent, logBytes, truncated, 0, 0);
    }

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
                .setArtefacts(artefacts)
                .setArtefactBytes(artefactBytes)
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
                message.getTruncated(),
                (int) Checks.natural("ending's artefacts", message.getArtefacts()),
                Checks.natural("ending's bytes of artefacts", message.getArtefactBytes()));
    }

    /** Returns this ending with another message. */
    public Ending withMessage(String text) {
        return new Ending(
                code,
                exitCode,
                text,
                pullNanos,
                buildNanos,
                attempts,
                agent,
                logBytes,
                truncated,
                artefacts,
                artefactBytes);
    }

    /** Returns this ending of a job whose log has so many bytes; the same object if it says so. */
    public Ending withLogBytes(long bytes) {
        return bytes == logBytes
                ? this
                : new Ending(
                        code,
                        exitCode,
                        message,
                        pullNanos,
                        buildNanos,
                        attempts,
                        agent,
                        bytes,
                        truncated,
                        artefacts,
                        artefactBytes);
    }

    /** Returns this ending of a job whose artefacts are stored. */
    public Ending withArtefacts(int count, long bytes) {
        return new Ending(
                code, exitCode, message, pullNanos, buildNanos, attempts, agent, logBytes, truncated, count, bytes);
    }

    /**
     * Returns this ending of a job whose artefacts are lost: a script that succeeded has failed then.
     *
     * @param failure code of such a job; not null
     */
    public Ending withoutArtefacts(BuildCode failure, String reason) {
        boolean isLost = code == BuildCode.OK;
        String text = (message.isEmpty() ? "" : message + "; ") + "artefacts are missing: " + reason;
        return new Ending(
                isLost ? failure : code,
                isLost ? -1 : exitCode,
                text.substring(0, Math.min(text.length(), Checks.MAX_TEXT)),
                pullNanos,
                buildNanos,
                attempts,
                agent,
                logBytes,
                truncated);
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
                truncated,
                artefacts,
                artefactBytes);
    }
}
