package dev.touchstone.messaging.etf;

/**
 * Limits for a term that is read. Its memory is bounded by its bytes as well: no part is allocated for which there are not enough bytes.
 *
 * @param maxBytes bytes of the encoded term
 * @param maxDepth tuples, lists, maps and funs that may be one inside the other
 * @param maxElements elements of all tuples, lists and maps together; a map's keys and values count each
 * @param maxInflatedBytes bytes that a compressed term may be inflated to
 */
public record DecodeLimits(int maxBytes, int maxDepth, int maxElements, int maxInflatedBytes) {
    /** The limits of 64 MiB, plain and inflated, a depth of 500,000, and 16,777,216 elements. */
    public static final DecodeLimits DEFAULT = new DecodeLimits(64 << 20, 500_000, 16 << 20, 64 << 20);

    /**
     * Checks the limits.
     *
     * @throws IllegalArgumentException if a limit is below 1
     */
    public DecodeLimits {
        if (maxBytes < 1 || maxDepth < 1 || maxElements < 1 || maxInflatedBytes < 1) {
            throw new IllegalArgumentException("limits must be positive: maxBytes=" + maxBytes + " maxDepth=" + maxDepth
                    + " maxElements=" + maxElements + " maxInflatedBytes=" + maxInflatedBytes);
        }
    }

    /**
     * Returns the same limits but for {@link #maxBytes}.
     *
     * @param bytes 1 or more
     * @return the other limits
     */
    public DecodeLimits withMaxBytes(int bytes) {
        return new DecodeLimits(bytes, maxDepth, maxElements, maxInflatedBytes);
    }

    /**
     * Returns the same limits but for {@link #maxDepth}.
     *
     * @param depth 1 or more
     * @return the other limits
     */
    public DecodeLimits withMaxDepth(int depth) {
        return new DecodeLimits(maxBytes, depth, maxElements, maxInflatedBytes);
    }

    /**
     * Returns the same limits but for {@link #maxElements}.
     *
     * @param elements 1 or more
     * @return the other limits
     */
    public DecodeLimits withMaxElements(int elements) {
        return new DecodeLimits(maxBytes, maxDepth, elements, maxInflatedBytes);
    }

    /**
     * Returns the same limits but for {@link #maxInflatedBytes}.
     *
     * @param bytes 1 or more
     * @return the other limits
     */
    public DecodeLimits withMaxInflatedBytes(int bytes) {
        return new DecodeLimits(maxBytes, maxDepth, maxElements, bytes);
    }
}
