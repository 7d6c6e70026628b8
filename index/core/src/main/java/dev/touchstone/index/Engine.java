package dev.touchstone.index;

/** A search algorithm over one snapshot. Immutable and thread-safe. */
interface Engine {
    /** Adds the prices that match a query, in the order of segments and ordinals. The query must be compiled for this snapshot. */
    void search(PriceQuery query, Matches matches);

    /** Returns the plan by which a segment would be searched. */
    Plan plan(PriceQuery query, Segment segment);
}
