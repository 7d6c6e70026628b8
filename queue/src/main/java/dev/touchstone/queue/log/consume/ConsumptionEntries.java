package dev.touchstone.queue.log.consume;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The layout of consumption entries, little-endian, 32 bytes each: in the log's records of kind {@link
 * dev.touchstone.queue.log.segment.RecordFormat#CONSUMPTION} and in the slots of a {@link CheckpointFile}.
 *
 * <pre>
 *  0           8               16                       24             28        32
 *  +-----------+---------------+------------------------+--------------+---------+
 *  | cursor id | first         | end, or not-before     | deliveries   | zeros   |
 *  +-----------+---------------+------------------------+--------------+---------+
 * </pre>
 *
 * <ul>
 *   <li>{@code deliveries} 0: the cursor has consumed the sequences from {@code first} to before {@code end}; a cursor id of 0 says that
 *       every record before {@code end} is on the device.
 *   <li>otherwise: the record {@code first} was handed out so often and is not handed out again before a time in milliseconds of the
 *       epoch.
 * </ul>
 */
final class ConsumptionEntries {
    static final int BYTES = 32;
    static final long CHECKPOINT_ID = 0;

    private static final int FIRST = 8;
    private static final int END = 16;
    private static final int DELIVERIES = 24;
    private static final int ZEROS = 28;

    private ConsumptionEntries() {}

    /** Is told entries that are read. */
    interface Sink {
        void consumed(long cursor, long first, long end);

        void attempted(long cursor, long sequence, ConsumerState.Attempt attempt);
    }

    static void putConsumed(ByteBuffer target, int at, long cursor, long first, long end) {
        target.putLong(at, cursor).putLong(at + FIRST, first).putLong(at + END, end);
        target.putInt(at + DELIVERIES, 0).putInt(at + ZEROS, 0);
    }

    static void putAttempt(ByteBuffer target, int at, long cursor, long sequence, ConsumerState.Attempt attempt) {
        target.putLong(at, cursor).putLong(at + FIRST, sequence).putLong(at + END, attempt.notBeforeMillis());
        target.putInt(at + DELIVERIES, attempt.deliveries()).putInt(at + ZEROS, 0);
    }

    /** Gives the entry at an offset of a little-endian buffer to {@code sink}. */
    static void read(ByteBuffer source, int at, Sink sink) {
        long cursor = source.getLong(at);
        long first = source.getLong(at + FIRST);
        long end = source.getLong(at + END);
        int deliveries = source.getInt(at + DELIVERIES);
        if (deliveries == 0) {
            sink.consumed(cursor, first, end);
        } else {
            sink.attempted(cursor, first, new ConsumerState.Attempt(deliveries, end));
        }
    }

    /** Gives all entries that remain in {@code payload} to {@code sink}. */
    static void readAll(ByteBuffer payload, Sink sink) {
        ByteBuffer entries = payload.slice().order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + BYTES <= entries.limit(); at += BYTES) {
            read(entries, at, sink);
        }
    }
}
