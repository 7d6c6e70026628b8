package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.consume.LogLease;
import dev.touchstone.queue.log.consume.RecordCursor;
import dev.touchstone.queue.log.consume.RecordLease;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A cursor that all members have: what it consumes is agreed upon, sizes are those of this member. Thread-safe. */
final class ReplicatedCursor implements RecordCursor {
    private final ReplicatedLog log;
    private final EntrySender sender;
    private final long number;
    private final String name;
    private final Duration reservation;
    private final long removedBefore;
    private final long skippedBefore;

    /**
     * Creates the cursor of a number.
     *
     * @param reservation time after which an element is handed out again that was taken to be decoded
     * @param local this member's cursor as it is now, or null
     */
    ReplicatedCursor(
            ReplicatedLog log,
            EntrySender sender,
            long number,
            String name,
            Duration reservation,
            @Nullable LogCursor local) {
        this.log = log;
        this.sender = sender;
        this.number = number;
        this.name = name;
        this.reservation = reservation;
        this.removedBefore = local == null ? 0 : local.removed();
        this.skippedBefore = local == null ? 0 : local.skipped();
    }

    long number() {
        return number;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        LogCursor cursor = log.state().findCursor(number);
        return cursor == null ? 0 : cursor.size();
    }

    @Override
    public long removed() {
        LogCursor cursor = log.state().findCursor(number);
        return cursor == null ? 0 : Math.max(0, cursor.removed() - removedBefore);
    }

    @Override
    public long skipped() {
        LogCursor cursor = log.state().findCursor(number);
        return cursor == null ? 0 : Math.max(0, cursor.skipped() - skippedBefore);
    }

    @Override
    public int leased() {
        LogCursor cursor = log.state().findCursor(number);
        return cursor == null ? 0 : cursor.leased();
    }

    @Override
    public byte @Nullable [] poll() throws IOException {
        return (byte[]) sender.call(Command.of(Command.POLL, number));
    }

    @Override
    public byte @Nullable [] peek() throws IOException {
        return (byte[]) sender.call(Command.of(Command.PEEK, number));
    }

    @Override
    public @Nullable RecordLease lease() throws IOException {
        return leased(sender.call(Command.of(Command.LEASE, number)));
    }

    @Override
    public @Nullable RecordLease reserve() throws IOException {
        return leased(sender.call(Command.of(Command.RESERVE, number, reservation.toNanos())));
    }

    private @Nullable RecordLease leased(@Nullable Object lease) {
        return lease == null ? null : new ReplicatedLease(sender, number, (LogLease) lease);
    }

    @Override
    public boolean remove(long sequence) throws IOException {
        return Boolean.TRUE.equals(sender.call(Command.of(Command.REMOVE, number, sequence)));
    }

    @Override
    public void clear() throws IOException {
        Object unused = sender.call(Command.of(Command.CLEAR, number));
    }

    @Override
    public boolean awaitRecord(long deadlineNanos, boolean toLease) throws IOException, InterruptedException {
        log.checkOpen();
        ReplicaState state = log.loadedState();
        try {
            return state.cursor(number).awaitRecord(deadlineNanos, toLease);
        } catch (LogClosedException e) {
            log.checkOpen();
            if (state.equals(log.loadedState())) {
                throw e;
            }
            return true; // a snapshot has taken the place of the state
        }
    }
}
