package dev.touchstone.queue.log.commit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.Maintenance;
import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for commits on behalf of asynchronous appenders and completes their appends, on a thread of the log's own that exists while it has
 * work: completions run the callers' code, which must not delay other logs. Thread-safe.
 */
public final class AsyncCommits {
    /*
     * Who calls:      await() any appender; run() the completing thread; close() the thread that closes the log.
     * Invariants:     only the thread that `thread` names completes, so completions run one at a time and in the order of await(). The
     *                 thread waits as a writer does, and so writes the open batch when nobody else does.
     * Ordering:       no append stays incomplete. An appender adds to `pending` first and reads `thread` afterwards; the completing thread
     *                 writes null to `thread` first and looks at `pending` afterwards. So either the appender sees null and starts a
     *                 thread, or the thread that ends sees the append and takes its role back, unless a new thread has it. Parking
     *                 follows the same rule with `resting`.
     * Failure:        an append that cannot be awaited completes with the cause; an Error in the wait ends the log. What a completion throws
     *                 is dropped, since other callers' completions follow. An append leaves `pending` once it was told, so a thread that
     *                 finds no memory to tell it tries again, and one that ends all the same gives up its role.
     */
    private static final long MEMORY_RECHECK_NANOS = 10_000_000;

    private final LogWriter writer;
    private final Maintenance maintenance;
    private final ConcurrentLinkedQueue<Pending> pending = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread thread; // written under this
    private volatile @Nullable Thread resting;
    private volatile boolean closing;

    private record Pending(long sequence, AppendCompletion completion) {}

    public AsyncCommits(LogWriter writer, Maintenance maintenance) {
        this.writer = writer;
        this.maintenance = maintenance;
    }

    /** Has {@code completion} told when the record with this sequence, which has been put, is committed. */
    public void await(long sequence, AppendCompletion completion) {
        pending.add(new Pending(sequence, completion));
        LockSupport.unpark(resting);
        if (thread == null) {
            begin();
        }
    }

    private synchronized void begin() {
        if (thread == null) {
            Thread started = maintenance.newThread(this::run);
            thread = started;
            try {
                started.start();
            } catch (RuntimeException | Error e) {
                thread = null;
                throw e;
            }
        }
    }

    /** Returns when all completions were told, except where one of them calls this; the writer is closed before. */
    public void close() {
        closing = true;
        boolean interrupted = false;
        synchronized (this) {
            while (mustAwait()) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether another thread completes; starts one where appends are left and none does. */
    @GuardedBy("this")
    private boolean mustAwait() {
        if (thread == null && !pending.isEmpty()) {
            begin();
        }
        Thread completing = thread;
        LockSupport.unpark(completing);
        return completing != null && !completing.equals(Thread.currentThread());
    }

    private void run() {
        boolean ended = false;
        try {
            do {
                do {
                    complete();
                } while (rest());
            } while (goesOn());
            ended = true;
        } finally {
            if (!ended) {
                giveUp();
            }
        }
    }

    private synchronized void giveUp() {
        thread = null;
        notifyAll(); // a close goes on with another thread
    }

    /** Returns whether to look again: false where nothing came for a while, or the log closes. */
    private boolean rest() {
        long deadline = System.nanoTime() + maintenance.maxIdle().toNanos();
        resting = Thread.currentThread();
        for (long left = 1; left > 0 && pending.isEmpty() && !closing; left = deadline - System.nanoTime()) {
            LockSupport.parkNanos(this, maintenance.maxIdle().toNanos());
        }
        resting = null;
        return !pending.isEmpty();
    }

    /** Gives up the role; returns whether this thread took it back, for an append that came meanwhile. */
    private synchronized boolean goesOn() {
        thread = null;
        if (!pending.isEmpty()) {
            thread = Thread.currentThread();
            return true;
        }
        notifyAll();
        return false;
    }

    /** Waits for each in turn: the first wait commits all that is open, so the others hardly wait. */
    private void complete() {
        for (Pending next = pending.peek(); next != null; next = pending.peek()) {
            try {
                tell(next);
                pending.remove();
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(this, MEMORY_RECHECK_NANOS); // others may free some
            }
            boolean unused = Thread.interrupted(); // left behind by a caller's own action
        }
    }

    private void tell(Pending next) {
        IOException failure = null;
        try {
            writer.awaitCommitted(next.sequence());
        } catch (IOException e) {
            failure = e;
        } catch (RuntimeException | Error e) {
            writer.fail(e);
            failure = new IOException(e);
        }
        try {
            next.completion().done(failure);
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (RuntimeException | Error theCallersOwn) {
            // what a caller's own action throws must not cost the others their answers
        }
    }
}
