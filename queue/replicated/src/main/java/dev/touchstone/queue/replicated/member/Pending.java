package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Status;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request whose sender waits to be told its outcome, once. Given to jraft as a closure. */
final class Pending implements Closure {
    private static final System.Logger LOG = System.getLogger(Pending.class.getName());

    private final PendingRequests requests;
    private final Consumer<@Nullable Throwable> done;
    private final Function<Status, IOException> failures;
    private final long deadlineNanos;
    private final AtomicBoolean told = new AtomicBoolean();

    /**
     * Creates a request.
     *
     * @param failures makes an exception of a status of jraft that is no success
     * @param deadlineNanos value of {@link System#nanoTime} at which it fails
     */
    Pending(
            PendingRequests requests,
            Consumer<@Nullable Throwable> done,
            Function<Status, IOException> failures,
            long deadlineNanos) {
        this.requests = requests;
        this.done = done;
        this.failures = failures;
        this.deadlineNanos = deadlineNanos;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public void run(Status status) {
        tell(status.isOk() ? null : failures.apply(status));
    }

    /** Tells the outcome, unless it was told. */
    void tell(@Nullable Throwable failure) {
        if (told.compareAndSet(false, true)) {
            requests.remove(this);
            try {
                done.accept(failure);
            } catch (Throwable e) { // also an Error: jraft's applying thread would apply entries again after it
                LOG.log(System.Logger.Level.WARNING, "the receiver of a request's outcome failed", e);
            }
        }
    }
}
