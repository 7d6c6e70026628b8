package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A table of jobs on disk, each of which is leased to one worker and removed when that worker has done it. The methods of a queue add
 * a job ({@link #write}), remove the first free job ({@link #read}) and show all jobs, leased or not ({@link #scan}).
 *
 * <p>Any number of workers call the methods of this interface. A lease that is out for longer than {@link #LEASE_MILLIS} has ended,
 * and so has every lease of a table that was closed: its job is handed out again.
 */
public interface JobTable extends QueueUnderTest {

    /** Time of a lease in milliseconds: the builder's default of our queue. */
    long LEASE_MILLIS = 30_000;

    /** Leases the oldest free job to the caller, or returns null where no job is free. */
    @Nullable
    Job lease() throws IOException;

    /**
     * Removes a job that is done. The removal survives a killed process when the call returns, or is part of the batch of a subject
     * that batches in memory; it is on the device of a durable subject once a later {@link #exchange} or {@link #write} has returned.
     *
     * @throws IllegalStateException if the lease of {@code done} has ended
     */
    void finish(Job done) throws IOException;

    /**
     * Removes a job that is done, adds another, and leases the oldest free job to the caller. Removal and addition have the durability
     * that the subject promises when the call returns. A subject may do any two or all three of them in one transaction, so that it
     * waits for the device only once.
     *
     * @throws IllegalStateException if the lease of {@code done} has ended
     */
    @Nullable
    Job exchange(Job done, byte[] added) throws IOException;

    /** A job that is leased to one worker. */
    @FunctionalInterface
    interface Job {

        /** Returns the job's record, which nobody may change. */
        byte[] payload();
    }
}
