package dev.touchstone.builds.master.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The jobs that wait, one line for each route with the oldest job first, and who is next. The dispatcher's. */
public final class PendingQueue {
    private static final Comparator<Job> OLDEST_FIRST = Comparator.comparingLong(job -> job.number);

    private final Map<Route, TreeSet<Job>> lines = new HashMap<>();
    private final Map<String, Share> shares = new HashMap<>(); // of owners of waiting jobs
    private int size;
    private int expected; // these, and those that are not on the device yet
    private long earliestNanos; // no job waits with an earlier deadline

    /** Counts what waits of one owner. */
    static final class Share {
        private int builds;
        private int noops;
        private long bytes;
        private final Map<Route, Integer> routes = new HashMap<>(); // and how many of its own wait for each

        /** Returns how many wait that are noops, or that are none. */
        int count(boolean noops) {
            return noops ? this.noops : builds;
        }

        /** Returns about how many bytes they take in memory. */
        long bytes() {
            return bytes;
        }

        /** Returns the number of routes that they wait for. */
        int routes() {
            return routes.size();
        }

        /** Returns whether one of them waits for a route. */
        boolean has(Route route) {
            return routes.containsKey(route);
        }

        private boolean add(Job job, int times) {
            routes.merge(job.route, times, (before, more) -> before + more == 0 ? null : before + more);
            if (job.route.noop()) {
                noops += times;
            } else {
                builds += times;
            }
            bytes += times * job.bytes();
            return builds + noops > 0;
        }
    }

    /** Adds an expected job, before all jobs of its route that came later. */
    void add(Job job) {
        if (size == 0 || job.queueDeadlineNanos - earliestNanos < 0) {
            earliestNanos = job.queueDeadlineNanos;
        }
        size += line(job.route).add(job) ? 1 : 0;
    }

    /** Counts a job that will be added, when it is on the device. */
    void expect(Job job) {
        expected++;
        boolean unused = shares.computeIfAbsent(job.submitter.owner(), owner -> new Share())
                .add(job, 1);
    }

    /** Counts a job no more, which was expected and will not be added. */
    void giveUp(Job job) {
        expected--;
        shares.computeIfPresent(job.submitter.owner(), (owner, share) -> share.add(job, -1) ? share : null);
    }

    private void left(Job job) {
        size--;
        giveUp(job);
    }

    /** Returns the number of jobs that wait or are expected. */
    int expected() {
        return expected;
    }

    /** Returns what waits or is expected of an owner; null if nothing is. */
    @Nullable
    Share share(String owner) {
        return shares.get(owner);
    }

    private NavigableSet<Job> line(Route route) {
        return lines.computeIfAbsent(route, unused -> new TreeSet<>(OLDEST_FIRST));
    }

    /** Removes a job, wherever it stands. */
    public void remove(Job job) {
        TreeSet<Job> line = lines.get(job.route);
        if (line != null && line.remove(job)) {
            left(job);
        }
    }

    public int size() {
        return size;
    }

    /** Returns the number of routes that jobs wait for. */
    int routes() {
        return lines.size();
    }

    /** Returns whether a job of a route waits. */
    boolean has(Route route) {
        return lines.containsKey(route);
    }

    /** Returns the routes that somebody waits for, the one whose first job is the oldest first. */
    public List<Route> waiting() {
        if (size == 0) {
            return List.of();
        }
        lines.values().removeIf(TreeSet::isEmpty);
        if (lines.size() == 1) {
            return List.copyOf(lines.keySet());
        }
        return lines.entrySet().stream()
                .sorted(Comparator.comparingLong(line -> line.getValue().first().number))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Nullable
    public Job first(Route route) {
        TreeSet<Job> line = lines.get(route);
        return line == null || line.isEmpty() ? null : line.first();
    }

    /** Returns the job that has waited longest; null if none waits. */
    @Nullable
    public Job oldest() {
        List<Route> routes = waiting();
        return routes.isEmpty() ? null : first(routes.get(0));
    }

    /** Takes the first job of a route, which has one. */
    public Job takeFirst(Route route) {
        Job first = line(route).pollFirst();
        if (first == null) {
            throw new IllegalStateException("no job waits: " + route);
        }
        left(first);
        return first;
    }

    /** Returns the jobs whose deadline has passed, which the caller removes. */
    public List<Job> late(long nowNanos) {
        if (size == 0 || earliestNanos - nowNanos > 0) {
            return List.of();
        }
        List<Job> late = new ArrayList<>();
        earliestNanos = nowNanos + Long.MAX_VALUE / 2;
        for (TreeSet<Job> line : lines.values()) {
            for (Job job : line) {
                if (job.queueDeadlineNanos - nowNanos <= 0) {
                    late.add(job);
                } else if (job.queueDeadlineNanos - earliestNanos < 0) {
                    earliestNanos = job.queueDeadlineNanos;
                }
            }
        }
        return late;
    }
}
