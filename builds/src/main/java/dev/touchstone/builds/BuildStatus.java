package dev.touchstone.builds;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of a job at one moment. Immutable.
 *
 * @param jobId the job
 * @param phase how far it is
 * @param reason why it waits, or what its agent does; may be empty
 * @param agent that has it; empty if none has
 * @param attempt how often an agent was given it, this time included
 * @param accepted when the master took it
 * @param logBytes length of the log that the master has now
 * @param output how its sink is doing; may be empty
 * @param result how it ended, if it has
 * @param retryOf id of the job whose request it repeats; empty for none
 */
public record BuildStatus(
        String jobId,
        Phase phase,
        String reason,
        String agent,
        int attempt,
        Instant accepted,
        long logBytes,
        String output,
        Optional<BuildResult> result,
        Optional<String> retryOf) {
    /** The phases of a job, in order; a lost agent leads from {@link #DISCONNECTED} back to {@link #QUEUED}. */
    public enum Phase {
        /** Waits for an executor. */
        QUEUED,
        /** An agent has it. */
        ASSIGNED,
        /** Its agent is not connected, and may come back. */
        DISCONNECTED,
        /** It has ended; its log is on its way. */
        FINISHING,
        /** There is a result. */
        FINISHED
    }
}
