package dev.touchstone.index;

import java.util.List;
import java.util.Optional;

/**
 * How a query was searched, and which of its conditions left how many prices.
 *
 * @param version of the index
 * @param engine that searched
 * @param plan in the offering that was asked for, or in the first one if none was
 * @param steps the offering first, then each condition in the order of the query
 */
public record Explanation(long version, EngineType engine, Plan plan, List<Step> steps) {
    public Explanation {
        steps = List.copyOf(steps);
    }

    /**
     * One condition.
     *
     * @param condition as text
     * @param alone how many prices of the offering it holds for
     * @param remaining how many it left of those that the steps before had left
     */
    public record Step(String condition, long alone, long remaining) {}

    /** The step that left nothing; empty if some price matches. */
    public Optional<Step> killer() {
        return steps.stream().filter(step -> step.remaining == 0).findFirst();
    }
}
