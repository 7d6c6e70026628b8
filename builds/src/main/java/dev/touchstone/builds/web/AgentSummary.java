package dev.touchstone.builds.web;

import java.util.List;

/**
 * An agent, as the API answers it.
 *
 * @param busy how many of its executors have a build
 */
public record AgentSummary(
        String identity, List<String> labels, List<String> runners, int executors, int busy, boolean connected) {
    public AgentSummary {
        labels = List.copyOf(labels);
        runners = List.copyOf(runners);
    }
}
