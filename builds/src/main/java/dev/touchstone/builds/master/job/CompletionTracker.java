package dev.touchstone.builds.master.job;

import dev.touchstone.builds.master.journal.Event;
import dev.touchstone.builds.master.journal.Journal;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.LongArrayList;
import java.lang.System.Logger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Jobs on the way to their results, and those that have one, until they are forgotten. The dispatcher's. */
public final class CompletionTracker {
    private static final Logger LOG = System.getLogger(CompletionTracker.class.getName());
    private static final int MAX_TOGETHER = 4096;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Journal journal;
    private final TimeSource timeSource;
    private final Retention retention;
    private final Consumer<Job> whenEnded;
    private final Consumer<Job> whenForgotten;
    private final List<Job> ending = new ArrayList<>();
    private final ArrayDeque<Job> builds = new ArrayDeque<>();
    private final ArrayDeque<Job> noops = new ArrayDeque<>(); // of their own, so that they push out no build
    private long endedLogBytes;
    private long notBeforeNanos;

    /**
     * Creates the endings of a master.
     *
     * @param whenEnded told once a result is on the device
     * @param whenForgotten told of jobs of which nothing is kept any more
     */
    CompletionTracker(
            Journal journal,
            TimeSource timeSource,
            Retention retention,
            Consumer<Job> whenEnded,
            Consumer<Job> whenForgotten) {
        this.journal = journal;
        this.timeSource = timeSource;
        this.retention = retention;
        this.whenEnded = whenEnded;
        this.whenForgotten = whenForgotten;
        this.notBeforeNanos = timeSource.nanos();
    }

    /** Adds a job whose ending is known. */
    void add(Job job) {
        ending.add(job);
    }

    /** Adds a job that has ended, in an earlier life of the master. */
    void keep(Job job) {
        (job.route.noop() ? noops : builds).add(job);
        endedLogBytes += logBytes(job);
    }

    /** Puts the endings of this turn into the journal, together. */
    void commit() {
        if (ending.isEmpty() || notBeforeNanos - timeSource.nanos() > 0) {
            return;
        }
        List<Job> all = List.copyOf(ending);
        ending.clear();
        for (int from = 0; from < all.size(); from += MAX_TOGETHER) {
            commit(all.subList(from, Math.min(all.size(), from + MAX_TOGETHER)));
        }
    }

    private void commit(List<Job> jobs) {
        journal.append(event(jobs), (sequence, failure) -> {
            if (failure == null) {
                jobs.forEach(this::end);
            } else {
                LOG.log(Logger.Level.ERROR, "results are not on the device, tried again: jobs=" + jobs.size(), failure);
                ending.addAll(jobs);
                notBeforeNanos = timeSource.nanos() + RETRY_NANOS;
            }
        });
    }

    private void end(Job job) {
        job.state = Job.State.ENDED;
        keep(job);
        whenEnded.accept(job);
    }

    private static Event event(List<Job> jobs) {
        List<Event> events = new ArrayList<>();
        Map<String, Event.Done> done = new HashMap<>();
        for (Job job : jobs) {
            if (isPlain(job)) {
                done.computeIfAbsent(job.agent, agent -> new Event.Done(agent, job.endedMillis, new LongArrayList()))
                        .jobs()
                        .add(job.number);
            } else {
                events.add(ended(job));
            }
        }
        events.addAll(done.values());
        return events.size() == 1 ? events.get(0) : new Event.Batch(events);
    }

    /** Returns whether all that is to be said of the job is that it succeeded. */
    public static boolean isPlain(Job job) {
        Ending ending = job.ending;
        return job.route.noop()
                && ending != null
                && ending.attempts() == 1
                && ending.message().isEmpty()
                && ending.exitCode() == 0
                && ending.code().number() == 0;
    }

    static Event ended(Job job) {
        Ending ending = job.ending;
        if (ending == null) {
            throw new IllegalStateException("has not ended: " + job);
        }
        return new Event.Ended(job.number, job.endedMillis, ending);
    }

    /** Returns the bytes of the logs of jobs that have ended and are kept. */
    long logBytes() {
        return endedLogBytes;
    }

    private static long logBytes(Job job) {
        return job.ending == null ? 0 : job.ending.logBytes();
    }

    /** Forgets jobs that have ended, as the retention says. */
    void forgetOld() {
        forgetOld(builds);
        forgetOld(noops);
    }

    private void forgetOld(ArrayDeque<Job> ended) {
        long oldest = timeSource.millis() - retention.age().toMillis();
        for (Job job = ended.peekFirst(); job != null; job = ended.peekFirst()) {
            boolean keep = ended.size() <= retention.jobs()
                    && endedLogBytes <= retention.logBytes()
                    && job.endedMillis >= oldest;
            if (keep) {
                return;
            }
            ended.removeFirst();
            endedLogBytes -= logBytes(job);
            whenForgotten.accept(job);
        }
    }
}
