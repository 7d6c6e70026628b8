package dev.touchstone.builds.client;

import com.google.protobuf.Message;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Something that a client asks the master, once for each connection until it is answered. */
interface Question {
    /** Asks it. */
    void ask(Session session, long ask);

    /** Takes the answer, which may be of another kind than was asked for. By the receiver's thread. */
    void answer(Message answer);

    /** Notes that there is no answer. */
    void fail(BuildException cause);

    static Question cancel(long job, String reason, CompletableFuture<Boolean> was) {
        return new Question() {
            @Override
            public void ask(Session session, long ask) {
                session.send(Wire.FromClient.newBuilder()
                        .setCancel(Wire.CancelJob.newBuilder()
                                .setAsk(ask)
                                .setJob(job)
                                .setReason(reason)));
            }

            @Override
            public void answer(Message answer) {
                if (answer instanceof Wire.Cancelled cancelled) {
                    was.complete(cancelled.getWas());
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
            public void ask(Session session, long ask) {
                session.send(Wire.FromClient.newBuilder()
                        .setAsk(Wire.Ask.newBuilder().setAsk(ask).setJob(job)));
            }

            @Override
            public void answer(Message answer) {
                if (answer instanceof Wire.Status told) {
                    status.complete(of(jobId, told));
                }
            }

            @Override
            public void fail(BuildException cause) {
                status.completeExceptionally(cause);
            }
        };
    }

    private static BuildStatus of(String jobId, Wire.Status told) {
        Optional<BuildResult> result =
                told.hasEnding() ? Optional.of(Ending.of(told.getEnding()).toResult(jobId)) : Optional.empty();
        return new BuildStatus(
                jobId,
                phase(told.getPhase()),
                told.getReason(),
                told.getAgent(),
                told.getAttempt(),
                Instant.ofEpochMilli(told.getAcceptedMillis()),
                told.getLogBytes(),
                told.getOutput(),
                result);
    }

    private static BuildStatus.Phase phase(Wire.Phase phase) {
        return switch (phase) {
            case QUEUED -> BuildStatus.Phase.QUEUED;
            case ASSIGNED -> BuildStatus.Phase.ASSIGNED;
            case DISCONNECTED -> BuildStatus.Phase.DISCONNECTED;
            case FINISHING -> BuildStatus.Phase.FINISHING;
            case FINISHED -> BuildStatus.Phase.FINISHED;
            case UNRECOGNIZED -> throw new WireException("status: no such phase");
        };
    }
}
