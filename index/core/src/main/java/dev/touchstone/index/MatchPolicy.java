package dev.touchstone.index;

/** Policies for the result of a search if several prices match. */
public enum MatchPolicy {
    /** The result is {@link SearchResult.Ambiguous}. */
    ERROR,
    /** The result is the first match that is a default price, or {@link SearchResult.Ambiguous} if none is. */
    DEFAULT,
    /** The result is the first match. */
    FIRST,
    /** The result is all matches, up to the limit of the query. */
    ALL
}
