package dev.touchstone.queue.replicated;

import dev.touchstone.queue.replicated.link.Reasons;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The time limit of a client's call, with the reason for which the call waits. Not thread-safe: belongs to the calling thread. */
final class CallDeadline {
    static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long RETRY_MILLIS = 100;

    private final String request;
    private final Duration limit;
    private final Consumer<String> listener;
    private final long startNanos = System.nanoTime();
    private long toldNanos = startNanos;
    private String reason = "no member has answered";
    private boolean mayBeDone;

    /**
     * Creates a limit that counts from now.
     *
     * @param request what is asked for, the beginning of all messages
     * @param listener told why the call waits, every two seconds
     */
    CallDeadline(String request, Duration limit, Consumer<String> listener) {
        this.request = request;
        this.limit = limit;
        this.listener = listener;
    }

    /** Returns the nanoseconds that are left, negative if the time is over. */
    long leftNanos() {
        return limit.toNanos() - (System.nanoTime() - startNanos);
    }

    /** Sets the reason for which the call waits, and tells it if the call has waited for long. */
    void because(String newReason) {
        reason = newReason;
        long now = System.nanoTime();
        if (now - toldNanos >= TELL_NANOS) {
            toldNanos = now;
            listener.accept(request + ": waiting: " + reason);
        }
    }

    /** Notes that a request was sent of which nobody knows whether it was done. */
    void noteUnknown() {
        mayBeDone = true;
    }

    /** Returns whether a request was sent of which nobody knows whether it was done. */
    boolean mayBeDone() {
        return mayBeDone;
    }

    /**
     * Waits for a moment before the next attempt, as an election may be under way.
     *
     * @throws NoLeaderException if the time is over
     */
    void pause() throws NoLeaderException, InterruptedIOException {
        if (leftNanos() <= 0) {
            throw new NoLeaderException(request + ": not done within " + Reasons.shown(limit)
                    + (mayBeDone ? ", and it is not known whether it will be done: " : ": ") + reason);
        }
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Restores the thread's interrupt; returns the exception for it. */
    InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException(request + ": interrupted");
    }

    /** Returns a message that begins with the request. */
    String message(String text) {
        return request + ": " + text;
    }
}
