package dev.touchstone.builds.agent;

import java.util.Optional;

/**
 * An attempt of an earlier life of this agent. None of its processes runs any more; its log can be read.
 *
 * @param outcome how it ended; empty if the agent died first
 * @param logBytes length of the readable log
 */
public record Leftover(String jobId, int attempt, long epoch, Optional<Outcome> outcome, long logBytes) {}
