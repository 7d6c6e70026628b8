package dev.touchstone.index.table;

/**
 * A bit for the hash of each row of one word, and for few other hashes: most rows that are not there are told without reading a hash table or a row. Immutable
 * and thread-safe.
 */
public final class RowFilter {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    /** Minimum number of bits for each row: at most one of that many absent rows is not told. */
    private static final int BITS = 16;

    private final long[] bits;
    private final int shift; // of a hash whose highest bits are the place of a bit

    /**
     * Creates a filter of all rows.
     *
     * @param codes bits by which rows are compared
     */
    public RowFilter(long[] rows, int count, long codes) {
        int logarithm = Math.min(31, Long.SIZE - Long.numberOfLeadingZeros((long) Math.max(4, count) * BITS - 1));
        bits = new long[1 << (logarithm - 6)];
        shift = Long.SIZE - logarithm;
        for (int row = 0; row < count; row++) {
            int place = place(rows[row] & codes);
            bits[place >>> 6] |= 1L << place;
        }
    }

    private int place(long row) {
        return (int) ((row * FACTOR) >>> shift);
    }

    /**
     * Returns a bit for each of some masks among the first 64, the lowest one for the first, that is 0 if no row equals the bits of a given row under the
     * mask. Has no branch for a mask, so that the accesses to memory overlap.
     *
     * @param row row with no bits but those of codes
     */
    public long candidates(long row, long[] masks, int from, int to) {
        long found = 0;
        for (int i = from; i < to; i++) {
            int place = place(row & masks[i]);
            found |= ((bits[place >>> 6] >>> place) & 1) << i;
        }
        return found;
    }
}
