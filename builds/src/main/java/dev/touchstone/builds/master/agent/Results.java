package dev.touchstone.builds.master.agent;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.master.artefact.ArtefactStore;
import dev.touchstone.builds.master.job.Job;
import dev.touchstone.builds.master.job.Jobs;
import dev.touchstone.builds.master.job.LeaseHolder;
import dev.touchstone.builds.master.job.Outputs;
import dev.touchstone.builds.master.job.TimeSource;
import dev.touchstone.builds.master.journal.Event;
import dev.touchstone.builds.master.log.LogStore;
import dev.touchstone.builds.wire.Ending;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The way from the outcome that an agent tells to the result of the job: the log has to be here first, and the output where it is to be, if that goes well. */
public final class Results implements Outputs.Listener {
    private static final long OUTPUT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long MIN_BYTES_A_SECOND = 64 << 10; // of logs and artefacts on their way from an agent

    private final Jobs jobs;
    private final TimeSource timeSource;
    private final LogStore logs;
    private final ArtefactStore artefacts;
    private final Outputs outputs;
    private final Executor dispatcher;

    /** Creates the results of a master's jobs. */
    public Results(
            Jobs jobs,
            TimeSource timeSource,
            LogStore logs,
            ArtefactStore artefacts,
            Outputs outputs,
            Executor dispatcher) {
        this.jobs = jobs;
        this.timeSource = timeSource;
        this.logs = logs;
        this.artefacts = artefacts;
        this.outputs = outputs;
        this.dispatcher = dispatcher;
    }

    /**
     * Takes the outcome of an attempt from the agent that has its lease.
     *
     * @param outcome says how long the attempt's log is
     * @param bundleBytes length of the artefacts with their list; 0 if there are none
     */
    void outcome(Job job, Ending outcome, long bundleBytes) {
        LeaseHolder agent = job.session;
        Jobs.release(job);
        job.session = agent;
        Ending ending = ending(job, outcome);
        job.ending = ending;
        if (!job.route.noop()) {
            job.leaseDeadlineNanos = timeSource.nanos() + arrivalNanos(job, ending.logBytes(), bundleBytes);
        }
        if (bundleBytes > 0 && job.hasArtefacts && job.cancelReason == null) {
            job.state = Job.State.LOGGING;
            awaitArtefacts(job, bundleBytes);
        } else {
            finish(job, ending);
        }
    }

    /** Returns how long the rest of a job's log and artefacts may take: as long as a slow network, but no longer than the build itself. */
    private static long arrivalNanos(Job job, long logBytes, long bundleBytes) {
        long seconds = logBytes / MIN_BYTES_A_SECOND + bundleBytes / MIN_BYTES_A_SECOND;
        return Jobs.ANSWER_NANOS + Math.min(TimeUnit.SECONDS.toNanos(seconds), job.timeoutNanos);
    }

    private void finish(Job job, Ending ending) {
        if (job.hasLog()) {
            job.state = Job.State.LOGGING;
            awaitLog(job, ending.logBytes());
        } else {
            jobs.finish(job, ending);
        }
    }

    private void awaitArtefacts(Job job, long bytes) {
        long epoch = job.epoch;
        job.awaitsArtefacts = true;
        artefacts.complete(
                job.number,
                bytes,
                arrival -> dispatcher.execute(() -> {
                    Ending ending = job.ending;
                    if (job.awaitsArtefacts && job.epoch == epoch && ending != null) {
                        job.awaitsArtefacts = false;
                        Ending last = arrival.problem().isEmpty()
                                ? ending.withArtefacts(arrival.files(), arrival.bytes())
                                : ending.withoutArtefacts(BuildCode.STORAGE, arrival.problem());
                        job.ending = last;
                        finish(job, last);
                    }
                }));
    }

    private static Ending ending(Job job, Ending outcome) {
        String cancelled = job.cancelReason;
        boolean isSaid = outcome.attempts() == job.attempt && outcome.agent().equals(job.agent);
        if (cancelled == null && isSaid && outcome.artefacts() == 0 && outcome.artefactBytes() == 0) {
            return outcome; // one object for all noops of a message
        }
        return new Ending(
                cancelled != null ? BuildCode.CANCELLED : outcome.code(),
                cancelled != null ? -1 : outcome.exitCode(),
                cancelled != null ? cancelled : outcome.message(),
                outcome.pullNanos(),
                outcome.buildNanos(),
                job.attempt,
                job.agent,
                outcome.logBytes(),
                outcome.truncated());
    }

    private void awaitLog(Job job, long bytes) {
        long epoch = job.epoch;
        logs.complete(
                job.number,
                bytes,
                (total, problem) -> dispatcher.execute(() -> {
                    if (job.state == Job.State.LOGGING && job.epoch == epoch) {
                        logWhole(job, total, problem);
                    }
                }));
    }

    private void logWhole(Job job, long total, String problem) {
        job.logWhole = true;
        if (!problem.isEmpty() && job.ending != null && job.ending.message().isEmpty()) {
            job.ending = job.ending.withMessage("the log may be lost with the machine: " + problem);
        }
        job.leaseDeadlineNanos = timeSource.nanos() + OUTPUT_NANOS;
        if (outputs.isFed(job)) {
            outputs.end(job, total);
        } else if (job.ending != null) {
            jobs.finish(job, job.ending);
        }
    }

    /** Gives the result of a job whose log is here and whose output is not confirmed in time. */
    void outputLate(Job job) {
        if (job.ending != null) {
            jobs.finish(job, unconfirmed(job, job.ending));
        }
    }

    /** Says in the result that the sink has not confirmed the output, unless the result says something else already. */
    private Ending unconfirmed(Job job, Ending known) {
        if (!known.message().isEmpty()) {
            return known;
        }
        String problem = outputs.problem(job);
        return known.withMessage(
                "the output is not confirmed: " + (problem.isEmpty() ? "its sink does not answer" : problem));
    }

    @Override
    public void outputDone(long number, @Nullable String problem) {
        Job job = jobs.find(number);
        if (job == null) {
            return;
        }
        job.outputDone = problem == null;
        job.outputProblem = problem == null ? "" : problem;
        if (job.outputPending && job.outputDone) { // what was given up, the next master tries again
            job.outputPending = false;
            jobs.append(new Event.Output(number, false));
        }
        if (job.state == Job.State.LOGGING && job.logWhole && job.ending != null) {
            jobs.finish(job, job.outputDone ? job.ending : unconfirmed(job, job.ending));
        }
    }
}
