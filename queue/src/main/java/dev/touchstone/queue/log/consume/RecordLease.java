package dev.touchstone.queue.log.consume;

import java.io.IOException;
import java.time.Duration;

/** A record that was handed out and waits to be acknowledged. Thread-safe: the first call that ends the lease counts. */
public interface RecordLease {

    /** Returns the record's element. */
    byte[] payload();

    /** Returns the record's sequence. */
    long sequence();

    /** Returns how often the record was handed out, this time included. */
    int deliveries();

    /** Consumes the record; returns false where this lease has ended. */
    boolean acknowledge() throws IOException;

    /** Lets the record be handed out again after {@code delay}; returns false where this lease has ended. */
    boolean giveBack(Duration delay) throws IOException;

    /** Lets a reserved record be handed out again at once, without counting that it was taken; returns false where this lease has ended. */
    boolean release() throws IOException;

    /** Lets the lease end after {@code time} from now; returns false where this lease has ended. */
    boolean extend(Duration time) throws IOException;
}
