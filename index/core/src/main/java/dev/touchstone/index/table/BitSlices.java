package dev.touchstone.index.table;

/**
 * The codes of an ordered field, one bitmap for each bit of the code: a range of codes is found with two operations on each, for all rows at
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

    /** Sets in {@code found} the rows of a block whose codes are {@code low} to {@code high}, both of them within 1 to the highest. */
    public void range(long[] found, int words, int from, int low, int high) {
        for (int w = 0; w < words; w++) {
            found[w] = word(from + w, low, high);
        }
    }

    /** Those of 64 rows whose codes are {@code low} to {@code high}, both of them within 1 to the highest. */
    public long word(int at, int low, int high) {
        // equal to the bounds so far, and above or below them already, bit by bit
        int bits = slices.length;
        long equalLow = -1;
        long aboveLow = 0;
        long equalHigh = -1;
        long belowHigh = 0;
        for (int bit = 0; bit < bits; bit++) {
            long slice = slices[bit][at];
            int place = bits - 1 - bit;
            if ((low >>> place & 1) != 0) {
                equalLow &= slice;
            } else {
                aboveLow |= equalLow & slice;
                equalLow &= ~slice;
            }
            if ((high >>> place & 1) != 0) {
                belowHigh |= equalHigh & ~slice;
                equalHigh &= slice;
            } else {
                equalHigh &= ~slice;
            }
        }
        return (aboveLow | equalLow) & (belowHigh | equalHigh);
    }
}
