package dev.touchstone.queue.inspect;

/**
 * A cursor.
 *
 * @param name empty for the queue's own
 * @param floor sequence below which everything is consumed
 * @param gaps number of ranges above the floor that are consumed already
 * @param unconsumed number of elements from there on that are not
 * @param attempted how many of these were handed out before, as far as that is on disk
 */
public record FoundCursor(String name, long floor, int gaps, long unconsumed, int attempted) {}
