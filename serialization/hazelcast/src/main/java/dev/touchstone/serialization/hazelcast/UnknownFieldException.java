package dev.touchstone.serialization.hazelcast;

import com.hazelcast.query.QueryException;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FieldPredicate} names a field that no schema has which the evaluating member knows, most likely by a misspelt name. It is thrown on
 * the member that holds the entry and arrives at the caller of the query.
 */
public final class UnknownFieldException extends QueryException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception that arrives at a client with its message and its cause.
     *
     * @param message names the field, the part of its path that is unknown, and the record's type
     * @param cause what led to it, or null
     */
    public UnknownFieldException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
