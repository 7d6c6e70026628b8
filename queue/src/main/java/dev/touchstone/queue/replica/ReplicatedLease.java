package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.consume.LogLease;
import dev.touchstone.queue.log.consume.RecordLease;
import java.io.IOException;
import java.time.Duration;

/** A lease that all members know. */
final class ReplicatedLease implements RecordLease {
    private final EntrySender sender;
    private final long cursor;
    private final LogLease lease;

    ReplicatedLease(EntrySender sender, long cursor, LogLease lease) {
        this.sender = sender;
        this.cursor = cursor;
        this.lease = lease;
    }

    @Override
    public byte[] payload() {
        return lease.payload();
    }

    @Override
    public long sequence() {
        return lease.sequence();
    }

    @Override
    public int deliveries() {
        return lease.deliveries();
    }

    @Override
    public boolean acknowledge() throws IOException {
        return holds(Command.of(Command.ACKNOWLEDGE, cursor, lease.sequence(), lease.token()));
    }

    @Override
    public boolean giveBack(Duration delay) throws IOException {
        return holds(Command.giveBack(cursor, lease.sequence(), lease.token(), delay.toNanos(), true));
    }

    @Override
    public boolean release() throws IOException {
        return holds(Command.giveBack(cursor, lease.sequence(), lease.token(), 0, false));
    }

    @Override
    public boolean extend(Duration time) throws IOException {
        return holds(Command.of(Command.EXTEND, cursor, lease.sequence(), lease.token(), time.toNanos()));
    }

    private boolean holds(Command command) throws IOException {
        return Boolean.TRUE.equals(sender.call(command));
    }
}
