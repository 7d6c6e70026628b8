package dev.touchstone.queue.log.consume;

import java.io.IOException;
import java.time.Duration;

/** A lease from a log's cursor. */
public final class LogLease implements RecordLease {
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

    @Override
    public byte[] payload() {
        return payload;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public int deliveries() {
        return deliveries;
    }

    /** Returns what tells this lease from others of the record. */
    public long token() {
        return token;
    }

    @Override
    public boolean acknowledge() throws IOException {
        return cursor.acknowledge(sequence, token);
    }

    @Override
    public boolean giveBack(Duration delay) throws IOException {
        return cursor.giveBack(sequence, token, delay, true);
    }

    @Override
    public boolean release() throws IOException {
        return cursor.giveBack(sequence, token, Duration.ZERO, false);
    }

    @Override
    public boolean extend(Duration time) throws IOException {
        return cursor.extend(sequence, token, time);
    }
}
