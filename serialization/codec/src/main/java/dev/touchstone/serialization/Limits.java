package dev.touchstone.serialization;

/**
 * Limits of the records that are read or written. The memory for a record is bounded by the number of its bytes as well: nothing is allocated for
 * items whose bytes are not there.
 *
 * @param maxBytes maximum length of a record with its header and all records inside it, in bytes; at least 1
 * @param maxDepth maximum number of records that are one inside the other, the outermost included; at least 1
 * @param maxItems maximum number of items of one array; at least 1
 */
public record Limits(int maxBytes, int maxDepth, int maxItems) {
    /** The default limits: 64 MiB, a depth of 256, and 16,777,216 items. */
    public static final Limits DEFAULT = new Limits(64 << 20, 256, 16 << 20);

    /**
     * Creates limits.
     *
     * @throws IllegalArgumentException if a limit is below 1
     */
    public Limits {
        if (maxBytes < 1 || maxDepth < 1 || maxItems < 1) {
            throw new IllegalArgumentException("limits must be positive: maxBytes=" + maxBytes + " maxDepth=" + maxDepth
                    + " maxItems=" + maxItems);
        }
    }

    /**
     * Returns these limits with another maximum length of a record.
     *
     * @param bytes maximum length of a record in bytes, at least 1
     * @return new limits
     */
    public Limits withMaxBytes(int bytes) {
        return new Limits(bytes, maxDepth, maxItems);
    }

    /**
     * Returns these limits with another maximum depth.
     *
     * @param depth maximum number of records that are one inside the other, at least 1
     * @return new limits
     */
    public Limits withMaxDepth(int depth) {
        return new Limits(maxBytes, depth, maxItems);
    }

    /**
     * Returns these limits with another maximum number of items.
     *
     * @param items maximum number of items of one array, at least 1
     * @return new limits
     */
    public Limits withMaxItems(int items) {
        return new Limits(maxBytes, maxDepth, items);
    }
}
