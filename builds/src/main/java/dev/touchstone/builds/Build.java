package dev.touchstone.builds;

import java.util.concurrent.CompletableFuture;

/**
 * A job that a client has handed to the master. Thread-safe. Its futures are completed by a thread of the client's, which must not be
 * blocked: what takes long belongs into an {@code Async} stage.
 */
public interface Build {
    /**
     * Returns the job's id, once the master has accepted the job: from then on it is not lost, if it is durable. A noop that is not durable may be accepted
     * only when it is done.
     *
     * @return the id; fails with a {@link BuildException} if the master refuses the job, or is not reached
     */
    CompletableFuture<String> accepted();

    /**
     * Returns the result of the job, once it has ended.
     *
     * @return the result, whatever it is; fails with a {@link BuildException} if there will be none
     */
    CompletableFuture<BuildResult> result();

    /**
     * Gives the log to a visitor from an offset on, as it grows, until the build has ended or the visitor wants no more. A lost connection does not show: the
     * log goes on where it was.
     *
     * @param offset in bytes, at least 0
     * @param visitor takes the bytes; not null
     * @return the offset behind the last byte given; fails with a {@link BuildException} if the log cannot be had, and with what the visitor throws
     */
    CompletableFuture<Long> follow(long offset, LogVisitor visitor);

    /**
     * Cancels the job, wherever it is.
     *
     * @param reason for the log and the result; not null
     * @return false if the job had ended before; fails with a {@link BuildException} if the master cannot be asked
     */
    CompletableFuture<Boolean> cancel(String reason);

    /**
     * Returns where the job is now.
     *
     * @return the status; fails with a {@link BuildException} if the master cannot be asked, or knows no such job
     */
    CompletableFuture<BuildStatus> status();
}
