package dev.touchstone.index;

import java.util.List;
import java.util.Optional;

/**
 * An explanation of a search: its plan, and the number of prices that each condition left.
 *
 * @param version number of the version that was searched
 * @param engine algorithm of the search
 * @param plan plan in the offering of the query, or in the first offering if the query has none
 * @param steps the offering first, then each condition in the order of the query
 */
public record Explanation(long version, EngineType engine, Plan plan, List<Step> steps) {
    /** Creates an explanation with a copy of the steps. */
    public Explanation {
        steps = List.copyOf(steps);
    }

    /**
     * A condition, and the numbers of prices for which it holds.
     *
     * @param condition text of the condition
     * @param alone number of prices of the offering for which the condition holds
     * @param remaining number of prices for which this and all earlier conditions hold
     */
    public record Step(String condition, long alone, long remaining) {}

    /**
     * Returns the first step that left no price.
     *
     * @return step, or empty if some price matches
     */
    public Optional<Step> killer() {
        return steps.stream().filter(step -> step.remaining == 0).findFirst();
    }
}
