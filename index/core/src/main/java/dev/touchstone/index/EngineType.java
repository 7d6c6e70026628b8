package dev.touchstone.index;

/** Algorithms by which an index searches. All give the same results. */
public enum EngineType {
    /** A scan of all prices of the offering, which compares strings. The only index is a map by offering. */
    MAP,
    /**
     * The scan of {@link #MAP}, but ended at the first match of a query that names all fields if the offering has no two prices under the same
     * conditions.
     */
    MAP_OPTIMIZED,
    /** A look-up by all conditions, posting lists, dense bitmaps, or bit slices, whichever suits the query. */
    OURS
}
