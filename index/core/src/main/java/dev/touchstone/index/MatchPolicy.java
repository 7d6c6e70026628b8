package dev.touchstone.index;

/**
 * Policies for the result of a search if several prices match. Matches are in the order of their offerings, and within an offering in the order in which
 * prices arrived; see {@link dev.touchstone.index.price.PriceBatch#put}.
 */
public enum MatchPolicy {
    /** The result is {@link dev.touchstone.index.price.SearchResult.Ambiguous}. */
    ERROR,
    /** The result is the first match that is a default price, or {@link dev.touchstone.index.price.SearchResult.Ambiguous} if none is. */
    DEFAULT,
    /**
     * The result is the match with the most specific conditions. A match is more specific than another one if it has a value of the first field, in the
     * order of {@link dev.touchstone.index.price.PriceQuery#precedence}, of which only one of both has a value. Among equally specific matches, the
     * result is the first that is a default price, or {@link dev.touchstone.index.price.SearchResult.Ambiguous} if none is.
     */
    SPECIFIC,
    /** The result is the first match. */
    FIRST,
    /** The result is all matches, up to the limit of the query. */
    ALL
}
