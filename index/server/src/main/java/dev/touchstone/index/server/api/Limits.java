package dev.touchstone.index.server.api;

/**
 * How much one request may ask for. Immutable.
 *
 * @param bodyBytes of a request for one search
 * @param bulkBodyBytes of a request for many, or of an update
 * @param items in one bulk request or update; values of one condition; prices in an answer
 * @param conditions of one search
 * @param depth to which JSON may be nested
 */
public record Limits(int bodyBytes, int bulkBodyBytes, int items, int conditions, int depth) {
    /** 1 MiB for one search, 16 MiB for many, 10 000 items, 256 conditions, depth 32. */
    public static final Limits DEFAULT = new Limits(1 << 20, 16 << 20, 10_000, 256, 32);

    public Limits {
        if (bodyBytes < 1 || bulkBodyBytes < 1 || items < 1 || conditions < 1 || depth < 4) {
            throw new IllegalArgumentException("bodyBytes=" + bodyBytes + " bulkBodyBytes=" + bulkBodyBytes + " items="
                    + items + " conditions=" + conditions + " depth=" + depth);
        }
    }
}
