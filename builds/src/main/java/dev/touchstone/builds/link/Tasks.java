package dev.touchstone.builds.link;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.agent.store.RecoveredAttempt;
import dev.touchstone.builds.wire.v1.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attempts that the agent has, one at most of each job. Thread-safe. */
final class Tasks {
    /*
     * Who calls:  the receiver, executors, the janitor and the sender.
     * Invariants: a job has one task at most, and another attempt waits in its `after`. What changes of a task is used here alone, under the lock.
     * Ordering:   agent, streams and listeners are called without the lock, by the callers.
     */
    @GuardedBy("this")
    private final Map<String, Task> byJob = new HashMap<>();

    @GuardedBy("this")
    private int next; // where the next look for a log to send begins

    /** The answers to an assignment. */
    enum Begin {
        NOW,
        /** Begins when the job's other attempt has ended, which is to be cancelled. */
        LATER,
        /** Begins when the job's other attempt, which has ended, is forgotten. */
        ENDED,
        /** Begins nothing: the attempt is here already. */
        KNOWN
    }

    /** A piece of a log that may be sent. */
    record Piece(Task task, long offset, int bytes) {}

    /** Takes in what an earlier life of the agent left. */
    synchronized void add(List<RecoveredAttempt> leftovers) {
        for (RecoveredAttempt left : leftovers) {
            Task task = new Task(
                    left.jobId(),
                    number(left.jobId()),
                    left.attempt(),
                    left.epoch(),
                    left.outcome().isPresent());
            task.outcome = left.outcome().orElse(null);
            task.readable = left.logBytes();
            byJob.put(left.jobId(), task);
        }
    }

    /** Returns the number behind the last dash of a job's id. */
    static long number(String jobId) {
        String digits = jobId.substring(jobId.lastIndexOf('-') + 1);
        boolean isNumber =
                !digits.isEmpty() && digits.length() < 19 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber ? Long.parseLong(digits) : -1;
    }

    synchronized Begin begin(Assignment assignment, long number, long window) {
        Task known = byJob.get(assignment.jobId());
        if (known != null && known.is(assignment.attempt(), assignment.epoch())) {
            return Begin.KNOWN;
        }
        if (known != null) {
            known.dropped = true;
            known.after = assignment;
            return known.outcome == null && known.alive ? Begin.LATER : Begin.ENDED;
        }
        Task task = new Task(assignment.jobId(), number, assignment.attempt(), assignment.epoch(), true);
        task.credit = window;
        byJob.put(assignment.jobId(), task);
        return Begin.NOW;
    }

    synchronized @Nullable Task find(String jobId, long epoch) {
        Task task = byJob.get(jobId);
        return task != null && task.epoch == epoch ? task : null;
    }

    synchronized @Nullable Task find(String jobId) {
        return byJob.get(jobId);
    }

    synchronized void grew(Task task, long bytes) {
        task.readable = Math.max(task.readable, bytes);
    }

    /** Notes an outcome; false where nobody wants to know it. */
    synchronized boolean finished(Task task, Outcome outcome) {
        task.outcome = outcome;
        task.readable = Math.max(task.readable, outcome.logBytes());
        return !task.dropped;
    }

    /** Gives an attempt up; true where it runs and is to be cancelled. */
    synchronized boolean drop(Task task) {
        task.dropped = true;
        return task.alive && task.outcome == null;
    }

    /** Takes an attempt out; returns what is to begin in its place, if anything. */
    synchronized @Nullable Assignment remove(Task task) {
        return byJob.remove(task.jobId, task) ? task.after : null;
    }

    /** Has no more sent of a log than was. */
    synchronized void unreadable(Task task) {
        task.readable = task.sent;
    }

    /** Has no logs sent until the master says from where on. */
    synchronized List<Wire.Held> newSession() {
        List<Wire.Held> held = new ArrayList<>();
        for (Task task : byJob.values()) {
            task.credit = -1;
            if (!task.dropped) {
                held.add(Wire.Held.newBuilder()
                        .setJob(task.jobId)
                        .setAttempt(task.attempt)
                        .setEpoch(task.epoch)
                        .setAlive(task.alive)
                        .build());
            }
        }
        return held;
    }

    /** Has a log sent from an offset on; returns the outcome, which the master may not have got, or null if there is none yet. */
    synchronized @Nullable Outcome resume(Task task, long offset, long window) {
        task.sent = offset;
        task.credit = offset + window;
        return task.outcome;
    }

    synchronized void credit(Task task, long upTo) {
        task.credit = Math.max(task.credit, upTo);
    }

    /** Returns the next piece of any log that may be sent, fair to all of them; null if there is none. */
    synchronized @Nullable Piece nextPiece(int most) {
        if (byJob.isEmpty()) {
            return null;
        }
        List<Task> all = new ArrayList<>(byJob.values());
        for (int i = 0; i < all.size(); i++) {
            Task task = all.get((next + i) % all.size());
            long bytes = task.sendable();
            if (bytes > 0) {
                next = (next + i + 1) % all.size();
                return new Piece(task, task.sent, (int) Math.min(most, bytes));
            }
        }
        return null;
    }

    /** Notes that bytes of a log are on their way, unless it begins elsewhere by now. */
    synchronized void sent(Piece piece, int bytes) {
        if (piece.task().sent == piece.offset()) {
            piece.task().sent += bytes;
        }
    }
}
