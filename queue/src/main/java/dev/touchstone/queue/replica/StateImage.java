package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.consume.CursorImage;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The state of a replicated queue but for its records.
 *
 * @param first sequence of the first record that belongs to it
 * @param end sequence after the last record
 * @param oldest lowest sequence that any cursor may not have consumed
 * @param nextCursor number of the next cursor
 * @param cursors all of them, the queue's own with number 0
 * @param producers last number of each, in the order of their last elements; not changed any more
 */
record StateImage(
        long first,
        long end,
        long oldest,
        long nextCursor,
        List<Cursor> cursors,
        LinkedHashMap<String, Long> producers) {

    /** A cursor with its number and name. */
    record Cursor(long number, String name, CursorImage image) {}
}
