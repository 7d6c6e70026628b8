package dev.touchstone.messaging.dist;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The platform threads that wait for messages while another thread leads, in the order in which they came. Thread-safe. */
final class Followers {
    /*
     * Who calls:      a follower adds itself, yields or sleeps, and removes itself; any thread polls one that is to lead.
     * Invariants:     a thread that add has put is in `queue` until its own remove, unless poll has taken it out; `count` is of those
     *                 between add and remove, so it counts a thread that was polled, too.
     * Failure:        an Error between add and remove leaves a thread in the queue; who polls it wakes a thread that need not lead.
     */
    private static final int MANY = 5; // fewer leave the processors to the leader
    private static final int TOO_MANY = 64; // a thread that yields to more waits long
    private static final int YIELDS = 20;

    private final Queue<Thread> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger(); // of calls between add and remove

    void add(Thread follower) {
        int unused = count.incrementAndGet();
        queue.add(follower);
    }

    /** Takes a follower out; returns false where it was asked to lead meanwhile. */
    boolean remove(Thread follower) {
        int unused = count.decrementAndGet();
        return queue.remove(follower);
    }

    /** Takes the oldest follower out, which is to lead; null where there is none. */
    @Nullable
    Thread poll() {
        return queue.poll();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    Iterable<Thread> all() {
        return queue;
    }

    /** Yields for a moment before a follower sleeps, where there are many: waking all of them costs more than running them in turn. */
    void yieldAmongMany(BooleanSupplier goesOn) {
        int now = count.get();
        if (now >= MANY && now <= TOO_MANY) {
            for (int i = 0; i < YIELDS && goesOn.getAsBoolean(); i++) {
                Thread.yield();
            }
        }
    }
}
