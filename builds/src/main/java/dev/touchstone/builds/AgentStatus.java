package dev.touchstone.builds;

import java.util.List;

/**
 * Describes a connected agent. Immutable.
 *
 * @param identity unique among the agents of a master
 * @param labels what it offers, sorted
 * @param runners programs for scripts that it has, sorted
 * @param executors number of builds that it runs at once
 * @param busy number of builds that it has
 */
public record AgentStatus(String identity, List<String> labels, List<String> runners, int executors, int busy) {
    /** Copies the lists. */
    public AgentStatus {
        labels = List.copyOf(labels);
        runners = List.copyOf(runners);
    }
}
