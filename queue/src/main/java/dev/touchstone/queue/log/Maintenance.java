package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The background work of one log, done by the threads of the {@link QueueRuntime}. Thread-safe. */
public final class Maintenance implements Executor, Closeable {
    /*
     * Who calls:      any thread of the log; close() once, by the thread that closes the log, when nothing is appended any more.
     * Invariants:     preparing (forces of ended segments, spares) runs in order and one task at a time; so does reclaiming, beside it: a
     *                 consumed segment is deleted while a force is under way. After close() nothing of the log runs in the background.
     * Failure:        what work throws ends the log: onFailure.
     */
    private final QueueRuntime runtime;
    private final Path folder;
    private final Consumer<Throwable> onFailure;
    private final SerialExecutor preparing;
    private final SerialExecutor reclaiming;
    private final AtomicBoolean isReclaimPending = new AtomicBoolean();
    private final List<OneShotTimer> timers = new CopyOnWriteArrayList<>();

    /**
     * Creates the maintenance of one log, and acquires the runtime.
     *
     * @param onFailure ends the log; called with what its background work throws
     */
    public Maintenance(QueueRuntime runtime, Path folder, Consumer<Throwable> onFailure) {
        this.runtime = runtime;
        this.folder = folder;
        this.onFailure = onFailure;
        this.preparing = new SerialExecutor(runtime, onFailure);
        this.reclaiming = new SerialExecutor(runtime, onFailure);
        runtime.acquire();
    }

    /** Lets background work begin; what was asked for before waits until then, and is dropped where the log did not open. */
    public void start() {
        preparing.start();
        reclaiming.start();
    }

    /** Runs {@code work} later, after all work before it; ignores it once closed, since closing forces everything by itself. */
    @Override
    public void execute(Runnable work) {
        preparing.execute(work);
    }

    /** Runs {@code work} soon, once for all calls that come before it begins. */
    public void reclaim(Runnable work) {
        if (isReclaimPending.compareAndSet(false, true)) {
            reclaiming.execute(() -> {
                isReclaimPending.set(false);
                work.run();
            });
        }
    }

    /** Creates a timer that runs {@code work} when it is due. */
    public OneShotTimer timer(Runnable work) {
        OneShotTimer timer = new OneShotTimer(runtime::schedule, work, onFailure);
        timers.add(timer);
        return timer;
    }

    /** Runs {@code work} on a thread that nobody interrupts, because an interrupt loses the result of a force; waits for its end. */
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

    /** Work that may fail as file operations do. */
    public interface Work {
        /** Does the work. */
        void run() throws IOException;
    }

    /** Creates a thread of this log's own, not started. */
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "touchstone-queue-" + folder.getFileName());
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the time after which a thread without work ends. */
    public Duration maxIdle() {
        return runtime.maxIdle();
    }

    /** Waits for the work that runs, and does here what has not begun: the pool may be busy with other logs. */
    @Override
    public void close() throws IOException {
        try {
            timers.forEach(OneShotTimer::close);
            List<Runnable> left = new ArrayList<>(preparing.close());
            left.addAll(reclaiming.close());
            if (!left.isEmpty()) {
                uninterrupted(() -> left.forEach(this::run));
            }
        } finally {
            runtime.release();
        }
    }

    private void run(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) { // as in SerialExecutor
            onFailure.accept(e);
        }
    }
}
