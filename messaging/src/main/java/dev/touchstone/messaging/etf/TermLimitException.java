package dev.touchstone.messaging.etf;

/** A term was not read because it is beyond one of the {@link DecodeLimits}. */
public final class TermLimitException extends EtfException {
    private static final long serialVersionUID = 1;

    private final String limit;

    TermLimitException(String limit, long value, long allowed) {
        super("beyond a limit: limit=" + limit + " value=" + value + " allowed=" + allowed, null);
        this.limit = limit;
    }

    /** The name of the component of {@link DecodeLimits}. */
    public String limit() {
        return limit;
    }
}
