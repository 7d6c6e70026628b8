package dev.touchstone.builds.web;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A job, as the API answers it.
 *
 * @param owner the name of the token that has submitted it; empty for the token that all share
 * @param status the name of its status
 * @param over whether it has its result
 * @param attempt from 1; 0 before the first
 * @param agent who has it, or had it last
 * @param acceptedMillis since 1970; as the others, 0 before it was so
 * @param exitCode the script's, if it ended by itself
 * @param logBytes so far
 * @param message why it waits, or how it ended
 * @param retryOf id of the job whose request it repeats
 */
public record JobSummary(
        String id,
        String owner,
        String repository,
        String branch,
        String script,
        String runner,
        String label,
        String status,
        boolean over,
        int attempt,
        @Nullable String agent,
        long acceptedMillis,
        long startedMillis,
        long finishedMillis,
        @Nullable Integer exitCode,
        long logBytes,
        String message,
        @Nullable String retryOf) {
    /** Returns whether the job is where another says, whatever its log has. */
    boolean isSameState(JobSummary other) {
        return status.equals(other.status)
                && attempt == other.attempt
                && message.equals(other.message)
                && Objects.equals(agent, other.agent);
    }
}
