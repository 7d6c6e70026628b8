package dev.touchstone.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A position of consumption in a queue: the queue's own, or a named one of several that each get every element.
 *
 * <p><b>Threads.</b> Any number of threads may call every method; each element is handed out to one of them.
 *
 * <p><b>At most once or at least once.</b> {@link #poll} removes the element before the caller has processed it. {@link #lease} hands
 * it out and removes it when it is acknowledged; an element that is not, because the consumer gave it back, took too long, or the
 * process ended, is handed out again.
 *
 * <p><b>Durability of removals.</b> A removal is a poll, an acknowledgement, {@link #remove} or {@link #clear}; deliveries and give-backs are
 * as durable as removals. The order of removals does not matter. When the call returns:
 *
 * <table>
 * <caption>A removal after a fault</caption>
 * <tr><th>queue</th><th>process killed</th><th>operating system crash, power cut</th></tr>
 * <tr><td>written</td><td>survives</td><td>may be undone, until {@link DiskQueue#flush}</td></tr>
 * <tr><td>batched</td><td>may be undone: up to 1024 of all cursors since the last flush</td><td>may be undone, until the next
 * flush</td></tr>
 * <tr><td>synced</td><td>survives</td><td>may be undone, until an element that is offered afterwards is accepted, or the next flush</td></tr>
 * </table>
 *
 * <p>{@link DiskQueue#close} makes all removals as durable as a flush does. A synced queue writes the removals behind its elements, so they
 * cost no force of their own. An element whose removal is undone is handed out again.
 *
 * <p><b>Damage.</b> Each record's checksum is verified when it is read. A damaged place is reported to the queue's {@linkplain
 * DiskQueueBuilder#onDamage handler}, which decides whether it is skipped; without one it throws {@link CorruptQueueException} once, and
 * the next call goes on behind it.
 *
 * <p><b>Exceptions.</b> Every method but {@link #longSize} and {@link #leased} throws {@link QueueClosedException} if the queue is closed or
 * the cursor dropped, and {@link QueueFailedException} if the file system fails. Methods that read an element throw {@link
 * CorruptQueueException} for damage, {@link QueueRefusedException} if no file can be opened now, {@link UndecodableElementException} if the
 * codec fails, and what the {@linkplain DiskQueueBuilder#deadLetters dead-letter handler} throws; the element stays in the queue then. A
 * queue that was opened with {@link DiskQueueBuilder#namedCursorsOnly} throws {@link UnsupportedOperationException} as a cursor, but for
 * {@link #longSize} and {@link #leased}.
 *
 * @param <T> element type
 */
public interface QueueCursor<T> {

    /**
     * Removes and returns the next element. O(1), no force. Does not look at {@link DiskQueueBuilder#maxDeliveries}, except for an element
     * that cannot be decoded.
     *
     * @return the element, or null if there is none to hand out
     * @throws UndecodableElementException if the codec throws for the element's bytes
     * @throws QueueException see above
     */
    @Nullable
    T poll();

    /**
     * Removes and returns the next element as {@link #poll()} does, waiting up to {@code timeout} for one.
     *
     * @param timeout longest time to wait; does not wait if it is zero or negative
     * @return the element, or null if none came
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws QueueException as for {@link #poll()}; {@link QueueClosedException} also if the queue is closed while the thread waits
     */
    @Nullable
    T poll(Duration timeout) throws InterruptedException;

    /**
     * Returns the element that {@link #poll()} would remove, and leaves it. O(1).
     *
     * @return the element, decoded anew by each call, or null if there is none to hand out
     * @throws QueueException as for {@link #poll()}
     */
    @Nullable
    T peek();

    /**
     * Hands out the next element until its lease ends. Elements that came back and whose delay is over go first, the oldest of them at the
     * head. Elements that have been handed out too often are given to the {@linkplain DiskQueueBuilder#deadLetters dead letters} on the way.
     * O(log n) in the number of leases.
     *
     * @return the lease, or null if there is no element, or as many are on lease as the queue's {@linkplain DiskQueueBuilder#leases bound}
     *     allows
     * @throws UndecodableElementException if the codec throws for the element's bytes
     * @throws QueueException see above
     */
    @Nullable
    Lease<T> lease();

    /**
     * Hands out the next element as {@link #lease()} does, waiting up to {@code timeout} for one, or for a lease to end if too many are out.
     *
     * @param timeout longest time to wait; does not wait if it is zero or negative
     * @return the lease, or null if nothing could be handed out in that time
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws QueueException as for {@link #lease()}; {@link QueueClosedException} also if the queue is closed while the thread waits
     */
    @Nullable
    Lease<T> lease(Duration timeout) throws InterruptedException;

    /**
     * Returns the number of elements that are not removed. Elements on lease count until they are acknowledged, and delayed ones from the
     * start. O(1); exact at some moment of the call.
     *
     * @return the number of elements, at least 0
     */
    long longSize();

    /** {@return the number of elements that are on lease from this cursor now} O(1), and O(log n) for each lease that has run out. */
    int leased();

    /**
     * Removes the element with this number wherever it stands, also while it is on lease. O(log n).
     *
     * @param sequence number of the element; any value is allowed
     * @return true if this call removed the element; false if the cursor had removed it, or there is no such element, or a {@code poll} is
     *     removing it at this moment
     * @throws QueueClosedException if the queue is closed, or the cursor dropped
     * @throws QueueFailedException if the removal cannot be stored; the queue has failed then
     */
    boolean remove(long sequence);

    /**
     * Removes all elements that were in the queue at the call, and ends all leases. Does not read them: O(1), and files are deleted in the
     * background.
     *
     * @throws QueueClosedException if the queue is closed, or the cursor dropped
     * @throws QueueFailedException if the removal cannot be stored; the queue has failed then
     * @throws QueueRefusedException if the disk has no room for elements that are not in a log file yet; nothing is removed then
     */
    void clear();
}
