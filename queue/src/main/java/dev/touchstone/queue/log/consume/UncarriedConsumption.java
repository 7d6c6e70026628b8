package dev.touchstone.queue.log.consume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.consume.ConsumerState.Attempt;
import dev.touchstone.queue.log.segment.RecordFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The consumption of all cursors that no batch has carried yet. Thread-safe. */
final class UncarriedConsumption {
    /*
     * Who calls:      cursors, under their locks, add; the sealer of a batch, one at a time, takes.
     * Lock:           this, held for memory only.
     * Ordering:       JournaledCursor.inTurn -> a look at any; any = false -> a look at inTurn; all volatile, so that one of the two
     *                 threads sees the other.
     */
    @GuardedBy("this")
    private final List<JournaledCursor> cursors = new ArrayList<>();

    private volatile boolean any;
    private volatile boolean overflowed;

    synchronized void add(JournaledCursor cursor) {
        cursors.add(cursor);
    }

    synchronized void remove(JournaledCursor cursor) {
        cursors.remove(cursor);
    }

    /** Adds what {@link PendingConsumption#consume} takes. */
    synchronized void consumed(JournaledCursor cursor, long before, long floor, long first, long end) {
        cursor.pending().consume(before, floor, first, end);
        any = true;
    }

    synchronized void attempted(JournaledCursor cursor, long sequence, Attempt attempt) {
        cursor.pending().attempt(sequence, attempt);
        any = true;
    }

    /** Adds what {@link JournaledCursor#inTurn} says, without the lock. */
    void consumedInTurn(JournaledCursor cursor, long end) {
        cursor.consumedInTurn(end);
        if (!any) {
            any = true;
        }
    }

    /** Puts as many entries as a batch has room for; see {@link ConsumptionJournal#put}. */
    int put(ByteBuffer target, int offset, long sequence, long salt) {
        if (!any) {
            return 0;
        }
        BatchEntries entries = new BatchEntries();
        synchronized (this) {
            boolean all = true;
            any = false;
            for (JournaledCursor cursor : cursors) {
                cursor.pending().moveFloor(cursor.inTurn());
                all &= cursor.pending().drainTo(entries);
            }
            if (!all) {
                any = true;
                overflowed = true;
            }
        }
        byte[] payload = entries.toArray();
        if (payload.length == 0) { // the batch before has carried it
            return 0;
        }
        RecordFormat.put(target, offset, sequence, salt, RecordFormat.CONSUMPTION, payload);
        return RecordFormat.recordBytes(payload.length);
    }

    /** Returns whether a batch had no room for all since the last call. */
    boolean takeOverflow() {
        boolean taken = overflowed;
        if (taken) {
            overflowed = false;
        }
        return taken;
    }
}
