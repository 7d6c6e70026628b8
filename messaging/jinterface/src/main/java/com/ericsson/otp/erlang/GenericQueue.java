package com.ericsson.otp.erlang;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** A queue without a bound between threads. */
public class GenericQueue {
    /*
     * Who calls:      any thread puts and takes.
     * Invariants:     a closed queue takes in nothing more.
     * Ordering:       first in, first out.
     * Failure:        close() ends waiting calls: without a time limit with null, with one when it is over.
     */
    @GuardedBy("this")
    private final ArrayDeque<Object> items = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean closed;

    /** Creates an empty queue. */
    public GenericQueue() {}

    /** Removes all objects. */
    public synchronized void flush() {
        items.clear();
    }

    /** Takes in no more objects, and ends the waiting for them. */
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /**
     * Adds an object, unless the queue is closed.
     *
     * @param object the object, not null
     */
    public synchronized void put(Object object) {
        if (!closed) {
            items.add(object);
            notifyAll();
        }
    }

    /**
     * Takes the oldest object, and waits for one. Interrupts are kept for later.
     *
     * @return the object, or null where the queue is closed and empty
     */
    public synchronized Object get() {
        boolean interrupted = false;
        while (items.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return items.poll();
    }

    /**
     * Takes the oldest object, and waits for one within a time.
     *
     * @param timeout milliseconds
     * @return the object
     * @throws InterruptedException if none came in time
     */
    public synchronized Object get(long timeout) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeout);
        while (items.isEmpty()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new InterruptedException("Get operation timed out");
            }
            wait(left);
        }
        return items.poll();
    }

    /**
     * Takes the oldest object if there is one.
     *
     * @return the object, or null
     */
    public synchronized Object tryGet() {
        return items.poll();
    }

    /**
     * Returns the number of objects.
     *
     * @return the number of objects
     */
    public synchronized int getCount() {
        return items.size();
    }
}
