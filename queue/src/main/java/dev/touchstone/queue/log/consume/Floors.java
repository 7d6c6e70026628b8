package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.commit.ConsumptionRecords;
import dev.touchstone.queue.log.segment.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * How far the cursors of a log have come, written behind the records of a batch: so the force that writers wait for brings the
 * acknowledgements of consumers to the device too. Thread-safe; {@link #put} is the sealer's, one at a time.
 */
public final class Floors implements ConsumptionRecords {
    /** Cursors that a log may have. */
    public static final int MAX_CURSORS = 64;

    private final CursorFile own;
    private final List<LogCursor> cursors = new CopyOnWriteArrayList<>();
    private long written; // the sealer's: sum of the floors that were put last

    public Floors(CursorFile own) {
        this.own = own;
    }

    public void add(LogCursor cursor) {
        cursors.add(cursor);
    }

    public void remove(LogCursor cursor) {
        cursors.remove(cursor);
    }

    public List<LogCursor> cursors() {
        return cursors;
    }

    /** The lowest floor: everything before it is consumed by all. */
    public long lowest(long ifNone) {
        long lowest = Long.MAX_VALUE;
        for (LogCursor cursor : cursors) {
            lowest = Math.min(lowest, cursor.floor());
        }
        return lowest == Long.MAX_VALUE ? ifNone : lowest;
    }

    /** The lowest floor, once all are on the device; {@code ifNone} where there is no cursor. */
    public long forced(long ifNone) throws IOException {
        long lowest = Long.MAX_VALUE;
        for (LogCursor cursor : cursors) {
            lowest = Math.min(lowest, cursor.forcedFloor());
        }
        return lowest == Long.MAX_VALUE ? ifNone : lowest;
    }

    @Override
    public void force() throws IOException {
        long unused = forced(1);
    }

    @Override
    public void checkpoint(long sequence) throws IOException {
        own.checkpoint(sequence);
    }

    /** What the floors are now need not be put. Called before the first {@link #put}. */
    public void areWritten() {
        written = sum();
    }

    private long sum() {
        long sum = 0;
        for (LogCursor cursor : cursors) {
            sum += cursor.floor();
        }
        return sum;
    }

    /** Puts a record of all floors where any has moved since the last; returns its bytes, or 0 for none. */
    @Override
    public int put(ByteBuffer target, int offset, long sequence, long salt) {
        long sum = sum();
        if (sum == written) {
            return 0;
        }
        written = sum;
        Object[] now = cursors.toArray();
        ByteBuffer row =
                ByteBuffer.allocate(now.length * RecordFormat.FLOOR_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (Object each : now) {
            LogCursor cursor = (LogCursor) each;
            row.putLong(cursor.id()).putLong(cursor.floor());
        }
        byte[] payload = row.array();
        RecordFormat.put(target, offset, sequence, salt, RecordFormat.FLOORS, payload);
        return RecordFormat.recordBytes(payload.length);
    }
}
