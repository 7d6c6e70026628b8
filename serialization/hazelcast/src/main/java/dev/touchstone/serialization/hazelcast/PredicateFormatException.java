package dev.touchstone.serialization.hazelcast;

import com.hazelcast.nio.serialization.HazelcastSerializationException;
import org.jspecify.annotations.Nullable;

/**
 * A member received a {@link FieldPredicate} that it cannot read: of a version that it does not know, beyond a limit, or damaged. Where client
 * and members run different releases, the members must have the newer one.
 */
public final class PredicateFormatException extends HazelcastSerializationException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception that arrives at a client with its message and its cause.
     *
     * @param message names what was read and what was expected
     * @param cause what led to it, or null
     */
    public PredicateFormatException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
