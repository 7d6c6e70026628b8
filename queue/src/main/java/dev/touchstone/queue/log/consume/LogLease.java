package dev.touchstone.queue.log.consume;

import java.io.IOException;
import java.time.Duration;

/** A record that was handed out and waits to be acknowledged. Thread-safe: the first call that ends the lease counts. */
public final class LogLease {
    private final LogCursor cursor;
    private final byte[] payload;
    private final long sequence;
    private final int deliveries;
    private final long token;

    LogLease(LogCursor cursor, byte[] payload, InFlight.Delivery delivery) {
        this.cursor = cursor;
        this.payload = payload;
        this.sequence = delivery.sequence();
        this.deliveries = delivery.times();
        this.token = delivery.token();
    }

    public byte[] payload() {
        return payload;
    }

    public long sequence() {
        return sequence;
    }

    /** Returns how often the record was handed out, this time included. */
    public int deliveries() {
        return deliveries;
    }

    /** Consumes the record; returns false where this lease has ended. */
    public boolean acknowledge() throws IOException {
        return cursor.acknowledge(sequence, token);
    }

    /** Lets the record be handed out again after {@code delay}; returns false where this lease has ended. */
    public boolean giveBack(Duration delay) throws IOException {
        return cursor.giveBack(sequence, token, delay, true);
    }

    /** Lets a reserved record be handed out again at once, without counting that it was taken; returns false where this lease has ended. */
    public boolean release() throws IOException {
        return cursor.giveBack(sequence, token, Duration.ZERO, false);
    }

    /** Lets the lease end after {@code time} from now; returns false where this lease has ended. */
    public boolean extend(Duration time) throws IOException {
        return cursor.extend(sequence, token, time);
    }
}
