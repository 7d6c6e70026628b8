package dev.touchstone.messaging.dist;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An unbounded queue of many producers and one consumer at a time. {@link #offer} claims a place with one instruction; {@link #poll} waits
 * for a producer only between that producer's claim and its write.
 */
public final class MailboxQueue {
    /*
     * Who calls:      offer: any thread. poll, isEmpty: one thread at a time, whose turns happen one before the other.
     * Layout:         places are numbered; each chunk has those of 32, and a link to the next, which the first producer to use the
     *                 chunk makes. Chunks are short-lived, since writing a reference to a young object into an old one costs a fence.
     * Invariants:     places before `taken` are empty; the consumer's chunk is never behind a place that is not taken, so a producer
     *                 finds its chunk from there. A chunk that the consumer has left links to itself.
     * Failure:        a producer that gets no memory has claimed nothing, since the chunk behind the newest is made before: only 32
     *                 producers that stop between that and their claim could use it up. A producer whose stack overflows has added its item
     *                 where it has claimed a place, since the consumer waits for that; a consumer's has taken nothing.
     * Ordering:       offer happens-before the poll that returns its item. The claim is a full fence, so what a producer reads after
     *                 offer is newer than what the consumer wrote before it last found the queue empty.
     */
    private static final int PLACES = 32;
    private static final int SHIFT = 5;
    private static final int SPINS = 1000;

    private static final VarHandle CLAIMED;
    private static final VarHandle TAKEN;
    private static final VarHandle NEXT;
    private static final VarHandle NEWEST;
    private static final VarHandle ITEMS = MethodHandles.arrayElementVarHandle(Object[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLAIMED = lookup.findVarHandle(MailboxQueue.class, "claimed", long.class);
            TAKEN = lookup.findVarHandle(MailboxQueue.class, "taken", long.class);
            NEWEST = lookup.findVarHandle(MailboxQueue.class, "newest", Chunk.class);
            NEXT = lookup.findVarHandle(Chunk.class, "next", Chunk.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile Chunk oldest = new Chunk(0); // the consumer's
    private long taken; // written by the consumer
    private volatile Chunk newest = oldest; // or one of those before it: where producers look first
    private volatile long claimed;

    private static final class Chunk {
        final long number;
        final @Nullable Object[] items = new @Nullable Object[PLACES];
        volatile @Nullable Chunk next;

        Chunk(long number) {
            this.number = number;
        }
    }

    /**
     * Adds an item behind all that were added before.
     *
     * @param item the item, which {@link #poll} returns later
     * @return its place: the number of items that were added before
     */
    public long offer(Object item) {
        Chunk last = newest;
        if (last.next == null) {
            NEXT.compareAndSet(last, null, new Chunk(last.number + 1));
        }
        long place = (long) CLAIMED.getAndAdd(this, 1L);
        try {
            Chunk chunk = last.number == place >> SHIFT ? last : find(place >> SHIFT);
            ITEMS.setRelease(chunk.items, (int) place & (PLACES - 1), item);
        } catch (Throwable e) { // without a call: the stack has overflowed
            Chunk chunk = oldest;
            while (chunk != null && chunk.number != place >> SHIFT) {
                Chunk next = chunk.next;
                chunk = next == chunk ? oldest : next;
            }
            if (chunk != null) {
                chunk.items[(int) place & (PLACES - 1)] = item;
            }
            throw e;
        }
        return place;
    }

    private Chunk find(long number) {
        Chunk chunk = newest;
        if (chunk.number > number) {
            chunk = oldest;
        }
        while (chunk.number < number) {
            Chunk next = chunk.next;
            if (next == null) {
                Chunk made = new Chunk(chunk.number + 1);
                next = NEXT.compareAndSet(chunk, null, made) ? made : chunk.next;
            }
            chunk = next == null || next.number == chunk.number ? oldest : next;
        }
        for (Chunk last = newest; last.number < number && !NEWEST.compareAndSet(this, last, chunk); ) {
            last = newest;
        }
        return chunk;
    }

    /**
     * Takes the oldest item.
     *
     * @return the item; null where there is none
     */
    public @Nullable Object poll() {
        long place = taken;
        Chunk chunk = oldest;
        if (chunk.number != place >> SHIFT) {
            if (place == claimed) {
                return null;
            }
            chunk = leave(chunk);
        }
        int at = (int) place & (PLACES - 1);
        Object item = ITEMS.getAcquire(chunk.items, at);
        if (item == null) {
            if (place == claimed) {
                return null;
            }
            item = awaitItem(chunk, at);
        }
        TAKEN.setOpaque(this, place + 1); // first: where the stack overflows here, nothing has changed
        chunk.items[at] = null;
        return item;
    }

    /**
     * Returns the number of items that were taken.
     *
     * @return the number; to other threads than the consumer's possibly an earlier one
     */
    public long taken() {
        return (long) TAKEN.getOpaque(this);
    }

    /**
     * Returns the number of items that were added.
     *
     * @return the number, with items whose {@link #offer} has not returned yet
     */
    public long added() {
        return claimed;
    }

    /**
     * Returns whether no item was added since the last was taken.
     *
     * @return true if {@link #poll} would return null
     */
    public boolean isEmpty() {
        return taken == claimed;
    }

    /** Goes to the next chunk, which a producer has made or is about to. */
    private Chunk leave(Chunk chunk) {
        Chunk next = chunk.next;
        for (int spins = 0; next == null; next = chunk.next) {
            spins = pause(spins);
        }
        oldest = next;
        chunk.next = chunk;
        return next;
    }

    private static Object awaitItem(Chunk chunk, int at) {
        Object item = ITEMS.getAcquire(chunk.items, at);
        for (int spins = 0; item == null; item = ITEMS.getAcquire(chunk.items, at)) {
            spins = pause(spins);
        }
        return item;
    }

    private static int pause(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        return spins + 1;
    }
}
