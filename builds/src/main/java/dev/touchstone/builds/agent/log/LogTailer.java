package dev.touchstone.builds.agent.log;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;

/** A thread that has the growth of all logs told. */
public final class LogTailer implements AutoCloseable {
    /*
     * Who calls:  executors `watch` and `forget`; the own thread calls what is watched, which must neither wait nor throw: no other log would be
     *             looked at.
     * Ordering:   `watch` adds the log before it wakes the thread, so a thread that parks because there was none has a permit.
     */
    private final ConcurrentMap<KeptLog, Runnable> watched = new ConcurrentHashMap<>();
    private final Thread thread;
    private final long tickNanos;
    private volatile boolean closed;

    /**
     * Starts the thread.
     *
     * @param tick between two looks
     */
    public LogTailer(Duration tick) {
        tickNanos = tick.toNanos();
        thread = new Thread(this::run, "builds-log-tailer");
        thread.setDaemon(true);
        thread.start();
    }

    /** Looks at the log at each tick, and calls {@code looked} then, on the tailer's thread; it must not block. */
    public void watch(KeptLog log, Runnable looked) {
        watched.put(log, looked);
        LockSupport.unpark(thread);
    }

    /** Ends {@link #watch}; a look may be under way. */
    public void forget(KeptLog log) {
        watched.remove(log);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!closed) {
            if (watched.isEmpty()) {
                LockSupport.park(this); // watch comes first and wakes then
                continue;
            }
            long next = System.nanoTime() + tickNanos;
            for (long left = tickNanos; left > 0 && !closed; left = next - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
            }
            watched.values().forEach(Runnable::run);
        }
    }
}
