package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.commit.ConsumptionRecords;
import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import dev.touchstone.queue.log.segment.RecordFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The entries that one batch carries behind its records, as many as have room there. Not thread-safe. */
final class BatchEntries implements PendingConsumption.Target {
    private static final int MAX_ENTRIES =
            (ConsumptionRecords.MAX_BYTES - RecordFormat.HEADER_BYTES) / ConsumptionEntries.BYTES;

    private final ByteBuffer entries =
            ByteBuffer.allocate(MAX_ENTRIES * ConsumptionEntries.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private int count;

    @Override
    public boolean consumed(long cursor, long first, long end) {
        if (count == MAX_ENTRIES) {
            return false;
        }
        ConsumptionEntries.putConsumed(entries, count++ * ConsumptionEntries.BYTES, cursor, first, end);
        return true;
    }

    @Override
    public boolean attempted(long cursor, long sequence, Attempt attempt) {
        if (count == MAX_ENTRIES) {
            return false;
        }
        ConsumptionEntries.putAttempt(entries, count++ * ConsumptionEntries.BYTES, cursor, sequence, attempt);
        return true;
    }

    /** Returns the payload of the record that the batch carries. */
    byte[] toArray() {
        byte[] payload = new byte[count * ConsumptionEntries.BYTES];
        entries.get(0, payload);
        return payload;
    }
}
