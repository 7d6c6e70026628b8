package dev.touchstone.builds.master.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The logs of all jobs. The dispatcher begins and ends leases, one thread appends, others read. What has been appended survives a killed process;
 * a log is forced to the device when its build has ended. Thread-safe.
 */
public final class LogStore implements AutoCloseable {
    /*
     * Who calls:  the dispatcher begins, completes and ends leases and deletes; the logs' thread `find` and `checkComplete`; any thread `size` and
     *             `read`; `closer` forces, closes and deletes.
     * Invariants: a job is in `leased` from its first lease until its end. Who waits for the end of its log is in `waiting`, and is told once: by
     *             whoever takes it from there.
     * Ordering:   `complete` puts into `waiting` before the log knows its length, so that whoever sees the log complete finds whom to tell. A log is
     *             forced before that is told, and deleted behind all that was begun before.
     * Failure:    a log that cannot be forced is in the log; a failure of `closer` ends the master.
     */
    private static final Logger LOG = System.getLogger(LogStore.class.getName());

    private final AttemptFiles files;
    private final Map<Long, JobLog> leased = new ConcurrentHashMap<>();
    private final Map<Long, BiConsumer<Long, String>> waiting = new ConcurrentHashMap<>();
    private final ExecutorService closer;

    /**
     * Creates a store.
     *
     * @param failed told the name of a thread and its failure if a log cannot be ended, and its job would wait for ever
     */
    public LogStore(AttemptFiles files, BiConsumer<String, Throwable> failed) {
        this.files = files;
        closer = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "builds-log-closer");
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((ended, e) -> failed.accept(ended.getName(), e));
            return thread;
        });
    }

    /** Returns the files of the logs. */
    public AttemptFiles files() {
        return files;
    }

    /** Returns the log of a job that has a lease; null if it has none. */
    public @Nullable JobLog find(long job) {
        return leased.get(job);
    }

    /** Begins a new attempt as {@link #lease} does, whose log is empty whatever an earlier life of the master has left. */
    public void begin(long job, String agent, int attempt, long epoch, long most) {
        try {
            files.begin(job, attempt);
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "old log cannot be removed: job=" + job + " attempt=" + attempt, e);
        }
        long unused = lease(job, agent, attempt, epoch, most);
    }

    /**
     * Begins a lease, or goes on with one after a restart.
     *
     * @param most bytes of output that the request lets the log have
     * @return the length of what is there of this attempt's log
     */
    public long lease(long job, String agent, int attempt, long epoch, long most) {
        JobLog log = leased.computeIfAbsent(job, number -> new JobLog(files, number));
        waiting.remove(job);
        try {
            log.lease(agent, attempt, epoch, most);
        } catch (IOException e) {
            // the agent's bytes will be refused for the same reason, and asked for again
            LOG.log(Logger.Level.WARNING, "log cannot be opened: job=" + job + " attempt=" + attempt, e);
        }
        return log.length();
    }

    /**
     * Has {@code done} told, by a thread of the store's, how long the whole log is, once this attempt's is here up to {@code bytes}, and why it is not on
     * the device; an empty string if it is.
     */
    public void complete(long job, long bytes, BiConsumer<Long, String> done) {
        JobLog log = leased.get(job);
        if (log == null) {
            throw new IllegalStateException("no lease: job=" + job);
        }
        waiting.put(job, done);
        boolean unused = log.expect(bytes);
        checkComplete(job, log);
    }

    /** Ends a log to which the last bytes that are expected were appended. */
    public void checkComplete(long job, JobLog log) {
        if (!log.takeComplete()) {
            return;
        }
        BiConsumer<Long, String> done = waiting.remove(job);
        log.fence();
        if (done != null) {
            closer.execute(() -> {
                String problem = end(job, log);
                done.accept(log.total(), problem);
            });
        }
    }

    /** Has the log on the device and closes it; returns why that failed, else an empty string. */
    private static String end(long job, JobLog log) {
        try (log) {
            log.force();
            return "";
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "log cannot be forced: job=" + job, e);
            return String.valueOf(e.getMessage());
        }
    }

    /** Ends a lease: nothing is appended from now on. */
    public void fence(long job) {
        waiting.remove(job);
        JobLog log = leased.get(job);
        if (log != null) {
            log.fence();
        }
    }

    /** Ends a lease of a job that has ended; returns how long the log is. */
    public long end(long job) {
        waiting.remove(job);
        JobLog log = leased.remove(job);
        if (log != null) {
            log.fence();
            closer.execute(() -> {
                String unused = end(job, log);
            });
        }
        return size(job);
    }

    /** Returns the bytes of all attempts. */
    public long size(long job) {
        JobLog log = leased.get(job);
        if (log != null) {
            return log.total();
        }
        try {
            return files.total(job);
        } catch (IOException e) {
            throw new UncheckedIOException("log cannot be read: job=" + job, e);
        }
    }

    /** Reads as {@link AttemptFiles#read}. */
    public int read(long job, long offset, ByteBuffer into) throws IOException {
        return files.read(job, offset, into);
    }

    /** Deletes the log of a job, by and by. */
    public void delete(long job) {
        closer.execute(() -> {
            try {
                files.delete(job);
            } catch (IOException e) {
                LOG.log(Logger.Level.WARNING, "log cannot be deleted: job=" + job, e);
            }
        });
    }

    @Override
    public void close() {
        closer.shutdown();
        for (JobLog log : leased.values()) {
            try {
                log.close();
            } catch (IOException e) {
                LOG.log(Logger.Level.WARNING, "log cannot be closed", e);
            }
        }
    }
}
