package dev.touchstone.messaging.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The moment that a node gives itself to read the end of a peer's last connection, where that peer connects again. The peer closed the
 * last one first, but another thread reads it.
 */
final class ReconnectGrace {
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private ReconnectGrace() {}

    /**
     * Waits until a connection is out of use, 50 ms at most. The caller holds no lock: the thread that ends the connection needs some.
     *
     * @param isInUse whether the connection is still in use
     * @return whether it is out of use
     */
    static boolean awaitEnd(BooleanSupplier isInUse) {
        long begin = System.nanoTime();
        while (isInUse.getAsBoolean()) {
            if (System.nanoTime() - begin > GRACE_NANOS) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }
}
