package dev.touchstone.builds.client;

import com.google.protobuf.Message;
import dev.touchstone.builds.AgentStatus;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.BuildSummary;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;

/** Something that a client asks the master, once for each connection until it is answered. */
interface Question {
    /** Asks it. */
    void ask(Session session, long ask);

    /** Takes the answer, which may be of another kind than was asked for. By the receiver's thread. */
    void answer(Message answer);

    /** Notes that there is no answer. */
    void fail(BuildException cause);

    /** Returns a question whose answer completes a future. */
    private static <A extends Message, T> Question of(
            LongFunction<Wire.FromClient.Builder> said,
            Class<A> kind,
            Function<A, T> read,
            CompletableFuture<T> future) {
        return new Question() {
            @Override
            public void ask(Session session, long ask) {
                session.send(said.apply(ask));
            }

            @Override
            public void answer(Message answer) {
                if (kind.isInstance(answer)) {
                    future.complete(read.apply(kind.cast(answer)));
                }
            }

            @Override
            public void fail(BuildException cause) {
                future.completeExceptionally(cause);
            }
        };
    }

    static Question cancel(long job, String reason, CompletableFuture<Boolean> was) {
        return of(
                ask -> Wire.FromClient.newBuilder()
                        .setCancel(Wire.CancelJob.newBuilder()
                                .setAsk(ask)
                                .setJob(job)
                                .setReason(reason)),
                Wire.Cancelled.class,
                Wire.Cancelled::getWas,
                was);
    }

    static Question retry(long job, long number, String prefix, CompletableFuture<String> made) {
        return of(
                ask -> Wire.FromClient.newBuilder()
                        .setRetry(
                                Wire.Retry.newBuilder().setAsk(ask).setJob(job).setNumber(number)),
                Wire.Retried.class,
                told -> Answers.jobId(prefix, told.getJob()),
                made);
    }

    static Question status(String jobId, long job, CompletableFuture<BuildStatus> status) {
        return of(
                ask -> Wire.FromClient.newBuilder()
                        .setAsk(Wire.Ask.newBuilder().setAsk(ask).setJob(job)),
                Wire.Status.class,
                told -> status(jobId, told),
                status);
    }

    static Question jobs(int most, String prefix, CompletableFuture<List<BuildSummary>> jobs) {
        return of(
                ask -> Wire.FromClient.newBuilder()
                        .setListJobs(Wire.ListJobs.newBuilder().setAsk(ask).setMost(most)),
                Wire.JobList.class,
                told -> told.getJobsList().stream()
                        .map(row -> new BuildSummary(
                                row.getOwner(),
                                row.getRepository(),
                                row.getBranch(),
                                row.getScript(),
                                status(Answers.jobId(prefix, row.getJob()), row.getStatus())))
                        .toList(),
                jobs);
    }

    static Question agents(CompletableFuture<List<AgentStatus>> agents) {
        return of(
                ask -> Wire.FromClient.newBuilder()
                        .setListAgents(Wire.ListAgents.newBuilder().setAsk(ask)),
                Wire.AgentList.class,
                told -> told.getAgentsList().stream()
                        .map(row -> new AgentStatus(
                                row.getIdentity(),
                                row.getLabelsList(),
                                row.getRunnersList(),
                                row.getExecutors(),
                                row.getBusy()))
                        .toList(),
                agents);
    }

    private static BuildStatus status(String jobId, Wire.Status told) {
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
                result,
                told.getRetryOf() == 0
                        ? Optional.empty()
                        : Optional.of(Answers.jobId(jobId.substring(0, jobId.lastIndexOf('-')), told.getRetryOf())));
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
