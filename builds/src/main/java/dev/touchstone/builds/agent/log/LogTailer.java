package dev.touchstone.builds.agent.log;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.LockSupport;

/** One thread that looks after all logs that scripts are writing: tells who waits when one grew, and cuts those that are too long. */
public final class LogTailer implements AutoCloseable {
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

    /** Calls {@code grew} on the tailer's thread whenever the log did; it must not block. */
    public void watch(KeptLog log, Runnable grew) {
        watched.put(log, grew);
        LockSupport.unpark(thread);
    }

    /** Ends {@link #watch}. */
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
            watched.forEach((log, grew) -> {
                if (log.poll()) {
                    grew.run();
                }
            });
            LockSupport.parkNanos(this, tickNanos);
        }
    }
}
