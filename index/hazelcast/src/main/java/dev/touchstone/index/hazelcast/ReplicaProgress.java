package dev.touchstone.index.hazelcast;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.index.hazelcast.ReplicaStatus.State;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The state of a replica and its place in the log. Thread-safe.
 *
 * <p><b>Who calls.</b> The thread that follows the log moves the replica on; other members' requests, listeners and {@code close} change its state.
 *
 * <p><b>Invariants.</b> There is a position while the state is LIVE. {@code recent} has the ids of the last entries that count, as every
 * live replica has them, so that all of them pass over the same entries that were written twice. FAILED and CLOSED are final.
 */
final class ReplicaProgress {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private State state = State.JOINING;

    @GuardedBy("lock")
    private @Nullable LogPosition position;

    @GuardedBy("lock")
    private boolean wasLive;

    @GuardedBy("lock")
    private long reloads;

    @GuardedBy("lock")
    private @Nullable String failure = "starting";

    @GuardedBy("lock")
    private RecentEntries recent;

    /** Creates the progress of a replica that joins, which knows entries that are written twice within so many. */
    ReplicaProgress(int maxRecent) {
        recent = new RecentEntries(maxRecent);
    }

    State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the replica applies no more changes. */
    boolean isEnded() {
        State now = state();
        return now == State.FAILED || now == State.CLOSED;
    }

    /** Returns the position of a live replica; null if it is not live. */
    @Nullable
    LogPosition livePosition() {
        lock.lock();
        try {
            return state == State.LIVE ? position : null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the replica was live at any time. */
    boolean wasLive() {
        lock.lock();
        try {
            return wasLive;
        } finally {
            lock.unlock();
        }
    }

    ReplicaStatus status(long version) {
        lock.lock();
        try {
            LogPosition at = position;
            return new ReplicaStatus(
                    state, version, at == null ? -1 : at.sequence(), at == null ? null : at.epoch(), reloads, failure);
        } finally {
            lock.unlock();
        }
    }

    /** Makes a joining replica live at the begin of an epoch, whose prices are its own. Returns whether the replica was joining. */
    boolean lead(LogPosition begin) {
        lock.lock();
        try {
            return state == State.JOINING && goOn(begin);
        } finally {
            lock.unlock();
        }
    }

    /** Makes a joining replica live after it has loaded the prices of another one. */
    void loaded(LogPosition at, RecentEntries entries) {
        lock.lock();
        try {
            if (state == State.JOINING) {
                reloads++;
                recent = entries;
                boolean unused = goOn(at);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean goOn(LogPosition at) {
        state = State.LIVE;
        failure = null;
        wasLive = true;
        position = at;
        changed.signalAll();
        return true;
    }

    /**
     * Moves a live replica on behind entries, of which some count. Does nothing in another epoch.
     *
     * @param counted ids of the entries that count, in their order
     * @param outcomes what the replica has made of these
     */
    void advance(LogPosition next, List<UUID> counted, List<Replica.Outcome> outcomes) {
        lock.lock();
        try {
            LogPosition before = position;
            if (state == State.LIVE && before != null && before.epoch().equals(next.epoch())) {
                position = next;
                for (int i = 0; i < counted.size(); i++) {
                    Replica.Outcome outcome = outcomes.get(i);
                    recent.add(counted.get(i), outcome.refusal() == null ? outcome.version() : RecentEntries.REFUSED);
                }
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether an entry with an id counted before. */
    boolean isRecent(UUID id) {
        lock.lock();
        try {
            return recent.version(id) != null;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a copy of the last entries that counted. */
    RecentEntries recent() {
        lock.lock();
        try {
            return recent.copy();
        } finally {
            lock.unlock();
        }
    }

    /** Makes a live replica join again, because its place in the log is not one any more. */
    void lose(String reason) {
        lock.lock();
        try {
            if (state == State.LIVE) {
                state = State.JOINING;
                failure = reason;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notes why a joining replica is not live yet. */
    void waitsFor(String reason) {
        lock.lock();
        try {
            if (state == State.JOINING) {
                failure = reason;
            }
        } finally {
            lock.unlock();
        }
    }

    void fail(String reason) {
        end(State.FAILED, reason);
    }

    void close() {
        end(State.CLOSED, "closed");
    }

    private void end(State last, String reason) {
        lock.lock();
        try {
            if (state != State.CLOSED) {
                state = last;
                failure = reason;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a change of state or position, or for a time. May return earlier. */
    @SuppressWarnings("WaitNotInLoop") // callers look again at what they wait for
    void pause(long millis) throws InterruptedException {
        lock.lock();
        try {
            boolean unused = changed.await(millis, TimeUnit.MILLISECONDS);
        } finally {
            lock.unlock();
        }
    }
}
