package dev.touchstone.benchmarks.queue;

import dev.touchstone.benchmarks.queue.peer.AsyncWrites;
import dev.touchstone.benchmarks.queue.peer.BulkWrites;
import dev.touchstone.benchmarks.queue.peer.QueueUnderTest;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.Control;

/**
 * A subject whose files are kept small: without a cap, a fast queue that only grows measures how the kernel throttles writers of dirty
 * pages, and fills the disk.
 *
 * <p>Once {@link #CAP_RECORDS} are written all users wait for one another, and the last of them clears the subject, in measured time:
 * giving space back is a part of a queue's work, each subject does it in its own way (ours keeps up to two spare segments, Chronicle
 * opens a new queue), and all do it after equally many records. A reader must have emptied the queue first, so the cap also bounds
 * how far writers run ahead of it.
 *
 * <p><b>On their way.</b> A writer that does not wait for its records has at most {@link #MAX_IN_FLIGHT} of them under way; before a
 * clearing, and on close, it waits for all.
 *
 * <p><b>Conservation.</b> On {@link #close}, in no measured time, what was read, cleared and is left must be what was written. What
 * is left is counted after every iteration with a reader; without one only where it is little, as the count would take long.
 */
final class CappedQueue implements Closeable {
    /*
     * Who calls:      any number of writers, and at most one reader.
     * Invariants:     nobody is inside the subject while it is cleared: the writers are in grant() or not yet past it, and the
     *                 reader is the one who clears; nothing of theirs is under way.
     * Non-invariants: once the iteration's time is up writers go on without the cap, so that none waits for one that has left; JMH
     *                 then runs them for moments only.
     * Lock order:     this monitor, then whatever the subject locks.
     * Failure:        whoever fails tells those who wait, so that all fail at once.
     */

    /** 512 MiB of records: few enough that Linux, by its defaults and with 4 GiB to spare, does not yet slow writers down. */
    static final int CAP_RECORDS = 1 << 20;

    /** Enough that 8 writers would fill a force of any size that pays, and few beside an iteration. */
    static final int MAX_IN_FLIGHT = 4_096;

    /** Records that a writer may write before it asks again: few enough that waiting for the slowest is short. */
    private static final int GRANT_RECORDS = 256;

    /** The most records that are counted on close of a queue without a reader: some 50 ms of scanning. */
    private static final int COUNTED_RECORDS = 1 << 16;

    private static final long CHECK_MILLIS = 1;

    private final QueueUnderTest queue;
    private final int writers;
    private final boolean withReader;
    private final int capRecords;
    private final Queue<Writer> handles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private int granted;
    private long clearings;
    private long cleared;
    private long forcesAtClose = -1;
    private @Nullable Exception failure;
    private long reads;

    /** Creates a capped queue for a number of writing threads, and one more that calls {@link #read} if there is a reader. */
    CappedQueue(QueueUnderTest queue, int writers, boolean withReader) {
        this(queue, writers, withReader, CAP_RECORDS);
    }

    /** Creates a capped queue with a cap of its own. */
    CappedQueue(QueueUnderTest queue, int writers, boolean withReader, int capRecords) {
        this.queue = queue;
        this.writers = writers;
        this.withReader = withReader;
        this.capRecords = capRecords;
    }

    /** Removes and returns the head, or returns null where the queue is empty. */
    byte @Nullable [] read() throws IOException {
        byte[] record = queue.read();
        if (record == null && waiting.get() == writers) {
            record = readOrClear();
        }
        if (record != null) {
            reads++;
        }
        return record;
    }

    /** See {@link QueueUnderTest#forces()}; may be called after {@link #close}, too. */
    synchronized long forces() {
        return forcesAtClose < 0 ? queue.forces() : forcesAtClose;
    }

    /** Returns one thread's way to write. */
    Writer newWriter() {
        Writer writer = new Writer();
        handles.add(writer);
        return writer;
    }

    /**
     * Closes the subject; its users must have stopped, and what they did must happen-before.
     *
     * @throws IllegalStateException if records were lost or doubled
     */
    @Override
    public synchronized void close() throws IOException {
        try (queue) {
            if (failure == null) {
                for (Writer handle : handles) {
                    handle.inFlight.awaitAll();
                }
                demandConservation();
            }
            forcesAtClose = queue.forces();
        }
    }

    /** Records written by all; valid while no writer is at work, as on close. */
    long written() {
        return handles.stream().mapToLong(writer -> writer.written).sum();
    }

    private void demandConservation() throws IOException {
        long expected = written() - reads - cleared;
        boolean count = withReader || expected <= COUNTED_RECORDS;
        long left = count ? queue.remaining() : QueueUnderTest.UNKNOWN;
        if (expected < 0 || (left != QueueUnderTest.UNKNOWN && left != expected)) {
            throw new IllegalStateException("expected reads + cleared + left = written, got reads=" + reads
                    + " cleared=" + cleared + " left=" + left + " written=" + written());
        }
    }

    private synchronized byte @Nullable [] readOrClear() throws IOException {
        byte[] record = queue.read();
        if (record == null && waiting.get() == writers) {
            clear();
        }
        return record;
    }

    private int grant(Control control, Writer writer) throws IOException {
        if (!grantedBelowCap()) {
            try {
                writer.inFlight.awaitAll();
            } catch (IOException e) {
                fail(e);
                throw e;
            }
            grantAfterClearing(control);
        }
        return GRANT_RECORDS;
    }

    private synchronized boolean grantedBelowCap() {
        boolean below = granted + GRANT_RECORDS <= capRecords;
        granted += below ? GRANT_RECORDS : 0;
        return below;
    }

    private synchronized void grantAfterClearing(Control control) throws IOException {
        while (granted + GRANT_RECORDS > capRecords && !control.stopMeasurement) {
            if (waiting.incrementAndGet() == writers && !withReader) {
                clear();
            } else {
                awaitClearing(control);
            }
        }
        granted += GRANT_RECORDS;
    }

    private void awaitClearing(Control control) throws IOException {
        long before = clearings;
        try {
            while (clearings == before && failure == null && !control.stopMeasurement) {
                wait(CHECK_MILLIS);
            }
            if (failure != null) {
                throw new IOException("another user of the queue has failed", failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the other writers", e);
        } finally {
            if (clearings == before) {
                waiting.decrementAndGet();
            }
        }
    }

    private void clear() throws IOException {
        try {
            cleared = written() - reads;
            if (withReader && cleared != 0) {
                throw new IllegalStateException(
                        "expected every record to be read, got reads=" + reads + " written=" + written());
            }
            queue.clear();
        } catch (IOException | RuntimeException e) {
            fail(e);
            throw e;
        }
        clearings++;
        granted = 0;
        waiting.set(0);
        notifyAll();
    }

    private synchronized void fail(Exception e) {
        failure = e;
        notifyAll();
    }

    /** A thread's access for writing; not thread-safe. */
    final class Writer {

        private final InFlight inFlight = new InFlight(MAX_IN_FLIGHT);
        private final AsyncWrites.End end = inFlight::end;
        private int left;
        private long written;

        private Writer() {}

        /** Writes, after waiting for a clearing where the cap is reached. */
        void write(byte[] record, Control control) throws IOException {
            take(1, control);
            try {
                queue.write(record);
                written++;
            } catch (IOException | RuntimeException e) {
                fail(e);
                throw e;
            }
        }

        /** Writes without waiting for the record, only for earlier ones where too many are under way. */
        void writeAsync(byte[] record, Control control) throws IOException {
            take(1, control);
            try {
                inFlight.begin();
                ((AsyncWrites) queue).writeAsync(record, end);
                written++;
            } catch (IOException | RuntimeException e) {
                fail(e);
                throw e;
            }
        }

        /** Writes a bulk, of a size that divides {@link #GRANT_RECORDS}. */
        void writeAll(List<byte[]> records, Control control) throws IOException {
            take(records.size(), control);
            try {
                ((BulkWrites) queue).writeAll(records);
                written += records.size();
            } catch (IOException | RuntimeException e) {
                fail(e);
                throw e;
            }
        }

        private void take(int records, Control control) throws IOException {
            if (left == 0) {
                left = grant(control, this);
            }
            left -= records;
        }
    }
}
