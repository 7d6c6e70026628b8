package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/** The part of a cursor's consumption that has not been written somewhere yet. Not thread-safe. */
final class PendingConsumption {
    private final long cursor;
    private final SequenceRanges above = new SequenceRanges();
    private final TreeMap<Long, Attempt> attempts = new TreeMap<>();
    private long floor;
    private boolean floorMoved;

    PendingConsumption(long cursor) {
        this.cursor = cursor;
    }

    /** Is given entries for as long as it has room; a false answer leaves the entry pending. */
    interface Target {
        boolean consumed(long cursor, long first, long end);

        boolean attempted(long cursor, long sequence, Attempt attempt);
    }

    /**
     * Adds that the sequences from {@code first} to before {@code end} are consumed, which has moved the cursor's floor from {@code before} to
     * {@code newFloor}.
     */
    void consume(long before, long newFloor, long first, long end) {
        if (newFloor == before) {
            above.add(first, end);
            attempts.subMap(first, end).clear();
            return;
        }
        moveFloor(newFloor);
    }

    /** Adds that the sequences before {@code newFloor} are consumed. */
    void moveFloor(long newFloor) {
        if (newFloor <= floor) {
            return;
        }
        floor = newFloor;
        floorMoved = true;
        above.dropBefore(newFloor);
        if (!attempts.isEmpty()) {
            attempts.headMap(newFloor).clear();
        }
    }

    void attempt(long sequence, Attempt attempt) {
        attempts.put(sequence, attempt);
    }

    /** Forgets everything: it has been written. */
    void clear() {
        floorMoved = false;
        above.clear();
        attempts.clear();
    }

    /** Returns the number of entries. */
    int count() {
        return (floorMoved ? 1 : 0) + above.count() + attempts.size();
    }

    /** Moves entries to {@code target}; returns whether it took all. */
    boolean drainTo(Target target) {
        if (floorMoved && !target.consumed(cursor, 0, floor)) {
            return false;
        }
        floorMoved = false;
        if (!above.drainTo(range -> target.consumed(cursor, range.first(), range.end()))) {
            return false;
        }
        for (Iterator<Map.Entry<Long, Attempt>> next = attempts.entrySet().iterator(); next.hasNext(); ) {
            Map.Entry<Long, Attempt> attempt = next.next();
            if (!target.attempted(cursor, attempt.getKey(), attempt.getValue())) {
                return false;
            }
            next.remove();
        }
        return true;
    }
}
