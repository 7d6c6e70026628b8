package dev.touchstone.queue.micrometer;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueCursor;
import dev.touchstone.queue.QueueStats;
import java.util.HashMap;
import java.util.Map;

/**
 * The figures of a queue at one time; immutable.
 *
 * @param nanos time of the registry's monotonic clock when they were read
 * @param stats counters of the queue
 * @param cursors figures of each named cursor by its name
 */
record QueueReading(long nanos, QueueStats stats, Map<String, CursorReading> cursors) {

    /**
     * The figures of a named cursor.
     *
     * @param size number of elements that it has not removed
     * @param leased number of elements on lease from it
     */
    record CursorReading(long size, int leased) {}

    /** Reads a queue, which may be closed. */
    static QueueReading of(DiskQueue<?> queue, long nanos) {
        Map<String, CursorReading> cursors = new HashMap<>();
        for (String name : queue.cursorNames()) {
            QueueCursor<?> cursor = queue.findCursor(name); // cursor(name) would make it again if it is dropped now
            if (cursor != null) {
                cursors.put(name, new CursorReading(cursor.longSize(), cursor.leased()));
            }
        }
        return new QueueReading(nanos, queue.stats(), Map.copyOf(cursors));
    }
}
