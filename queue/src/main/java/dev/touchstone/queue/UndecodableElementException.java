package dev.touchstone.queue;

/**
 * The codec threw for an element's bytes. The element is still in the queue, behind others until its redelivery delay has passed; after
 * the queue's {@linkplain DiskQueueBuilder#maxDeliveries maximum} of deliveries it goes to the dead letters, if the queue has any.
 */
public final class UndecodableElementException extends QueueException {
    private static final long serialVersionUID = 1;

    private final long sequence;
    private final int deliveries;

    UndecodableElementException(long sequence, int deliveries, RuntimeException cause) {
        super(
                "element could not be decoded: sequence=" + sequence + " deliveries=" + deliveries + " cause=" + cause,
                cause);
        this.sequence = sequence;
        this.deliveries = deliveries;
    }

    /** Returns the element's number in the queue. */
    public long sequence() {
        return sequence;
    }

    /** Returns how often the element was handed out, 0 where it was only read. */
    public int deliveries() {
        return deliveries;
    }
}
