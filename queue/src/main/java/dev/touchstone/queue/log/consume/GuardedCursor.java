package dev.touchstone.queue.log.consume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.consume.ChangeGuard.Step;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The calls of a cursor: steps under its lock, and the treatment of damage that they meet. */
abstract class GuardedCursor {
    /*
     * Lock:           this monitor. User code (codec, damage handler) runs in the caller, never under the lock.
     */
    final ConsumedLog log;

    @GuardedBy("this")
    final ChangeGuard changes;

    volatile boolean dropped;

    GuardedCursor(ConsumedLog log, String name) {
        this.log = log;
        this.changes = new ChangeGuard(name.isEmpty() ? "the queue's own cursor" : "cursor=" + name, log::fail);
    }

    /** Consumes a damaged record, and those behind it that cannot be read, unless that was done meanwhile. */
    abstract void pass(long sequence) throws IOException;

    /** Returns what a step returns; damage that it meets is passed as the owner decides. */
    <R> @Nullable R run(Step<R> step) throws IOException {
        for (; ; ) {
            DamagedRecord damaged;
            try {
                return whileOpen(step);
            } catch (DamagedRecord e) {
                damaged = e;
            }
            LogOptions.OnDamage decision = log.onDamage(damaged.damage());
            if (decision != LogOptions.OnDamage.STOP) {
                pass(damaged.sequence());
            }
            if (decision != LogOptions.OnDamage.SKIP) {
                throw damaged.damage();
            }
        }
    }

    /** Runs a step under the lock, if the cursor is open. */
    synchronized <R> @Nullable R whileOpen(Step<R> step) throws IOException {
        checkOpen();
        return locked(step);
    }

    synchronized <R> @Nullable R locked(Step<R> step) throws IOException {
        return changes.take(step);
    }

    /** Returns what a step under the lock returns, and lets waiting consumers look again: a lease may be free. */
    boolean raising(Step<Boolean> step) throws IOException {
        try {
            return Boolean.TRUE.equals(step.take());
        } finally {
            log.arrivals().raise();
        }
    }

    void checkOpen() throws LogClosedException {
        if (dropped) {
            throw new LogClosedException("cursor was dropped");
        }
        log.checkOpen();
    }
}
