package dev.touchstone.builds.master.job;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.master.journal.Event;
import dev.touchstone.builds.master.journal.Journal;
import dev.touchstone.builds.master.journal.Submitter;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.LongArrayList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the state of the master from the events of its earlier lives. For one thread. */
public final class Recovery implements Journal.Player {
    private final Map<Long, Job> jobs = new HashMap<>();
    private final Job.Pool pool = new Job.Pool();
    private long life;
    private @Nullable String prefix;
    private long nextNumber = 1;

    @Override
    public void play(long sequence, Event event) {
        if (event instanceof Event.Batch batch) {
            batch.events().forEach(part -> play(sequence, part));
        } else if (event instanceof Event.Life begun) {
            life = Math.max(life, begun.number());
            prefix = begun.prefix();
            nextNumber = Math.max(nextNumber, begun.nextJob());
        } else if (event instanceof Event.Accepted accepted) {
            accept(sequence, accepted);
        } else if (event instanceof Event.Leased leased) {
            lease(leased);
        } else if (event instanceof Event.Requeued requeued) {
            Job job = jobs.get(requeued.job());
            if (job != null) {
                job.state = Job.State.QUEUED;
                job.attempt = requeued.attempt();
            }
        } else if (event instanceof Event.CancelAsked asked) {
            Job job = jobs.get(asked.job());
            if (job != null) {
                job.cancelReason = asked.reason();
            }
        } else if (event instanceof Event.Retried retried) {
            Job job = jobs.get(retried.job());
            if (job != null) {
                job.retryOf = retried.of();
            }
        } else if (event instanceof Event.Output output) {
            Job job = jobs.get(output.job());
            if (job != null) {
                job.outputPending = output.pending();
            }
        } else if (event instanceof Event.Ended ended) {
            end(ended.job(), ended.millis(), ended.ending());
        } else if (event instanceof Event.Done done) {
            Ending ending = new Ending(BuildCode.OK, 0, "", 0, 0, 1, done.agent(), 0, false);
            for (int row = 0; row < done.jobs().size(); row++) {
                end(done.jobs().get(row), done.millis(), ending);
            }
        }
    }

    private void accept(long sequence, Event.Accepted accepted) {
        Submitter submitter = pool.submitter(accepted.submitter());
        for (int row = 0; row < accepted.jobs().size(); row++) {
            long number = accepted.jobs().get(row);
            BuildRequest request =
                    accepted.requests().get((int) accepted.which().get(row)).request();
            Job job = new Job(number, request, submitter, accepted.numbers().get(row), accepted.millis(), pool);
            job.state = Job.State.QUEUED;
            job.sequence = sequence;
            job.queueDeadlineNanos = request.queueTimeout().toNanos();
            jobs.put(number, job);
            nextNumber = Math.max(nextNumber, number + 1);
        }
    }

    private void lease(Event.Leased leased) {
        LongArrayList numbers = leased.jobs();
        for (int row = 0; row < numbers.size(); row++) {
            Job job = jobs.get(numbers.get(row));
            if (job != null) {
                job.state = Job.State.DISCONNECTED;
                job.agent = leased.agent();
                job.agentLife = leased.life();
                job.attempt = (int) leased.attempts().get(row);
                job.epoch = leased.epochs().get(row);
            }
        }
    }

    private void end(long number, long millis, Ending ending) {
        Job job = jobs.get(number);
        if (job != null) {
            job.state = Job.State.ENDED;
            job.endedMillis = millis;
            job.ending = ending;
            job.agent = ending.agent();
            job.attempt = ending.attempts();
        }
    }

    /** Returns whether a job has ended, and has artefacts. */
    public boolean hasArtefacts(long number) {
        Job job = jobs.get(number);
        return job != null && job.state == Job.State.ENDED && job.ending != null && job.ending.artefacts() > 0;
    }

    /** Returns whether an agent has a job. */
    public boolean isLeased(long number) {
        Job job = jobs.get(number);
        return job != null && job.isLeased();
    }

    /** Forgets everything that was played. */
    public void clear() {
        jobs.clear();
        life = 0;
        prefix = null;
        nextNumber = 1;
    }

    /** Returns how often the master has started before. */
    public long life() {
        return life;
    }

    @Nullable
    public String prefix() {
        return prefix;
    }

    public long nextNumber() {
        return nextNumber;
    }

    /** Returns all jobs: those that have ended in the order in which they did, the others in that in which they came. */
    public List<Job> jobs() {
        List<Job> all = new ArrayList<>(jobs.values());
        all.sort((a, b) -> a.endedMillis != b.endedMillis
                ? Long.compare(a.endedMillis, b.endedMillis)
                : Long.compare(a.number, b.number));
        return all;
    }
}
