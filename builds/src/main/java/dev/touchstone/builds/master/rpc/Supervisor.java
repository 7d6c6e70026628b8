package dev.touchstone.builds.master.rpc;

import java.lang.System.Logger;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the threads of a master, none of which it can do without: one that ends by itself, for whatever reason, ends the master, which says so.
 * Thread-safe.
 */
public final class Supervisor {
    /*
     * Who calls:  any thread of the master `failed`; whoever closes the master `closing`.
     * Invariants: the first of `failed` and `closing` settles `end`, and what fails later is told to nobody.
     * Ordering:   `failed` starts the thread that closes the master before it completes `end`: where there is no memory for a thread, `report`
     *             calls it again. That thread begins with `closing`, which waits for the lock, so that the failure is what `end` says.
     */
    private static final Logger LOG = System.getLogger(Supervisor.class.getName());

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Runnable close;
    private final CompletableFuture<Optional<Throwable>> end = new CompletableFuture<>();

    /** The work of a thread. */
    public interface Service {
        /** Works until it is interrupted or its mailbox is closed. */
        void run() throws InterruptedException;
    }

    /** Creates the supervisor of a master that is closed by a task. */
    public Supervisor(Runnable close) {
        this.close = close;
    }

    /** Returns a thread for a service, which is not started yet. */
    public Thread thread(String name, Service service) {
        Thread thread = new Thread(
                () -> {
                    try {
                        service.run();
                        failed(name, new IllegalStateException("returned"));
                    } catch (InterruptedException | RuntimeException | Error e) {
                        report(name, e);
                    }
                },
                name);
        thread.setDaemon(true);
        return thread;
    }

    /** Reports a failure, and again while there is no memory to report it: else nobody would notice. */
    @SuppressWarnings("UnusedException") // there may be no memory for another
    private void report(String thread, Throwable cause) {
        boolean isReported = false;
        while (!isReported) {
            try {
                failed(thread, cause);
                isReported = true;
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
    }

    /** Ends the master, unless it is closed, because a thread could not do its work. */
    public synchronized void failed(String thread, Throwable cause) {
        if (end.isDone()) {
            return;
        }
        String message = "a thread of the master has ended: name=" + thread;
        Optional<Throwable> failure = Optional.of(new IllegalStateException(message, cause));
        new Thread(close, "builds-failed").start(); // waits for the thread that has failed
        boolean unused = end.complete(failure);
        LOG.log(Logger.Level.ERROR, message, cause);
    }

    /** Returns whether the master ends or has ended. */
    public boolean isEnding() {
        return end.isDone();
    }

    /** Notes that threads end because the master is closed. */
    public synchronized void closing() {
        end.complete(Optional.empty());
    }

    /** Waits until the master ends; returns why, empty if it was closed. */
    public Optional<Throwable> await() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new AssertionError("an end is no failure of its own", e);
        }
    }

    /** Waits for the end of another thread; returns at once in the thread itself. An interrupt is kept for later. */
    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive() && thread != Thread.currentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
