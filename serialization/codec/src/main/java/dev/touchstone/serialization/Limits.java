package dev.touchstone.serialization;

/**
 * How large a record may be that is read or written. What a record takes in memory is bounded by its bytes as well: nothing is allocated
 * for which there are not enough bytes.
 *
 * @param maxBytes of a record with all that is inside it
 * @param maxDepth how many records may be one inside the other, the outermost included
 * @param maxItems of one array
 */
public record Limits(int maxBytes, int maxDepth, int maxItems) {
    public static final Limits DEFAULT = new Limits(64 << 20, 256, 16 << 20);

    /** @throws IllegalArgumentException if a limit is below 1 */
    public Limits {
        if (maxBytes < 1 || maxDepth < 1 || maxItems < 1) {
            throw new IllegalArgumentException("limits must be positive: maxBytes=" + maxBytes + " maxDepth=" + maxDepth
                    + " maxItems=" + maxItems);
        }
    }

    public Limits withMaxBytes(int bytes) {
        return new Limits(bytes, maxDepth, maxItems);
    }

    public Limits withMaxDepth(int depth) {
        return new Limits(maxBytes, depth, maxItems);
    }

    public Limits withMaxItems(int items) {
        return new Limits(maxBytes, maxDepth, items);
    }
}
