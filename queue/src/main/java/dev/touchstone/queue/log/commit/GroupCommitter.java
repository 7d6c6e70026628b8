package dev.touchstone.queue.log.commit;

import dev.touchstone.queue.log.LogFailedException;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Group commit: appenders whose records wait share one write, made by whichever of them comes first. Thread-safe. */
final class GroupCommitter {
    /*
     * Who calls:      appenders and consumers that wait, and sealers, ask; the owner works. requests counts what
     *                 the owner has been asked for; 0 means that nobody writes. Whoever takes it from 0 is the owner, writes every
     *                 sealed batch, and takes off what it saw; if more was asked meanwhile it goes round again.
     * Invariants:     committed only grows, in the order of the log; a waiter for sequence s returns only when committed >= s or
     *                 the log has failed. Only the owner writes, so writes never overtake each other.
     * Liveness:       a waiter enrols in its batch before its copy is counted, so it is enrolled before the batch can be written;
     *                 it parks only after it has seen an owner. An owner that leaves (requests = 0) then looks for somebody
     *                 enrolled in the open batch and wakes one. Either that look sees the waiter, or the waiter sees requests = 0:
     *                 both sides write first and read then, volatile. A woken waiter that finds a new owner may park again: that
     *                 owner will look when it leaves.
     * Ordering:       a written batch -> committed -> whoever reads committed. What is the owner's is handed on through requests.
     * Failure:        a failed force is never tried again (the page cache may have dropped the page): the owner keeps the
     *                 ownership for good, and everybody is told. A refusal (LogRefusedException: no force was involved) ends the
     *                 ownership first and is told afterwards to all who have been waiting by then; the next owner tries again.
     *                 A thread that fails for want of stack may be unable to call anything, so LogWriter and the owner set `failure`
     *                 without a call, and waiters look at it now and then, woken or not.
     */
    private static final int GATHER_SHARE = 2;
    private static final int WEIGHT = 8;
    private static final int YIELDS = 400;
    private static final long RECHECK_NANOS = 200_000;
    private static final long FAILURE_RECHECK_NANOS = 50_000_000;

    private final Work work;
    private final boolean gathers;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private volatile @Nullable LogRefusedException refusal;
    private volatile long committed;
    volatile @Nullable Throwable failure;

    // The owner's.
    private long writeNanos;
    private int expected = 1;

    /** The owner's work on the log; called by one thread at a time. */
    interface Work {

        /** Seals the open batch if it holds records; returns whether this call did. */
        boolean sealOpen() throws IOException;

        /** Returns the oldest batch that is sealed and not yet written, or null. */
        @Nullable
        Batch nextSealed();

        /** Writes the batch that {@link #nextSealed} gave. */
        void write(Batch batch) throws IOException;

        /** Gives back the batch that was written: its records are committed. */
        void written(Batch batch);

        /** Returns the number of records in the open batch. */
        int openRecords();

        /** Returns somebody who waits for the open batch, or null. */
        @Nullable
        Thread anyWaiter();

        /** Wakes all who wait for any batch: there is a failure. */
        void wakeAll();
    }

    /**
     * Creates a committer without an owner.
     *
     * @param gathers whether an owner waits a moment for the writers of the last rounds: worth it where a write waits for a device
     * @param committed the last sequence that is in the log already
     */
    GroupCommitter(Work work, boolean gathers, long committed) {
        this.work = work;
        this.gathers = gathers;
        this.committed = committed;
    }

    /** Returns the last sequence that has been written (and forced, where the log is opened so). */
    long committed() {
        return committed;
    }

    /** Throws what ended the log, if anything has. */
    void checkFailure() throws IOException {
        Throwable cause = failure;
        if (cause != null) {
            throw failed(cause);
        }
    }

    private static LogFailedException failed(Throwable cause) {
        return new LogFailedException(cause instanceof IOException io ? io : new IOException(cause));
    }

    /** Asks for all sealed batches to be written: by this thread, or by the one that is writing now. */
    void request() {
        if (requests.getAndIncrement() == 0) {
            try {
                drain(null);
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure; // no call: there may be no stack left for one
                throw e;
            }
        }
    }

    /**
     * Returns when {@code sequence} is committed; its record is in a batch.
     *
     * @param enrolled whether this thread will be woken: it has put the record itself
     */
    void await(long sequence, boolean enrolled) throws IOException {
        if (committed >= sequence) {
            return;
        }
        boolean interrupted = false;
        int refusalsBefore = refusals();
        try {
            for (int tries = 0; committed < sequence; tries++) {
                IOException ended = endedSince(refusalsBefore);
                if (ended != null && committed < sequence) {
                    throw ended;
                }
                if (requests.get() == 0 && requests.compareAndSet(0, 1)) {
                    try {
                        lead();
                    } catch (RuntimeException | Error e) {
                        failure = failure == null ? e : failure; // as in request()
                        throw e;
                    }
                } else if (committed < sequence) {
                    rest(enrolled, tries);
                }
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lets the owner work. A write to the page cache, and to a fast device, is done before all could be put to sleep and woken. */
    private void rest(boolean enrolled, int tries) {
        if (failure != null) {
            return;
        }
        if (tries < YIELDS) {
            Thread.yield();
        } else if (enrolled) {
            LockSupport.parkNanos(this, FAILURE_RECHECK_NANOS);
        } else {
            LockSupport.parkNanos(this, RECHECK_NANOS);
        }
    }

    private void lead() {
        LogRefusedException refused = null;
        try {
            if (gathers) {
                gather();
            }
            if (!work.sealOpen() && work.nextSealed() == null) {
                Thread.yield(); // somebody is about to seal
            }
        } catch (LogRefusedException e) {
            refused = e; // there is no room for the next batch, but there may be for this
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            return;
        }
        drain(refused);
    }

    /** Waits until as many records are in the open batch as the last rounds had writers, for at most half a write. */
    private void gather() {
        if (work.openRecords() >= expected) {
            return;
        }
        long deadline = System.nanoTime() + writeNanos / GATHER_SHARE;
        while (work.openRecords() < expected && System.nanoTime() - deadline < 0) {
            Thread.yield();
        }
    }

    private void drain(@Nullable LogRefusedException refused) {
        try {
            int seen = 1;
            do {
                writeSealed();
                if (refused != null) {
                    refused(refused);
                    return;
                }
                seen = requests.addAndGet(-seen);
            } while (seen != 0);
        } catch (LogRefusedException e) {
            refused(e);
            return;
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            return;
        }
        LockSupport.unpark(work.anyWaiter());
    }

    /** Gives up the ownership first, so that whoever asks from now on becomes the owner and tries again. */
    private void refused(LogRefusedException cause) {
        refusal = cause;
        requests.set(0);
        refusals.getAndIncrement();
        work.wakeAll();
    }

    /** Returns how often the file system has refused by now; for {@link #checkSince}. */
    int refusals() {
        return refusals.get();
    }

    /** Throws what ended the log, or the last refusal if there was one since {@link #refusals} gave {@code before}. */
    void checkSince(int before) throws IOException {
        IOException ended = endedSince(before);
        if (ended != null) {
            throw ended;
        }
    }

    private @Nullable IOException endedSince(int before) {
        Throwable cause = failure;
        if (cause != null) {
            return failed(cause);
        }
        LogRefusedException last = refusal;
        return last == null || refusals.get() == before ? null : new LogRefusedException(last);
    }

    /** Writes what is sealed by now. The owner's. */
    void writeSealed() throws IOException {
        for (Batch batch = work.nextSealed(); batch != null; batch = work.nextSealed()) {
            long start = gathers ? System.nanoTime() : 0;
            work.write(batch);
            if (gathers) {
                learn(batch.records() + work.openRecords(), System.nanoTime() - start);
            }
            committed = batch.endSequence() - 1;
            batch.wakeAll();
            work.written(batch);
        }
    }

    private void learn(int writers, long nanos) {
        writeNanos += (nanos - writeNanos) / WEIGHT;
        expected = Math.max(writers, expected - 1);
    }

    /** Ends the log; the first cause is kept. */
    void fail(Throwable cause) {
        synchronized (requests) {
            if (failure == null) {
                failure = cause;
            }
        }
        work.wakeAll();
    }

    boolean hasFailed() {
        return failure != null;
    }
}
