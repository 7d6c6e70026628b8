package dev.touchstone.index.hazelcast;

import java.time.Duration;
import java.util.Objects;

/**
 * The options of a {@link ReplicatedPriceIndex}, which are the same on all members. Immutable.
 *
 * @param name name of the index in the cluster, not empty, without {@code @}; structures of Hazelcast that belong to it have names that begin with it
 * @param minMembers number of members without which nothing is written and no new epoch begins, and of the replicas that confirm each update, at least 1. With a majority of all members that may be
 *     there, the smaller side of a split cluster refuses updates; with 1, it accepts them, and they are lost when the sides find each other
 * @param logEntries number of batches that the cluster holds for members that are behind, from 2; those that are further behind load all prices anew
 * @param timeout time after which the outcome of an update counts as unknown, more than 0
 */
public record ReplicaOptions(String name, int minMembers, int logEntries, Duration timeout) {
    private static final int MAX_LOG_ENTRIES = 10_000_000;
    private static final int MIN_RECENT_ENTRIES = 4096;

    /**
     * Creates options.
     *
     * @throws IllegalArgumentException if a value is outside its range
     */
    public ReplicaOptions {
        Objects.requireNonNull(timeout, "timeout");
        requireName(name);
        if (minMembers < 1) {
            throw new IllegalArgumentException("minMembers=" + minMembers + " expected=at least 1");
        }
        if (logEntries < 2 || logEntries > MAX_LOG_ENTRIES) {
            throw new IllegalArgumentException("logEntries=" + logEntries + " expected=from 2 to " + MAX_LOG_ENTRIES);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout=" + timeout + " expected=more than 0");
        }
    }

    /** Returns the number of entries that replicas know by their ids: more than all members write while a question about one of these entries is on its way. */
    int recentEntries() {
        return Math.max(logEntries, MIN_RECENT_ENTRIES);
    }

    static void requireName(String name) {
        if (name.isEmpty() || name.indexOf('@') >= 0) { // Hazelcast looks for configurations by the name before it
            throw new IllegalArgumentException("name of the index=" + name + " expected=not empty, without @");
        }
    }

    /**
     * Returns options with a log of 10,000 batches and a timeout of 10 s.
     *
     * @param name name of the index in the cluster, not empty
     * @param minMembers number of members without which nothing is written, at least 1
     * @return options
     */
    public static ReplicaOptions of(String name, int minMembers) {
        return new ReplicaOptions(name, minMembers, 10_000, Duration.ofSeconds(10));
    }
}
