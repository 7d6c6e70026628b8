package dev.touchstone.queue;

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

    /** How often the element was handed out since the queue was opened, this time included. */
    int deliveries();

    /** Removes the element from the queue; false where the lease has ended. As durable as {@link QueueCursor#poll}. O(log n). */
    boolean ack();

    /** Gives the element back: it is handed out again before those behind it; false where the lease has ended. O(log n). */
    boolean nack();

    /** As {@link #nack}. */
    @Override
    void close();
}
