package dev.touchstone.builds.output;

import java.time.Duration;
import java.util.Optional;

/**
 * The options of the Redis sink. Immutable.
 *
 * @param uri {@code redis://...} or {@code rediss://...}; may have a password, and is never printed
 * @param prefix what keys begin with; a job's id stands behind it
 * @param timeout of each command
 * @param keep how long an output is kept after its build has ended; for good if that is not said
 */
public record RedisOptions(String uri, String prefix, Duration timeout, Optional<Duration> keep) {
    /** Returns the default options: keys {@code builds:<job>}, 5 s, kept for good. */
    public static RedisOptions of(String uri) {
        return new RedisOptions(uri, "builds:", Duration.ofSeconds(5), Optional.empty());
    }

    @Override
    public String toString() {
        return "RedisOptions[prefix=" + prefix + " timeout=" + timeout + " keep=" + keep + "]";
    }
}
