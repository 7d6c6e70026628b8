package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A log's own threads, all daemons: one for work behind the appenders' backs, one that takes back what is consumed and waits for no such
 * work, one for what is due at times. Thread-safe.
 */
public final class Maintenance implements Executor, ThreadFactory, Closeable {
    private final Path folder;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(this);
    private final ExecutorService reclaimer = Executors.newSingleThreadExecutor(this);
    private final AtomicBoolean reclaiming = new AtomicBoolean();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(this); // no force delays it

    public Maintenance(Path folder) {
        this.folder = folder;
    }

    /** Has {@code work} done later, or not at all where the log is being closed, which does by itself what must be done. */
    @Override
    public void execute(Runnable work) {
        try {
            worker.execute(work);
        } catch (RejectedExecutionException closing) {
            // see above
        }
    }

    /** Has {@code work} done soon after this call, once for all calls by then. */
    public void reclaim(Runnable work) {
        if (reclaiming.compareAndSet(false, true)) {
            try {
                reclaimer.execute(() -> {
                    reclaiming.set(false);
                    work.run();
                });
            } catch (RejectedExecutionException closing) {
                // see above
            }
        }
    }

    /** Does {@code work} on a thread that nobody interrupts: the answer of a force that an interrupt cut short is lost. */
    public void uninterrupted(Work work) throws IOException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread = newThread(() -> {
            try {
                work.run();
            } catch (IOException | RuntimeException | Error e) {
                thrown.set(e);
            }
        });
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Throwable cause = thrown.get();
        if (cause instanceof IOException e) {
            throw e;
        } else if (cause instanceof RuntimeException e) {
            throw e;
        } else if (cause instanceof Error e) {
            throw e;
        }
    }

    /** Something that may fail as files do. */
    public interface Work {
        void run() throws IOException;
    }

    public void repeat(long nanos, Runnable work) {
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(work, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "touchstone-queue-" + folder.getFileName());
        thread.setDaemon(true);
        return thread;
    }

    /** Returns when all that was begun is done. */
    @Override
    public void close() {
        stop(timer);
        stop(worker);
        stop(reclaimer);
    }

    private static void stop(ExecutorService threads) {
        threads.shutdown();
        boolean interrupted = false;
        while (!threads.isTerminated()) {
            try {
                threads.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
