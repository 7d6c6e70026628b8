package dev.touchstone.builds;

import java.time.Duration;

/**
 * The result of a job, of which there is one for each. Immutable.
 *
 * @param jobId the job
 * @param code how it ended
 * @param exitCode the script's, where {@link BuildCode#SCRIPT_FAILED}; else 0 where it succeeded and -1 where it did not
 * @param message one line for people; may be empty
 * @param pull how long fetching the sources took
 * @param build how long the script took
 * @param attempts how often an agent was given it
 * @param agent the last of them; empty if none was
 * @param logBytes length of the log that the master has
 * @param truncated whether the log is not all that the script printed
 * @param artefacts number of files that the master has stored; the message says why some are missing
 * @param artefactBytes bytes of these files together
 */
public record BuildResult(
        String jobId,
        BuildCode code,
        int exitCode,
        String message,
        Duration pull,
        Duration build,
        int attempts,
        String agent,
        long logBytes,
        boolean truncated,
        int artefacts,
        long artefactBytes) {
    /**
     * Returns whether the job succeeded.
     *
     * @return true if the code is {@link BuildCode#OK}
     */
    public boolean isSuccess() {
        return code == BuildCode.OK;
    }
}
