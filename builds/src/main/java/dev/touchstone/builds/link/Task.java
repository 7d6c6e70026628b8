package dev.touchstone.builds.link;

import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.agent.store.Outcome;
import org.jspecify.annotations.Nullable;

/** An attempt that the agent has, from its assignment until the master has all of it. {@link Tasks} alone uses what is not final, under its lock. */
final class Task {
    final String jobId;
    final long number;
    final int attempt;
    final long epoch;
    /** True if the attempt runs or its outcome is known; false if it died with an earlier life. */
    final boolean alive;

    @Nullable
    Outcome outcome;
    /** True once the attempt was given up: nothing is said of it, and it is forgotten when it has ended. */
    boolean dropped;
    /** Bytes of the log that can be read. */
    long readable;
    /** Bytes of the log that were sent. */
    long sent;
    /** The offset up to which the log may be sent; less than `sent` for not at all. */
    long credit = -1;
    /** The assignment that is to begin when this has ended: another attempt of the same job. */
    @Nullable
    Assignment after;

    Task(String jobId, long number, int attempt, long epoch, boolean alive) {
        this.jobId = jobId;
        this.number = number;
        this.attempt = attempt;
        this.epoch = epoch;
        this.alive = alive;
    }

    boolean is(int ofAttempt, long ofEpoch) {
        return attempt == ofAttempt && epoch == ofEpoch;
    }

    long sendable() {
        return dropped ? 0 : Math.min(readable, credit) - sent;
    }
}
