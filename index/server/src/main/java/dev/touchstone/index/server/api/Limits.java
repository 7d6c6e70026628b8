package dev.touchstone.index.server.api;

/**
 * Limits of one request. Immutable.
 *
 * @param bodyBytes maximum length of the body of a request for one search, in bytes; at least 1
 * @param bulkBodyBytes maximum length of the body of a bulk request or an update, in bytes; at least 1
 * @param items maximum number of items of a bulk request or update, of values of one condition, and of prices in an answer; at least 1
 * @param conditions maximum number of conditions of one search; at least 1
 * @param depth maximum nesting of JSON; at least 4
 */
public record Limits(int bodyBytes, int bulkBodyBytes, int items, int conditions, int depth) {
    /** The default limits: 1 MiB for one search, 16 MiB for a bulk request, 10,000 items, 256 conditions, and a depth of 32. */
    public static final Limits DEFAULT = new Limits(1 << 20, 16 << 20, 10_000, 256, 32);

    /**
     * Creates limits.
     *
     * @throws IllegalArgumentException if a limit is outside its range
     */
    public Limits {
        if (bodyBytes < 1 || bulkBodyBytes < 1 || items < 1 || conditions < 1 || depth < 4) {
            throw new IllegalArgumentException("bodyBytes=" + bodyBytes + " bulkBodyBytes=" + bulkBodyBytes + " items="
                    + items + " conditions=" + conditions + " depth=" + depth);
        }
    }
}
