package dev.touchstone.serialization.exception;

/** Thrown when a record is not read or written because it is beyond one of the {@link dev.touchstone.serialization.Limits}. */
public final class CompactLimitException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String limit;

    /**
     * Creates an exception for a value above a limit.
     *
     * @param limit name of the component of {@link dev.touchstone.serialization.Limits}
     * @param value actual value: bytes, records one inside the other, or items
     * @param allowed maximum value
     */
    public CompactLimitException(String limit, long value, long allowed) {
        super("beyond a limit: limit=" + limit + " value=" + value + " allowed=" + allowed);
        this.limit = limit;
    }

    /**
     * Creates an exception for a stack of the thread that is too small for the records, although their depth is within the limit, or for the code of
     * their objects.
     *
     * @param typeName name of the type of the outermost record
     * @param allowedDepth maximum number of records one inside the other
     * @param cause the error of the stack
     */
    public CompactLimitException(String typeName, int allowedDepth, StackOverflowError cause) {
        super("records, or the code of their objects, are too deep for the thread's stack: type=" + typeName
                + " limit=maxDepth allowed=" + allowedDepth);
        this.limit = "maxDepth";
        initCause(cause);
    }

    /**
     * Returns the name of the limit.
     *
     * @return name of the component of {@link dev.touchstone.serialization.Limits}
     */
    public String limit() {
        return limit;
    }
}
