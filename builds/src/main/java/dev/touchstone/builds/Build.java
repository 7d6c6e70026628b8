package dev.touchstone.builds;

import java.util.concurrent.CompletableFuture;

/**
 * One job that a client has handed to the master. Thread-safe. Its futures are completed by a thread of the client's, which must not be
 * blocked: what takes long belongs into an {@code Async} stage.
 */
public interface Build {
    /**
     * The job's id, once the master has accepted the job: from then on it is not lost, if it is durable.
     * Fails with a {@link BuildException} where the master refuses it. A noop that is not durable may be accepted only when it is done.
     */
    CompletableFuture<String> accepted();

    /** The result, whatever it is; fails with a {@link BuildException} where there will be none. */
    CompletableFuture<BuildResult> result();

    /**
     * Gives the log to a visitor from an offset on, as it grows, until the build has ended; completes with the offset behind the last byte given.
     * A lost connection does not show: it goes on where it was.
     */
    CompletableFuture<Long> follow(long offset, LogVisitor visitor);

    /** Cancels it, wherever it is; completes with false where it had ended before. */
    CompletableFuture<Boolean> cancel(String reason);

    /** Where it is now. */
    CompletableFuture<BuildStatus> status();
}
