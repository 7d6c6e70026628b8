package dev.touchstone.queue.log.consume;

import java.io.IOException;

/** A record that was handed out and waits to be acknowledged. Thread-safe. */
public final class LogLease<T> {
    private final LogCursor cursor;
    private final T element;
    private final Deliveries.Delivery delivery;

    public LogLease(LogCursor cursor, T element, Deliveries.Delivery delivery) {
        this.cursor = cursor;
        this.element = element;
        this.delivery = delivery;
    }

    public T element() {
        return element;
    }

    public long sequence() {
        return delivery.sequence();
    }

    /** How often the record was handed out, this time included. */
    public int deliveries() {
        return delivery.times();
    }

    /** Consumes the record; false where this lease has ended. */
    public boolean acknowledge() throws IOException {
        return cursor.acknowledge(delivery);
    }

    /** Lets the record be handed out again; false where this lease has ended. */
    public boolean giveBack() {
        return cursor.giveBack(delivery);
    }
}
