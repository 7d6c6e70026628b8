package dev.touchstone.queue.log;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Something that threads wait for; raising it costs one read while nobody waits. Thread-safe. */
public final class Signal {
    /*
     * No lost wake-up: a waiter counts itself first and looks at the state afterwards, under the lock; who changes the state looks at
     * the count afterwards. So either the waiter sees the change, or the changer sees the waiter and takes the lock, which it gets
     * only when the waiter waits.
     */
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Lets everybody who waits look again; called after the change that they wait for. */
    public void raise() {
        if (waiting.get() > 0) {
            lock.lock();
            try {
                raised.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Returns once {@code ready} holds or {@code deadlineNanos} of {@link System#nanoTime} is reached.
     *
     * @param ready must not take a lock under which {@link #raise} is called
     */
    public void await(BooleanSupplier ready, long deadlineNanos) throws InterruptedException {
        waiting.getAndIncrement();
        try {
            lock.lockInterruptibly();
            try {
                long left = deadlineNanos - System.nanoTime();
                while (left > 0 && !ready.getAsBoolean()) {
                    left = raised.awaitNanos(left);
                }
            } finally {
                lock.unlock();
            }
        } finally {
            waiting.getAndDecrement();
        }
    }
}
