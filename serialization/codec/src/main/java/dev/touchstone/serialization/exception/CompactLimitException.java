package dev.touchstone.serialization.exception;

/** A record was not read or written because it is beyond one of the {@link Limits}. */
public final class CompactLimitException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String limit;

    public CompactLimitException(String limit, long value, long allowed) {
        super("beyond a limit: limit=" + limit + " value=" + value + " allowed=" + allowed);
        this.limit = limit;
    }

    /** The thread's stack is too small for records as deep as the limit allows. */
    public CompactLimitException(int allowedDepth, StackOverflowError cause) {
        super("records are too deep for the thread's stack: limit=maxDepth allowed=" + allowedDepth);
        this.limit = "maxDepth";
        initCause(cause);
    }

    /** The name of the component of {@link Limits}. */
    public String limit() {
        return limit;
    }
}
