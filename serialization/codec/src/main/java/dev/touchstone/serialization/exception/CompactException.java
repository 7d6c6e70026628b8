package dev.touchstone.serialization.exception;

/** Thrown when a record, a schema, a lock or a container cannot be read or written. */
public abstract sealed class CompactException extends RuntimeException
        permits CompactContainerException,
                CompactFieldException,
                CompactFormatException,
                CompactLimitException,
                CompactLockException,
                CompactObjectException,
                CompactSchemaException,
                UnknownSchemaException {
    private static final long serialVersionUID = 1;

    CompactException(String message) {
        super(message);
    }
}
