package dev.touchstone.messaging.etf;

/** A failure to read a term that exceeds one of the {@link DecodeLimits}. */
public final class TermLimitException extends EtfException {
    private static final long serialVersionUID = 1;

    private final String limit;

    TermLimitException(String limit, long value, long allowed) {
        super("beyond a limit: limit=" + limit + " value=" + value + " allowed=" + allowed, null);
        this.limit = limit;
    }

    /**
     * Returns the limit that the term exceeds.
     *
     * @return the name of a component of {@link DecodeLimits}
     */
    public String limit() {
        return limit;
    }
}
