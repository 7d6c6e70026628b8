package dev.touchstone.queue.log.commit;

import dev.touchstone.queue.log.engine.RecordLog;
import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits for records on behalf of appenders that don't, on a thread of its own, begun when it is first needed. Thread-safe. */
public final class AsyncCommits {
    /*
     * The thread waits as a writer does, and so writes what is open when nobody else does. No lost wake-up: an appender adds first and
     * looks then whether the thread rests or has ended; the thread says first that it does and looks then whether something was
     * added.
     */
    private final LogWriter writer;
    private final ThreadFactory threads;
    private final ConcurrentLinkedQueue<Pending> pending = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread thread; // written under this
    private volatile @Nullable Thread resting;
    private volatile boolean closing;
    private volatile boolean ended;

    private record Pending(long sequence, RecordLog.Completion completion) {}

    public AsyncCommits(LogWriter writer, ThreadFactory threads) {
        this.writer = writer;
        this.threads = threads;
    }

    /** Has {@code completion} told when the record with this sequence, which has been put, is committed. */
    public void await(long sequence, RecordLog.Completion completion) {
        pending.add(new Pending(sequence, completion));
        LockSupport.unpark(resting);
        if (thread == null) {
            begin();
        } else if (ended) {
            complete(); // the log is closed, so nobody has to be waited for
        }
    }

    private synchronized void begin() {
        if (thread == null) {
            Thread started = threads.newThread(this::run);
            started.start();
            thread = started;
        }
    }

    /** Returns when all completions were told; the writer is closed before. */
    public void close() {
        closing = true;
        Thread started;
        synchronized (this) {
            started = thread;
        }
        boolean interrupted = false;
        while (started != null && started.isAlive() && !started.equals(Thread.currentThread())) {
            LockSupport.unpark(started);
            try {
                started.join(10);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closing || !pending.isEmpty()) {
            complete();
            rest();
        }
        ended = true;
        complete();
    }

    private void rest() {
        resting = Thread.currentThread();
        if (pending.isEmpty() && !closing) {
            LockSupport.park(this);
        }
        resting = null;
    }

    /** Waits for each in turn: the first wait commits all that is open, so the others hardly wait. */
    private void complete() {
        for (Pending next = pending.poll(); next != null; next = pending.poll()) {
            IOException failure = null;
            try {
                writer.awaitCommitted(next.sequence());
            } catch (IOException e) {
                failure = e;
            }
            try {
                next.completion().done(failure);
            } catch (RuntimeException | Error theCallersOwn) {
                // what a caller's own action throws must not cost the others their answers
            }
            boolean unused = Thread.interrupted(); // nor must the interrupt that it leaves behind
        }
    }
}
