package dev.touchstone.index.hazelcast;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of one replica, for people, health checks and metrics. Immutable.
 *
 * @param state state
 * @param version version of the index
 * @param sequence sequence of the last entry of the log that was applied; -1 before the first
 * @param epoch epoch of the log that the replica follows; null before the first
 * @param reloads number of times that the replica has loaded all prices from another one
 * @param failure reason of {@link State#FAILED}, or why the replica is not live yet; null if it is
 */
public record ReplicaStatus(
        State state,
        long version,
        long sequence,
        @Nullable UUID epoch,
        long reloads,
        @Nullable String failure) {
    /** The states of a replica. */
    public enum State {
        /** The replica waits for other members, or loads all prices from one. Searches see the prices that it had. */
        JOINING,
        /** The replica applies all changes, and accepts updates. */
        LIVE,
        /** The replica cannot keep the changes, and applies no more of them. */
        FAILED,
        /** The replica was closed. */
        CLOSED
    }
}
