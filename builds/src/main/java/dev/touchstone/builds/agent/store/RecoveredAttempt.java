package dev.touchstone.builds.agent.store;

import java.util.Optional;

/**
 * An attempt of an earlier life of this agent. None of its processes runs any more; its log can be read.
 *
 * @param jobId id of the job; not null
 * @param attempt number of the attempt, 1 for the first
 * @param epoch the master's epoch of the attempt
 * @param outcome how it ended; empty if the agent died first
 * @param logBytes length of the readable log
 */
public record RecoveredAttempt(String jobId, int attempt, long epoch, Optional<Outcome> outcome, long logBytes) {}
