package dev.touchstone.queue.replicated.link;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Warnings about what others send, at most {@value #MAX_LINES} a minute, so that nobody fills the log of another. Thread-safe. */
final class LimitedLog {
    static final int MAX_LINES = 10;

    private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final System.Logger log;

    @GuardedBy("this")
    private long windowStart = System.nanoTime();

    @GuardedBy("this")
    private int lines;

    @GuardedBy("this")
    private long left;

    LimitedLog(System.Logger log) {
        this.log = log;
    }

    /**
     * Logs a warning, or counts it for the next one that is logged.
     *
     * @param cause failure whose stack is of use; null for none
     */
    void warn(String text, @Nullable Throwable cause) {
        long unlogged;
        synchronized (this) {
            long now = System.nanoTime();
            if (now - windowStart >= WINDOW_NANOS) {
                windowStart = now;
                lines = 0;
            }
            if (lines == MAX_LINES) {
                left++;
                return;
            }
            lines++;
            unlogged = left;
            left = 0;
        }
        log.log(
                System.Logger.Level.WARNING,
                unlogged == 0 ? text : text + " (warnings left out before: " + unlogged + ")",
                cause);
    }
}
