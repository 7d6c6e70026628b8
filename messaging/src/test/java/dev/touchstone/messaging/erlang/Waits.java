package dev.touchstone.messaging.erlang;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.term.Term;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for conditions in tests. */
final class Waits {
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long STEP_NANOS = 1_000_000;

    private Waits() {}

    /** The next message, which must come. */
    static Term next(Mailbox box) throws InterruptedException {
        Term message = box.receive(Duration.ofNanos(MAX_NANOS));
        if (message == null) {
            throw new AssertionError("no message came to " + box);
        }
        return message;
    }

    /** Returns once {@code condition} holds. */
    static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > MAX_NANOS) {
                throw new AssertionError("did not come: " + what);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }
}
