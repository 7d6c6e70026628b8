package dev.touchstone.queue.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The background threads that all logs of a process share: timers, and a small pool for maintenance. Thread-safe. */
public final class QueueRuntime implements Executor {
    /*
     * Who calls:      Maintenance, on behalf of one log. It acquires the runtime when its log is opened and releases it when the log is
     *                 closed.
     * Invariants:     at most TIMER_THREADS + POOL_THREADS + READING_THREADS threads, however many logs are open. The timer threads exist while a log is
     *                 open, so that arming a timer never has to start one; the pool's threads start on demand. Nothing is scheduled for
     *                 a log that has neither unwritten records nor retained segments.
     * Isolation:      one log occupies at most one timer thread (a OneShotTimer runs one firing at a time) and two threads of the pool (a
     *                 SerialExecutor each for preparing and for reclaiming). Each kind has one thread more than that, so a log whose
     *                 disk hangs does not stop the others. Tasks of different logs take turns, in the order in which they came.
     * Failure:        an Error in a task fails the task's log (SerialExecutor, OneShotTimer) and no other. A pool thread that ends by an
     *                 Error all the same is replaced by ThreadPoolExecutor.
     */
    private static final int TIMER_THREADS = 2;
    private static final int POOL_THREADS = 3;
    private static final int READING_THREADS = 2;

    private static final Duration MAX_IDLE = Duration.ofSeconds(3);
    private static final QueueRuntime SHARED = new QueueRuntime("touchstone-queue", MAX_IDLE);

    private final Duration maxIdle;
    private final ScheduledThreadPoolExecutor timers;
    private final ThreadPoolExecutor pool;
    private final ThreadPoolExecutor readers;

    @GuardedBy("this")
    private int logs;

    /**
     * Creates a runtime without threads.
     *
     * @param maxIdle the time after which a thread without work ends
     */
    QueueRuntime(String name, Duration maxIdle) {
        this(name, maxIdle, daemons(name + "-reading-"));
    }

    /** Creates a runtime whose reading threads come from a factory of the caller's. */
    QueueRuntime(String name, Duration maxIdle, ThreadFactory readingThreads) {
        this.maxIdle = maxIdle;
        timers = new ScheduledThreadPoolExecutor(TIMER_THREADS, daemons(name + "-timer-"));
        timers.setRemoveOnCancelPolicy(true);
        timers.setKeepAliveTime(maxIdle.toNanos(), TimeUnit.NANOSECONDS);
        pool = new ThreadPoolExecutor(
                POOL_THREADS,
                POOL_THREADS,
                maxIdle.toNanos(),
                TimeUnit.NANOSECONDS,
                new LinkedBlockingQueue<>(),
                daemons(name + "-maintenance-"));
        pool.allowCoreThreadTimeOut(true);
        readers = new ThreadPoolExecutor(
                0,
                READING_THREADS,
                maxIdle.toNanos(),
                TimeUnit.NANOSECONDS,
                new SynchronousQueue<>(),
                readingThreads,
                new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Returns the runtime of this process. */
    public static QueueRuntime shared() {
        return SHARED;
    }

    /** Makes threads that keep nothing of the thread that happened to need them first. */
    private static ThreadFactory daemons(String prefix) {
        AtomicInteger numbers = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(null, work, prefix + numbers.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            thread.setPriority(Thread.NORM_PRIORITY);
            thread.setContextClassLoader(null);
            return thread;
        };
    }

    /** Returns the time after which a thread without work ends. */
    Duration maxIdle() {
        return maxIdle;
    }

    /** Keeps the timer threads running until {@link #release}. */
    synchronized void acquire() {
        if (logs == 0) {
            timers.allowCoreThreadTimeOut(false);
            int unused = timers.prestartAllCoreThreads();
        }
        logs++;
    }

    /** Undoes one {@link #acquire}; after the last, all threads end within {@link #maxIdle} of their last work. */
    synchronized void release() {
        logs--;
        if (logs == 0) {
            timers.allowCoreThreadTimeOut(true);
        }
    }

    /** Runs {@code work} on a thread of the pool. */
    @Override
    public void execute(Runnable work) {
        pool.execute(work);
    }

    /**
     * Runs {@code read} on a thread of its own kind, or not at all where none is free or can be started: whoever needs the result then reads by
     * itself.
     */
    public void readAhead(Runnable read) {
        try {
            readers.execute(read);
        } catch (OutOfMemoryError noThread) {
            // the process has as many threads as it may have: no reason to fail a call that can do without
        }
    }

    /** Runs {@code work} on a timer thread after {@code nanos} nanoseconds; cancelling the returned future forgets it. */
    Future<?> schedule(Runnable work, long nanos) {
        return timers.schedule(work, nanos, TimeUnit.NANOSECONDS);
    }

    /** Returns the number of timers that are due some time; 0 means that no thread will wake up by itself. */
    int pendingTimers() {
        return timers.getQueue().size();
    }

    /** Returns the number of timers that have run. */
    long timersRun() {
        return timers.getCompletedTaskCount();
    }
}
