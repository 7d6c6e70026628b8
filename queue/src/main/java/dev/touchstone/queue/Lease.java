package dev.touchstone.queue;

import java.time.Duration;

/**
 * An element that was handed out to one consumer, until it is acknowledged, given back, or out for longer than the queue's {@linkplain
 * DiskQueueBuilder#leases lease time}. Closing it gives it back unless it was acknowledged.
 *
 * <p>Thread-safe. The first call that ends the lease counts; after it, and after somebody else was given the element, {@code ack} and
 * {@code nack} return false and do nothing.
 *
 * @param <T> element type
 */
public interface Lease<T> extends AutoCloseable {

    /** The element. */
    T element();

    /** The element's number in the queue: from 1, in the order of appending. */
    long sequence();

    /** Returns how often the element was handed out, this time included. Counted on disk: it goes on after the queue was opened again. */
    int deliveries();

    /** Removes the element from the queue; false where the lease has ended. As durable as {@link QueueCursor#poll}. O(log n). */
    boolean ack();

    /**
     * Gives the element back; it is handed out again after the queue's {@linkplain DiskQueueBuilder#redeliveryDelay redelivery delay}.
     * Returns false where the lease has ended. O(log n).
     */
    boolean nack();

    /**
     * Gives the element back; it is handed out again after {@code delay}, then before those behind it. The delay is kept on disk, by the
     * clock of the system. Returns false where the lease has ended. O(log n).
     *
     * @throws IllegalArgumentException if {@code delay} is negative
     */
    boolean nack(Duration delay);

    /**
     * Lets the lease end {@code time} from now, however long it has lasted; returns false where it has ended. O(log n).
     *
     * @throws IllegalArgumentException if {@code time} is negative
     */
    boolean extend(Duration time);

    /** Gives the element back as {@link #nack()} does, unless it was acknowledged. */
    @Override
    void close();
}
