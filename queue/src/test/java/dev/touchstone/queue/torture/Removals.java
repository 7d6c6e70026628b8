package dev.touchstone.queue.torture;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Removals by one cursor of one producer's elements, of which at most {@link #WINDOW} are in the queue at once. Thread-safe: an element's
 * slot is written by the thread whose acknowledgement counted.
 */
final class Removals {
    static final int WINDOW = 1 << 15;

    private final AtomicLongArray indices = new AtomicLongArray(WINDOW);
    private final AtomicLongArray nanos = new AtomicLongArray(WINDOW);
    private final AtomicLong count = new AtomicLong();

    /** Notes that an acknowledgement counted; returns false where another one had counted before. */
    boolean remove(long index) {
        int slot = (int) (index % WINDOW);
        long before = indices.get(slot);
        if (before >= index) {
            return false;
        }
        nanos.set(slot, System.nanoTime());
        count.incrementAndGet();
        return indices.compareAndSet(slot, before, index);
    }

    /** Returns whether the element was removed before {@code time}, as far as its slot still tells. */
    boolean wasRemovedBefore(long index, long time) {
        int slot = (int) (index % WINDOW);
        return indices.get(slot) == index && nanos.get(slot) - time < 0;
    }

    long count() {
        return count.get();
    }
}
