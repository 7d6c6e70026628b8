package dev.touchstone.builds.master.job;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Jobs that have ended and are kept, within the bounds of a {@link Retention}. What is too much is taken from the owner who has most of it, the oldest
 * first, so that nobody's jobs are pushed out by another who has more. The dispatcher's.
 */
final class KeptJobs {
    private final Map<String, Owner> owners = new HashMap<>();
    private final LongSupplier millis;
    private final Retention retention;
    private final Consumer<Job> whenForgotten;
    private int builds;
    private int noops;
    private long logBytes;

    /** Holds the jobs of one owner, in the order in which they ended. */
    private static final class Owner {
        private final ArrayDeque<Job> builds = new ArrayDeque<>();
        private final ArrayDeque<Job> noops = new ArrayDeque<>(); // of their own, so that they push out no build
        private long logBytes;
    }

    /**
     * Creates them without a job.
     *
     * @param millis time since 1970
     * @param whenForgotten told of jobs of which nothing is kept any more
     */
    KeptJobs(Retention retention, LongSupplier millis, Consumer<Job> whenForgotten) {
        this.retention = retention;
        this.millis = millis;
        this.whenForgotten = whenForgotten;
    }

    /** Adds a job that has ended. */
    void add(Job job) {
        Owner owner = owners.computeIfAbsent(job.submitter.owner(), name -> new Owner());
        if (job.route.noop()) {
            noops++;
            owner.noops.add(job);
        } else {
            builds++;
            owner.builds.add(job);
        }
        count(owner, logBytes(job));
    }

    private void count(Owner owner, long bytes) {
        logBytes += bytes;
        owner.logBytes += bytes;
    }

    /** Returns the bytes of all logs. */
    long logBytes() {
        return logBytes;
    }

    /** Forgets what is too old or too much. */
    void forgetOld() {
        long oldest = millis.getAsLong() - retention.age().toMillis();
        for (Owner owner : owners.values()) {
            forgetBefore(owner, owner.builds, oldest);
            forgetBefore(owner, owner.noops, oldest);
        }
        while (builds > retention.jobs()) {
            Owner owner = most(each -> each.builds.size());
            forgetFirst(owner, owner.builds);
        }
        while (noops > retention.jobs()) {
            Owner owner = most(each -> each.noops.size());
            forgetFirst(owner, owner.noops);
        }
        while (logBytes > retention.logBytes()) {
            Owner owner = most(each -> each.logBytes);
            forgetFirst(owner, owner.builds);
        }
        owners.values().removeIf(owner -> owner.builds.isEmpty() && owner.noops.isEmpty());
    }

    private Owner most(ToLongFunction<Owner> amount) {
        return owners.values().stream()
                .max(Comparator.comparingLong(amount))
                .orElseThrow(() -> new IllegalStateException("no job is kept"));
    }

    private void forgetBefore(Owner owner, ArrayDeque<Job> jobs, long oldest) {
        while (!jobs.isEmpty() && jobs.getFirst().endedMillis < oldest) {
            forgetFirst(owner, jobs);
        }
    }

    private void forgetFirst(Owner owner, ArrayDeque<Job> jobs) {
        Job job = jobs.removeFirst();
        if (job.route.noop()) {
            noops--;
        } else {
            builds--;
        }
        count(owner, -logBytes(job));
        whenForgotten.accept(job);
    }

    private static long logBytes(Job job) {
        return job.ending == null ? 0 : job.ending.logBytes();
    }
}
