package dev.touchstone.serialization.hazelcast;

import com.hazelcast.query.QueryException;

/**
 * The value of an entry could not be compared: its bytes are no record, its schema is unknown, or its field is of another kind. The message
 * names the key and what is wrong. It is thrown on the member that holds the entry.
 */
public final class DamagedEntryException extends QueryException {
    private static final long serialVersionUID = 1;

    /** What is thrown on a member arrives at a client by message and cause. */
    public DamagedEntryException(String message, Throwable cause) {
        super(message, cause);
    }
}
