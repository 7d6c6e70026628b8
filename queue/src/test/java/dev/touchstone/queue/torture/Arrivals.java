package dev.touchstone.queue.torture;

import java.util.HashSet;
import java.util.Set;

/** Which elements of one producer have been taken, by however many consumers: each index from 1 on exactly once. Thread-safe. */
final class Arrivals {
    private final Set<Long> ahead = new HashSet<>();
    private long allUpTo;
    private long twice;

    synchronized void add(long index) {
        if (index <= allUpTo || !ahead.add(index)) {
            twice++;
            return;
        }
        while (ahead.remove(allUpTo + 1)) {
            allUpTo++;
        }
    }

    /** Elements of the first {@code offered} that were never taken. */
    synchronized long lost(long offered) {
        return offered - allUpTo - ahead.size();
    }

    synchronized long duplicated() {
        return twice;
    }
}
