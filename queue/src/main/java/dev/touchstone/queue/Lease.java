package dev.touchstone.queue;

import java.time.Duration;

/**
 * An element that was handed out to one consumer, until it is acknowledged, given back, or out for longer than the queue's {@linkplain
 * DiskQueueBuilder#leases lease time}. Closing it gives it back unless it was acknowledged.
 *
 * <p>Thread-safe. The first call that ends the lease counts; after it, and after somebody else was given the element, {@code ack}, {@code nack}
 * and {@code extend} return false and do nothing. The lease has ended as well when the element was removed by its number, {@linkplain
 * WhenFull#DROP_OLDEST dropped} or cleared. When the queue was closed or the cursor dropped, {@code nack} returns false, and the other two
 * throw. An {@code ack} after the lease time is accepted as long as nobody else was given the element.
 *
 * <p>Acknowledgements, give-backs and the count of deliveries are as durable as {@linkplain QueueCursor removals}.
 *
 * @param <T> element type
 */
public interface Lease<T> extends AutoCloseable {

    /** {@return the element, never null; the same object each time} */
    T element();

    /** {@return the element's number in the queue: from 1, in the order of appending} */
    long sequence();

    /** {@return how often the element was handed out, this time included} The count is kept on disk, over restarts. */
    int deliveries();

    /**
     * Removes the element from the queue. O(log n) in the number of leases.
     *
     * @return true if this call removed the element, false if the lease had ended
     * @throws QueueClosedException if the queue is closed, or the cursor dropped
     * @throws QueueFailedException if the acknowledgement cannot be stored; the queue has failed then, and the element is handed out again
     *     when it is opened again
     */
    boolean ack();

    /**
     * Gives the element back; it is handed out again after the queue's {@linkplain DiskQueueBuilder#redeliveryDelay redelivery delay}.
     * O(log n) in the number of leases.
     *
     * @return true if this call gave the element back, false if the lease had ended
     * @throws QueueFailedException if the delay cannot be stored; the lease goes on
     */
    boolean nack();

    /**
     * Gives the element back; it is handed out again after {@code delay}, then before those behind it. The delay is kept on disk in whole
     * milliseconds, as a time of the system's clock, so it goes on while the queue is closed. O(log n) in the number of leases.
     *
     * @param delay time from now, at least zero
     * @return true if this call gave the element back, false if the lease had ended
     * @throws IllegalArgumentException if {@code delay} is negative
     * @throws QueueFailedException if the delay cannot be stored; the lease goes on
     */
    boolean nack(Duration delay);

    /**
     * Lets the lease end {@code time} from now, however long it has lasted. Not kept on disk: a lease ends with the process. O(log n) in the
     * number of leases.
     *
     * @param time time from now, at least zero; zero ends the lease without a redelivery delay
     * @return true if the lease was extended, false if it had ended
     * @throws IllegalArgumentException if {@code time} is negative
     * @throws QueueClosedException if the queue is closed, or the cursor dropped
     */
    boolean extend(Duration time);

    /**
     * Gives the element back as {@link #nack()} does, unless the lease has ended. Does not throw when the queue is closed.
     *
     * @throws QueueFailedException if the delay cannot be stored; the lease goes on
     */
    @Override
    void close();
}
