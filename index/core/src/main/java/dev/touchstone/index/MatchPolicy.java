package dev.touchstone.index;

/** What to answer when several prices match. */
public enum MatchPolicy {
    /** {@link SearchResult.Ambiguous}. */
    ERROR,
    /** The first of those that are default prices; {@link SearchResult.Ambiguous} if none is. */
    DEFAULT,
    /** The first one. */
    FIRST,
    /** All, up to the query's limit. */
    ALL
}
