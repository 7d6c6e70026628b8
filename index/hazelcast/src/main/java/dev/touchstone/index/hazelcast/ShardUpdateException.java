package dev.touchstone.index.hazelcast;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Thrown when the changes of some offerings of a batch were not applied, or it is not known whether they were. */
public final class ShardUpdateException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Map<String, Long> versions;
    private final transient Map<String, Exception> failures;

    /**
     * Creates an exception.
     *
     * @param message problem, for people
     * @param versions versions by the offerings whose changes were applied
     * @param failures problems by the other offerings, at least one
     */
    ShardUpdateException(String message, Map<String, Long> versions, Map<String, Exception> failures) {
        super(message, failures.values().iterator().next());
        this.versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
        this.failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /**
     * Returns the versions that the batch has made.
     *
     * @return versions by offering, without the offerings that have failed; unmodifiable
     */
    public Map<String, Long> versions() {
        return versions;
    }

    /**
     * Returns the problems.
     *
     * @return for each offering that has failed an {@link dev.touchstone.index.IndexException} if its shard has refused the changes, or a {@link
     *     ReplicaUnavailableException}, if nothing has changed; or an {@link UnknownOutcomeException}; unmodifiable
     */
    public Map<String, Exception> failures() {
        return failures;
    }
}
