package dev.touchstone.builds.web;

import java.util.List;

/**
 * One agent, as a line of the page.
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
