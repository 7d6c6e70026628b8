package dev.touchstone.builds.agent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Jobs that no executor has yet. An executor takes the oldest whose workspace is free, so none waits for a workspace. Thread-safe. */
final class WaitingJobs {
    /*
     * Who calls:  whoever starts a job `add`, whoever cancels it `remove`; executors `take` and `release`; whoever evicts `claim` and `release`;
     *             whoever closes the agent `close`.
     * Invariants: a workspace is in `busy` from `take` or `claim` until `release`. A job is in `jobs` until one thread has taken it out, which then
     *             has to tell its end.
     * Ordering:   a signal wakes one executor, which signals the next if it takes a job and leaves others, so that no job waits while its workspace
     *             and an executor are free.
     */
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Map<String, CheckedJob> jobs = new LinkedHashMap<>(); // by name, oldest first

    @GuardedBy("lock")
    private final Set<String> busy = new HashSet<>(); // keys of workspaces

    @GuardedBy("lock")
    private boolean closed;

    /** Adds a job; false if no more are taken. */
    boolean add(CheckedJob job) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            jobs.put(job.name(), job);
            changed.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes out a job; false if an executor has it. */
    boolean remove(CheckedJob job) {
        lock.lock();
        try {
            return jobs.remove(job.name()) != null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a job, whose workspace is the caller's until {@link #release}; null when closed. */
    @Nullable
    CheckedJob take() {
        lock.lock();
        try {
            while (!closed) {
                CheckedJob job = takeFree();
                if (job != null) {
                    return job;
                }
                changed.awaitUninterruptibly();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a workspace until {@link #release}, as a job would; returns false if somebody has it. */
    boolean claim(String workspaceKey) {
        lock.lock();
        try {
            return busy.add(workspaceKey);
        } finally {
            lock.unlock();
        }
    }

    /** Gives back a workspace that was taken with a job or claimed. */
    void release(String workspaceKey) {
        lock.lock();
        try {
            busy.remove(workspaceKey);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waiting; returns the jobs that nobody will take. */
    List<CheckedJob> close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            List<CheckedJob> left = new ArrayList<>(jobs.values());
            jobs.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private @Nullable CheckedJob takeFree() {
        Iterator<CheckedJob> all = jobs.values().iterator();
        while (all.hasNext()) {
            CheckedJob job = all.next();
            if (busy.add(job.source().workspaceKey())) {
                all.remove();
                if (!jobs.isEmpty()) {
                    changed.signal(); // for what was signalled while nobody could take it
                }
                return job;
            }
        }
        return null;
    }
}
