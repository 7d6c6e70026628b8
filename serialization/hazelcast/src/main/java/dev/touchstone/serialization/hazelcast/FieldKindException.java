package dev.touchstone.serialization.hazelcast;

import com.hazelcast.query.QueryException;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FieldPredicate} cannot be applied to the kind of the field that it names: its constant is of a type that such a field never has, or
 * its path leads into a field that is no record or no array. The record itself is sound. It is thrown on the member that holds the entry and
 * arrives at the caller of the query.
 */
public final class FieldKindException extends QueryException {
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception that arrives at a client with its message and its cause.
     *
     * @param message names the field, its kind, the record's type, and the type of the constant or the part of the path
     * @param cause what led to it, or null
     */
    public FieldKindException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
