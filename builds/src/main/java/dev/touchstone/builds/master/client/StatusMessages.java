package dev.touchstone.builds.master.client;

import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.master.agent.AgentRegistry;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.Jobs;
import dev.touchstone.builds.master.job.Outputs;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.v1.Wire;

/** Makes the messages that tell clients what is known of jobs. The dispatcher's. */
final class StatusMessages {
    static final int MAX_LIST_BYTES = 512 << 10;

    private final Jobs jobs;
    private final AgentRegistry agentRegistry;
    private final Outputs outputs;

    StatusMessages(Jobs jobs, AgentRegistry agentRegistry, Outputs outputs) {
        this.jobs = jobs;
        this.agentRegistry = agentRegistry;
        this.outputs = outputs;
    }

    /** Returns the newest builds that a caller may see. */
    Wire.ToClient.Builder list(long ask, int most, Caller caller) {
        Wire.JobList.Builder jobList = Wire.JobList.newBuilder().setAsk(ask);
        int bytes = 0;
        for (Job job : jobs.builds(caller, Long.MAX_VALUE)) {
            Wire.ListedJob row = Wire.ListedJob.newBuilder()
                    .setJob(job.number)
                    .setOwner(job.submitter.owner())
                    .setRepository(job.source.repository())
                    .setBranch(job.source.branch())
                    .setScript(job.source.script())
                    .setStatus(status(0, job))
                    .build();
            bytes += row.getSerializedSize();
            if (bytes > MAX_LIST_BYTES || jobList.getJobsCount() >= most) {
                break;
            }
            jobList.addJobs(row);
        }
        return Wire.ToClient.newBuilder().setJobs(jobList);
    }

    /** Returns where a job is. */
    Wire.Status status(long ask, Job job) {
        Wire.Status.Builder status = Wire.Status.newBuilder()
                .setAsk(ask)
                .setPhase(Wire.Phase.valueOf(phase(job).name()))
                .setReason(reason(job))
                .setAgent(job.agent)
                .setAttempt(job.attempt)
                .setAcceptedMillis(job.acceptedMillis)
                .setLogBytes(job.hasLog() ? jobs.logs().size(job.number) : 0)
                .setOutput(outputs.problem(job))
                .setRetryOf(job.retryOf);
        if (job.state == Job.State.ENDED) {
            status.setEnding(ending(job).toMessage());
        }
        return status.build();
    }

    private static BuildStatus.Phase phase(Job job) {
        return switch (job.state) {
            case ACCEPTING, QUEUED -> BuildStatus.Phase.QUEUED;
            case ASSIGNED -> BuildStatus.Phase.ASSIGNED;
            case DISCONNECTED -> BuildStatus.Phase.DISCONNECTED;
            case LOGGING, ENDING -> BuildStatus.Phase.FINISHING;
            case ENDED -> BuildStatus.Phase.FINISHED;
        };
    }

    private String reason(Job job) {
        return switch (job.state) {
            case QUEUED -> agentRegistry.reason(job.route);
            case DISCONNECTED -> "agent is not connected: identity=" + job.agent;
            case ASSIGNED -> job.stage;
            default -> "";
        };
    }

    /** Returns the ending of a job that has ended. */
    static Ending ending(Job job) {
        Ending ending = job.ending;
        if (ending == null) {
            throw new IllegalStateException("has not ended: " + job);
        }
        return ending;
    }
}
