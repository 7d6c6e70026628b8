package dev.touchstone.index;

/** How an index searches. All answer alike. */
public enum EngineType {
    /** Looks at each price of the offering and compares strings: no index but a map by offering. */
    MAP,
    /** As {@link #MAP}, but stops at the first match of a query that names all fields. */
    MAP_OPTIMIZED,
    /** A Roaring bitmap for each value of each attribute over all prices, and the intersection of them. Made anew for each update. */
    ROARING,
    /** A look-up by all conditions, posting lists, dense bitmaps or bit slices, whichever suits the query. */
    OURS
}
