package dev.touchstone.index.table;

import java.util.Arrays;

/**
 * The codes of an ordered field, one bitmap for each bit of the code: a range of codes is found with a few operations on each, for all rows at
 * once (O'Neil and Quass, "Improved query performance with variant indexes", 1997). Code 0 is a row without a value, which no range has. Immutable
 * and thread-safe.
 */
public final class BitSlices {
    private final long[][] slices; // the highest bit first

    /** Slices of a field over all rows, whose codes are 0 to {@code highest}. */
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
     * Sets in {@code found} the rows of a block whose codes are {@code low} to {@code high}, both of them within 1 to the highest.
     *
     * @param below as long as {@code found}, to be written over
     */
    public void range(long[] found, long[] below, int words, int from, int low, int high) {
        Arrays.fill(found, 0, words, -1); // at most high in the bits so far
        Arrays.fill(below, 0, words, 0); // below low in them
        for (int bit = slices.length - 1, place = 0; bit >= 0; bit--, place++) {
            step(found, below, slices[bit], words, from, ones(low, place), ones(high, place));
        }
        Bits.andNot(found, words, below, 0);
    }

    /** From the lowest bit up, a code is below a bound where its bit is and the bound's is not, or where they are the same and it was so far. */
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

    /** Those of 64 rows whose codes are {@code low} to {@code high}, both of them within 1 to the highest. */
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
