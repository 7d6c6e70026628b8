package dev.touchstone.index;

import java.util.List;
import java.util.Optional;

/**
 * An explanation of a search: its plan, the number of prices that each condition left, and how the policy chose among them.
 *
 * @param version number of the version that was searched
 * @param plan plan in the offering of the query, or in the first offering if the query has none
 * @param steps the offering first, then each condition in the order of the query
 * @param ranks for {@link MatchPolicy#SPECIFIC}, the matches by the fields that they have values of, the most specific first and at most {@value
 *     #MAX_RANKS}; empty for other policies
 */
public record Explanation(long version, Plan plan, List<Step> steps, List<Rank> ranks) {
    /** Maximum number of ranks. */
    public static final int MAX_RANKS = 100;

    /** Creates an explanation with copies of the lists. */
    public Explanation {
        steps = List.copyOf(steps);
        ranks = List.copyOf(ranks);
    }

    /**
     * Matches that are equally specific.
     *
     * @param fields names of the fields that the matches have values of, among those of {@link dev.touchstone.index.price.PriceQuery#precedence} and in
     *     its order
     * @param matches number of matches
     */
    public record Rank(List<String> fields, long matches) {
        /** Creates a rank with a copy of the names. */
        public Rank {
            fields = List.copyOf(fields);
        }
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
