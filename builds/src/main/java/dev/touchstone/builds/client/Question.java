package dev.touchstone.builds.client;

import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.wire.FromClient;
import dev.touchstone.builds.wire.ToClient;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Something that a client asks the master, once for each connection until it is answered. */
interface Question {
    /** The message. */
    FromClient message(long session, long ask);

    /** Takes the answer. By the receiver's thread. */
    void answer(ToClient answer);

    /** There is no answer. */
    void fail(BuildException cause);

    static Question cancel(long job, String reason, CompletableFuture<Boolean> was) {
        return new Question() {
            @Override
            public FromClient message(long session, long ask) {
                return new FromClient.Cancel(session, ask, job, reason);
            }

            @Override
            public void answer(ToClient answer) {
                if (answer instanceof ToClient.Cancelled cancelled) {
                    was.complete(cancelled.was());
                }
            }

            @Override
            public void fail(BuildException cause) {
                was.completeExceptionally(cause);
            }
        };
    }

    static Question status(String jobId, long job, CompletableFuture<BuildStatus> status) {
        return new Question() {
            @Override
            public FromClient message(long session, long ask) {
                return new FromClient.Ask(session, ask, job);
            }

            @Override
            public void answer(ToClient answer) {
                if (answer instanceof ToClient.Status told) {
                    status.complete(of(jobId, told));
                }
            }

            @Override
            public void fail(BuildException cause) {
                status.completeExceptionally(cause);
            }
        };
    }

    private static BuildStatus of(String jobId, ToClient.Status told) {
        Optional<BuildResult> result = told.ending().stream().findFirst().map(ending -> ending.of(jobId));
        return new BuildStatus(
                jobId,
                told.phase(),
                told.reason(),
                told.agent(),
                told.attempt(),
                Instant.ofEpochMilli(told.acceptedMillis()),
                told.logBytes(),
                told.output(),
                result);
    }
}
