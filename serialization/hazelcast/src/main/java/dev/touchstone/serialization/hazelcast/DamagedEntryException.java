package dev.touchstone.serialization.hazelcast;

import com.hazelcast.query.QueryException;

/**
 * The value of an entry could not be compared: its bytes are no record or are damaged, or its schema is unknown. The message names the key and
 * what is wrong. It is thrown on the member that holds the entry.
 */
public final class DamagedEntryException extends QueryException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception that arrives at a client with its message and its cause.
     *
     * @param message names the key, the predicate and what is wrong
     * @param cause what was found
     */
    public DamagedEntryException(String message, Throwable cause) {
        super(message, cause);
    }
}
