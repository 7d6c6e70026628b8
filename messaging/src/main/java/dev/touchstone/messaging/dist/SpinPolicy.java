package dev.touchstone.messaging.dist;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * The time for which the leader polls before it blocks. Bounded, and off for a while where polling has not paid or other threads had the
 * processor meanwhile: on a busy machine a message comes sooner where nobody polls for it. Confined to the leader.
 */
final class SpinPolicy {
    private static final @Nullable MethodHandle IS_VIRTUAL = find();
    private static final long PREEMPTED_NANOS = 60_000;
    private static final long MIN_PAUSE_NANOS = 2_000_000;
    private static final long MAX_PAUSE_NANOS = 64_000_000;
    private static final int MAX_FAILURES = 64;

    private final long budgetNanos;
    private long pauseNanos = MIN_PAUSE_NANOS;
    private long offUntil;
    private long last;
    private int failures;

    /**
     * Makes a policy that begins with polling.
     *
     * @param budgetNanos longest polling; 0 never to poll
     */
    SpinPolicy(long budgetNanos) {
        this.budgetNanos = budgetNanos;
    }

    /** Returns the time until which to poll from {@code now} on; {@code now} where polling does not pay. */
    long begin(long now) {
        last = now;
        boolean off = budgetNanos == 0 || now - offUntil < 0;
        return off ? now : now + budgetNanos;
    }

    /** Returns whether to go on polling, at each round of it. False where the thread was long not running meanwhile. */
    boolean goesOn(long now) {
        boolean preempted = now - last > PREEMPTED_NANOS;
        last = now;
        if (preempted) {
            pause(now);
        }
        return !preempted;
    }

    void paid() {
        failures = 0;
        pauseNanos = MIN_PAUSE_NANOS;
    }

    void failed(long now) {
        failures++;
        if (failures >= MAX_FAILURES) {
            failures = 0;
            pause(now);
        }
    }

    private void pause(long now) {
        offUntil = now + pauseNanos;
        pauseNanos = Math.min(MAX_PAUSE_NANOS, 2 * pauseNanos);
    }

    private static @Nullable MethodHandle find() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException e) {
            return null; // a JDK before 21
        }
    }

    /** Returns whether a thread is virtual, and may therefore not lead: while others compute it is perhaps not scheduled. */
    static boolean isVirtual(Thread thread) {
        MethodHandle test = IS_VIRTUAL;
        if (test == null) {
            return false;
        }
        try {
            return (boolean) test.invokeExact(thread);
        } catch (Throwable e) {
            throw new AssertionError("Thread.isVirtual failed: thread=" + thread, e);
        }
    }
}
