package dev.touchstone.messaging.etf;

/**
 * How large a term may be that is read. What a term takes in memory is bounded by its bytes as well: no part is allocated for which
 * there are not enough bytes.
 *
 * @param maxBytes of the encoded term
 * @param maxDepth how many tuples, lists, maps and funs may be one inside the other
 * @param maxElements of all tuples, lists and maps together; a map's keys and values count each
 * @param maxInflatedBytes what a compressed term may be inflated to
 */
public record DecodeLimits(int maxBytes, int maxDepth, int maxElements, int maxInflatedBytes) {
    public static final DecodeLimits DEFAULT = new DecodeLimits(64 << 20, 500_000, 16 << 20, 64 << 20);

    /** @throws IllegalArgumentException if a limit is below 1 */
    public DecodeLimits {
        if (maxBytes < 1 || maxDepth < 1 || maxElements < 1 || maxInflatedBytes < 1) {
            throw new IllegalArgumentException("limits must be positive: maxBytes=" + maxBytes + " maxDepth=" + maxDepth
                    + " maxElements=" + maxElements + " maxInflatedBytes=" + maxInflatedBytes);
        }
    }

    public DecodeLimits withMaxBytes(int bytes) {
        return new DecodeLimits(bytes, maxDepth, maxElements, maxInflatedBytes);
    }

    public DecodeLimits withMaxDepth(int depth) {
        return new DecodeLimits(maxBytes, depth, maxElements, maxInflatedBytes);
    }

    public DecodeLimits withMaxElements(int elements) {
        return new DecodeLimits(maxBytes, maxDepth, elements, maxInflatedBytes);
    }

    public DecodeLimits withMaxInflatedBytes(int bytes) {
        return new DecodeLimits(maxBytes, maxDepth, maxElements, bytes);
    }
}
