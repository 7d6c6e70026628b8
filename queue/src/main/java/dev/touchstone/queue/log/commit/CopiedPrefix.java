package dev.touchstone.queue.log.commit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** The end of the longest run of records, from the log's start, of which every one is copied into its batch. Thread-safe. */
final class CopiedPrefix {
    /*
     * Who calls:      every appender, once its record is copied; the committer's owner, once a batch is written; readers of the end.
     * Invariants:     end only grows, and every record up to it is copied into memory that survives the process, or written; so no
     *                 acknowledged record stands behind one that a killed process would leave half copied.
     * Liveness:       an appender marks its own place first and reads end second; whoever moves end reads the next place after that.
     *                 All four are volatile, so either the mover sees the mark and moves on, or the appender sees the moved end and
     *                 moves it itself. A record whose place was not free in time is not marked: end stays in front of it until the
     *                 owner has written its batch, which those who wait ask for (see LogWriter.await).
     * Ordering:       a record's bytes -> its mark, or the move of end -> whoever reads end.
     * Failure:        a copy that fails is never marked, and the log has failed before anybody can wait for it.
     */
    private static final int PLACES = 1024;
    private static final int PAUSES = 500;

    private final AtomicLongArray marks = new AtomicLongArray(PLACES);
    private final AtomicLong end;

    /** Starts with a prefix that ends at {@code sequence}. */
    CopiedPrefix(long sequence) {
        end = new AtomicLong(sequence);
    }

    /** Returns the last sequence of the prefix. */
    long end() {
        return end.get();
    }

    /** Adds a copied record, and every marked one behind it, if all before it have been added. */
    void add(long sequence) {
        if (end.get() != sequence - 1 || !end.compareAndSet(sequence - 1, sequence)) {
            if (!awaitPlace(sequence)) {
                return;
            }
            marks.set(place(sequence), sequence);
        }
        for (long next = end.get() + 1; marks.get(place(next)) == next; next = end.get() + 1) {
            end.compareAndSet(next - 1, next); // where it fails another thread has moved it
        }
    }

    /** Waits until no record before this one can need the same place; returns false where that takes long. */
    private boolean awaitPlace(long sequence) {
        for (int spins = 0; sequence - end.get() > PLACES; spins++) {
            if (spins == PAUSES) {
                return false;
            }
            Pause.after(spins);
        }
        return true;
    }

    /** Moves the end to a sequence up to which all is written. */
    void raiseTo(long sequence) {
        for (long now = end.get(); now < sequence; now = end.get()) {
            end.compareAndSet(now, sequence);
        }
    }

    /** Waits for other appenders to copy what they have claimed; returns false where the prefix does not reach the sequence soon. */
    boolean reaches(long sequence) {
        for (int spins = 0; end.get() < sequence; spins++) {
            if (spins == PAUSES) {
                return false;
            }
            Pause.after(spins);
        }
        return true;
    }

    private static int place(long sequence) {
        return (int) sequence & PLACES - 1;
    }
}
