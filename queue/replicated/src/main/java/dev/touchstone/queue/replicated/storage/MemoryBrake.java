package dev.touchstone.queue.replicated.storage;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds appends back while many entries that can be applied are not: the library keeps in memory what is not applied, and a member that catches up may
 * get entries faster than it applies them. Not thread-safe.
 */
final class MemoryBrake {
    /*
     * Who calls:      the library's log thread, whose answers to the leader wait for it; heartbeats do not.
     * Invariants:     waits only while there is an entry that can be applied, and for a while only: a majority may need this append to commit what
     *                 it has, and an application may be stuck.
     */
    static final long MAX_BYTES = 32 << 20;

    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Progress progress;
    private final Deque<Appended> unapplied = new ArrayDeque<>();
    private long bytes;

    private record Appended(long lastIndex, long bytes) {}

    MemoryBrake(Progress progress) {
        this.progress = progress;
    }

    /** Returns when the entries that were appended and can be applied take little memory, or after a while. */
    void awaitRoom() {
        dropApplied();
        long start = System.nanoTime();
        while (bytes > MAX_BYTES
                && unapplied.element().lastIndex <= progress.committedIndex()
                && System.nanoTime() - start < MAX_WAIT_NANOS) {
            LockSupport.parkNanos(STEP_NANOS);
            dropApplied();
        }
    }

    /** Notes entries that were appended. */
    void appended(long lastIndex, long newBytes) {
        unapplied.add(new Appended(lastIndex, newBytes));
        bytes += newBytes;
    }

    /** Forgets the entries, which are of the log no more. */
    void clear() {
        unapplied.clear();
        bytes = 0;
    }

    private void dropApplied() {
        long applied = progress.appliedIndex();
        for (Appended first = unapplied.peek(); first != null && first.lastIndex <= applied; first = unapplied.peek()) {
            bytes -= unapplied.remove().bytes;
        }
    }
}
