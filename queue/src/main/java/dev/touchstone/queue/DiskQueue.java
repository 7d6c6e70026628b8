package dev.touchstone.queue;

import java.util.Iterator;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue of elements on disk: a {@link Queue} that outlives the process.
 *
 * <p><b>Threads.</b> Any number of threads may call every method. Elements of one thread keep their order; elements of several are
 * ordered by when their append was claimed.
 *
 * <p><b>Nulls.</b> {@code null} is not an element: methods throw {@link NullPointerException} for it.
 *
 * <p><b>Memory consistency.</b> Actions in a thread before it offers an element <i>happen-before</i> actions after another thread
 * has polled, peeked or iterated to it.
 *
 * <p><b>Durability.</b> See {@link Durability}. An element is visible to consumers no earlier than it has the queue's durability; a
 * batched queue that a consumer has emptied hands its open batch to the page cache, so that consumers never wait for it to fill.
 * Removals are remembered with the element that was removed last: in a written or synced queue they survive a killed process; in a
 * batched queue, and after a power cut, some elements that were removed since the last {@link #flush} may be delivered again.
 *
 * <p><b>Damage.</b> Each record's checksum is verified when it is read. {@code poll} and {@code peek} throw {@link
 * CorruptQueueException} once for each damaged place, and the next call goes on behind it.
 *
 * <p><b>Exceptions.</b> Everything that fails for a reason outside the caller's arguments throws a {@link QueueException}.
 *
 * @param <T> element type
 */
public interface DiskQueue<T> extends Queue<T>, AutoCloseable {

    /** Starts a queue whose {@code offer} returns when the element is on the device. */
    static DiskQueueBuilder<byte[]> synced() {
        return DiskQueueBuilder.of(Durability.SYNCED);
    }

    /** Starts a queue whose {@code offer} returns when the element is in memory, and which writes in bounded batches. */
    static DiskQueueBuilder<byte[]> batched() {
        return DiskQueueBuilder.of(Durability.BATCHED);
    }

    /** Starts a queue whose {@code offer} returns when the element is in the page cache. */
    static DiskQueueBuilder<byte[]> written() {
        return DiskQueueBuilder.of(Durability.WRITTEN);
    }

    /**
     * Appends {@code element} and returns true once it has the queue's durability.
     *
     * @throws IllegalArgumentException if the encoded element is larger than the queue's record limit
     * @throws QueueException if the element could not be stored; it is then not in the queue, or (after a failed write) may be found
     *     by the next open
     */
    @Override
    boolean offer(T element);

    /** Removes and returns the head, or returns null where the queue is empty. O(1), no force. */
    @Override
    @Nullable
    T poll();

    /** Returns the head, or null where the queue is empty. O(1). */
    @Override
    @Nullable
    T peek();

    /**
     * Iterates from the head over the elements that were in the queue at the call and are not removed meanwhile; weakly consistent,
     * never throws {@link java.util.ConcurrentModificationException}, does not remove. Each iterator reads for itself and belongs to
     * one thread.
     */
    @Override
    Iterator<T> iterator();

    /** Number of elements, at most {@link Integer#MAX_VALUE}. O(1). */
    @Override
    int size();

    /** Number of elements. O(1). */
    long longSize();

    /** Removes all elements that were in the queue at the call. O(1); their files are taken back in the background. */
    @Override
    void clear();

    /** Returns once every element accepted and every removal made before the call is on the device. One force a file. */
    void flush();

    /** Counters since the queue was opened. O(1). */
    QueueStats stats();

    /**
     * Flushes and releases the folder. Later calls throw {@link QueueClosedException}, but for {@code size}, {@code stats} and
     * {@code close}.
     */
    @Override
    void close();
}
