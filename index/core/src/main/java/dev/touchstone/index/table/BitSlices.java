package dev.touchstone.index.table;

import java.util.Arrays;

/**
 * The codes of an ordered field as one bitmap for each bit of the code. A range of codes is found with a few operations on each bitmap, for all rows
 * at once (O'Neil and Quass, "Improved query performance with variant indexes", 1997). Code 0 is a row without a value, which only a range that
 * begins with 0 has. Immutable and thread-safe.
 */
public final class BitSlices {
    private final long[][] slices; // by bit, the highest one first

    /** Creates the slices of a field over all rows, whose codes are 0 to {@code highest}. */
    public BitSlices(long[] rows, int count, RowLayout layout, int field, int highest) {
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(highest);
        slices = new long[bits][Bits.words(count)];
        for (int row = 0; row < count; row++) {
            int code = layout.code(rows, row, field);
            for (int bit = 0; bit < bits; bit++) {
                if ((code >>> (bits - 1 - bit) & 1) != 0) {
                    slices[bit][row >>> 6] |= 1L << row;
                }
            }
        }
    }

    /**
     * Sets in {@code found} the rows of a block whose codes are {@code low} to {@code high}. Both bounds must be from 0 to the highest code.
     *
     * @param below scratch array of the length of {@code found}
     */
    public void range(long[] found, long[] below, int words, int from, int low, int high) {
        Arrays.fill(found, 0, words, -1); // rows that are at most `high` in the bits so far
        Arrays.fill(below, 0, words, 0); // rows that are below `low` in the bits so far
        for (int bit = slices.length - 1, place = 0; bit >= 0; bit--, place++) {
            step(found, below, slices[bit], words, from, ones(low, place), ones(high, place));
        }
        Bits.andNot(found, words, below, 0);
    }

    /**
     * Processes one bit, from the lowest to the highest. A code is below a bound if its bit is 0 and that of the bound is 1, or if both bits are the
     * same and the lower bits were below.
     */
    private static void step(long[] found, long[] below, long[] slice, int words, int from, long low, long high) {
        for (int w = 0; w < words; w++) {
            long zero = ~slice[from + w];
            found[w] = (zero & (found[w] | high)) | (found[w] & high);
            below[w] = (zero & (below[w] | low)) | (below[w] & low);
        }
    }

    private static long ones(int bound, int place) {
        return -(long) (bound >>> place & 1);
    }

    /** Returns the bits of the 64 rows of a word whose codes are {@code low} to {@code high}. Both bounds must be from 0 to the highest code. */
    public long word(int at, int low, int high) {
        long found = -1;
        long below = 0;
        for (int bit = slices.length - 1, place = 0; bit >= 0; bit--, place++) {
            long zero = ~slices[bit][at];
            long atHigh = ones(high, place);
            long atLow = ones(low, place);
            found = (zero & (found | atHigh)) | (found & atHigh);
            below = (zero & (below | atLow)) | (below & atLow);
        }
        return found & ~below;
    }
}
