package dev.touchstone.builds.agent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.agent.log.BuildLog;
import org.jspecify.annotations.Nullable;

/** Sees to it that what a log grows by is made readable and told, until the job's end. Thread-safe. */
final class LogProgress {
    /*
     * Who calls:  the tailer `look`; the executor `wakeWith` and `end`.
     * Invariants: lengths that are told only grow. Nothing is told once `end` has returned, so the listener is called with the lock.
     */
    private final CheckedJob job;
    private final BuildLog log;
    private volatile @Nullable Runnable wake;

    @GuardedBy("this")
    private long toldBytes;

    @GuardedBy("this")
    private boolean ended;

    LogProgress(CheckedJob job, BuildLog log) {
        this.job = job;
        this.log = log;
    }

    /**
     * Sets what wakes the executor.
     *
     * @param executor wakes the executor where it has to pump; null where it does without being told
     */
    void wakeWith(@Nullable Runnable executor) {
        wake = executor;
    }

    /** Called now and then. */
    void look() {
        tell();
        Runnable executor = wake;
        if (executor != null && log.isBehind()) {
            executor.run();
        }
    }

    private synchronized void tell() {
        long bytes = log.readableBytes();
        if (!ended && bytes > toldBytes) {
            toldBytes = bytes;
            Listeners.logGrew(job, bytes);
        }
    }

    /** Has nothing told any more: the outcome says how long the log is. */
    synchronized void end() {
        ended = true;
    }
}
