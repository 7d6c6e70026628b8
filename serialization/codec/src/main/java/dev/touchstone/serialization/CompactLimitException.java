package dev.touchstone.serialization;

/** A record was not read or written because it is beyond one of the {@link Limits}. */
public final class CompactLimitException extends CompactException {
    private static final long serialVersionUID = 1;

    private final String limit;

    CompactLimitException(String limit, long value, long allowed) {
        super("beyond a limit: limit=" + limit + " value=" + value + " allowed=" + allowed);
        this.limit = limit;
    }

    /** The name of the component of {@link Limits}. */
    public String limit() {
        return limit;
    }
}
