package dev.touchstone.queue.log;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Something that threads wait for; raising it costs one read while nobody waits. Thread-safe. */
public final class Signal {
    /*
     * No lost wake-up: a waiter enters `waiters` first and looks at the state afterwards; who changes the state looks at `waiters`
     * afterwards. So either the waiter sees the change, or the changer sees the waiter and marks it. A marked waiter looks again, so it
     * does not matter that a lock which `ready` takes may use up the permit of its thread.
     * Failure:        no lock is held at any time, so none is left behind by a thread that has no stack left to release it.
     */
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

    private static final class Waiter {
        private final Thread thread = Thread.currentThread();
        private volatile boolean isRaised;
    }

    /** Lets everybody who waits look again; called after the change that they wait for. */
    public void raise() {
        if (!waiters.isEmpty()) {
            for (Waiter waiter : waiters) {
                waiter.isRaised = true;
                LockSupport.unpark(waiter.thread);
            }
        }
    }

    /**
     * Returns once {@code ready} holds or {@code deadlineNanos} of {@link System#nanoTime} is reached.
     *
     * @param ready called under no lock of this class
     */
    public void await(BooleanSupplier ready, long deadlineNanos) throws InterruptedException {
        Waiter self = new Waiter();
        waiters.add(self);
        try {
            long left = deadlineNanos - System.nanoTime();
            while (left > 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                self.isRaised = false;
                if (ready.getAsBoolean()) {
                    return;
                }
                while (!self.isRaised && left > 0 && !Thread.currentThread().isInterrupted()) {
                    LockSupport.parkNanos(this, left);
                    left = deadlineNanos - System.nanoTime();
                }
            }
        } finally {
            waiters.remove(self);
        }
    }
}
