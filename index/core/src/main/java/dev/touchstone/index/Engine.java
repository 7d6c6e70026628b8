package dev.touchstone.index;

/** Searches one snapshot. Immutable and thread-safe. */
interface Engine {
    /** Adds the prices that match a query, which was compiled for this snapshot, in the order of segments and ordinals. */
    void search(PriceQuery query, Matches matches);

    /** How it would search one segment. */
    Plan plan(PriceQuery query, Segment segment);
}
