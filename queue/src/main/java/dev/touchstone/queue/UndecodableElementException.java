package dev.touchstone.queue;

/**
 * Thrown if the codec threw for an element's bytes, or returned null; the cause is that exception. The element is still in the queue, and
 * others are handed out until its redelivery delay has passed. After the queue's {@linkplain DiskQueueBuilder#maxDeliveries maximum} of
 * deliveries it goes to the dead letters, if the queue has any.
 */
public final class UndecodableElementException extends QueueException {
    private static final long serialVersionUID = 1;

    private final long sequence;
    private final int deliveries;

    UndecodableElementException(long sequence, int deliveries, Throwable cause) {
        super(
                "element could not be decoded: sequence=" + sequence + " deliveries=" + deliveries + " cause="
                        + Failures.describe(cause),
                cause);
        this.sequence = sequence;
        this.deliveries = deliveries;
    }

    /** {@return the element's number in the queue, from 1} */
    public long sequence() {
        return sequence;
    }

    /** {@return how often the element was handed out, this time included; 0 if it was only read, as by {@code get} or an iterator} */
    public int deliveries() {
        return deliveries;
    }
}
