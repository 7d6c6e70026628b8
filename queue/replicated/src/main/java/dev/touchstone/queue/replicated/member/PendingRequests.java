package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Status;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Requests of a member that have no outcome yet. Thread-safe. */
final class PendingRequests {
    /*
     * Who calls:   any thread adds; those that tell an outcome remove; a timer and close() end what is left.
     * Why:         jraft and bolt lose a closure in rare cases (a task behind the shutdown event, an answer that cannot be read); the
     *              sender is told nevertheless.
     */
    private final Set<Pending> pending = ConcurrentHashMap.newKeySet();

    /** Adds a request. */
    Pending add(Consumer<@Nullable Throwable> done, Function<Status, IOException> failures, long deadlineNanos) {
        Pending request = new Pending(this, done, failures, deadlineNanos);
        pending.add(request);
        return request;
    }

    void remove(Pending request) {
        pending.remove(request);
    }

    /** Ends the requests whose deadline has passed. */
    void expire(long nowNanos, Supplier<IOException> failure) {
        for (Pending request : pending) {
            if (request.deadlineNanos() - nowNanos < 0) {
                request.tell(failure.get());
            }
        }
    }

    /** Ends all requests. */
    void failAll(Supplier<IOException> failure) {
        for (Pending request : pending) {
            request.tell(failure.get());
        }
    }
}
