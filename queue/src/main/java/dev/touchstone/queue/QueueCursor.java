package dev.touchstone.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One position of consumption in a queue: the queue's own, or a named one of several that each get every element.
 *
 * <p><b>Threads.</b> Any number of threads may call every method; each element is handed out to one of them.
 *
 * <p><b>At most once or at least once.</b> {@link #poll} removes the element before the caller has processed it. {@link #lease} hands
 * it out and removes it when it is acknowledged; an element that is not, because the consumer gave it back, took too long, or the
 * process ended, is handed out again.
 *
 * <p><b>Durability of removals.</b> In a written or synced queue a removal survives a killed process when the call returns, in whatever
 * order elements are removed. A power cut can undo those since the last element was appended to a synced queue, or since {@link
 * DiskQueue#flush}: a synced queue writes behind its elements what its cursors have removed, so removals cost no force of their own. In a
 * batched queue a killed process can undo the newest 1024 since the last flush too. What is undone is handed out again. The same holds
 * for the counts of deliveries, and for elements that were given back.
 *
 * <p><b>Damage.</b> Each record's checksum is verified when it is read. A damaged place is reported to the queue's {@linkplain
 * DiskQueueBuilder#onDamage handler}, which decides whether it is skipped; without one it throws {@link CorruptQueueException} once, and
 * the next call goes on behind it.
 *
 * @param <T> element type
 */
public interface QueueCursor<T> {

    /** Removes and returns the next element, or returns null where there is none to hand out. O(1), no force. */
    @Nullable
    T poll();

    /**
     * Removes and returns the next element, waiting up to {@code timeout} for one; null where none came.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Nullable
    T poll(Duration timeout) throws InterruptedException;

    /** Returns the element that {@link #poll} would remove, or null where there is none. O(1). */
    @Nullable
    T peek();

    /**
     * Hands out the next element until its lease ends; null where there is none, or as many are out as the queue's {@linkplain
     * DiskQueueBuilder#leases bound} allows. Elements that came back and whose delay is over go first, the oldest of them at the head.
     * O(log n) in the number of leases.
     */
    @Nullable
    Lease<T> lease();

    /**
     * As {@link #lease()}, waiting up to {@code timeout} for an element.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    @Nullable
    Lease<T> lease(Duration timeout) throws InterruptedException;

    /** Number of elements that are not removed; those on lease count until they are acknowledged. O(1). */
    long longSize();

    /** Number of elements on lease. O(1). */
    int leased();

    /**
     * Removes the element with this number wherever it stands, also while it is on lease; returns false where the cursor has removed it
     * already, or there is none. O(log n).
     */
    boolean remove(long sequence);

    /** Removes all elements that were in the queue at the call, and ends all leases. O(1); files are taken back in the background. */
    void clear();
}
