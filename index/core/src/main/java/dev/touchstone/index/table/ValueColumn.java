package dev.touchstone.index.table;

import java.nio.LongBuffer;

/**
 * A number for each row of a block, in the bits of the row that no field uses, or in a column of its own where these are too few. Immutable and
 * thread-safe.
 *
 * <p>A search that finds a row has it in the nearest cache, and with it the number. A column is one more access to memory.
 */
public final class ValueColumn {
    private static final LongBuffer NO_COLUMN = LongBuffer.allocate(0);
    private static final long[] NO_ROWS = {};

    private final long[] rows; // empty if there is a column
    private final int words; // of a row
    private final int shift; // of a number in the last word of its row
    private final long least;
    private final int count;
    private final LongBuffer column;

    private ValueColumn(long[] rows, RowLayout layout, long least, int count) {
        this.rows = rows;
        words = layout.words();
        shift = Long.SIZE - layout.free();
        this.least = least;
        this.count = count;
        column = NO_COLUMN;
    }

    /** Creates a column of numbers, which must not change. */
    public ValueColumn(LongBuffer column) {
        rows = NO_ROWS;
        words = 0;
        shift = 0;
        least = 0;
        count = column.limit();
        this.column = column;
    }

    /**
     * Returns a column of the same numbers that are in the rows, if the free bits of a row can hold each; else this one.
     *
     * @param array rows, and anything behind them; their free bits must be 0, and are set to the numbers
     */
    public ValueColumn in(long[] array, RowLayout layout) {
        if (layout.free() == 0 || count == 0) {
            return this;
        }
        long lowest = get(0);
        long highest = lowest;
        for (int row = 1; row < count; row++) {
            lowest = Math.min(lowest, get(row));
            highest = Math.max(highest, get(row));
        }
        if (Long.SIZE - Long.numberOfLeadingZeros(highest - lowest) > layout.free()) { // without a sign
            return this;
        }
        ValueColumn packed = new ValueColumn(array, layout, lowest, count);
        for (int row = 0; row < count; row++) {
            array[packed.word(row)] |= (get(row) - lowest) << packed.shift;
        }
        return packed;
    }

    private int word(int row) {
        return row * words + words - 1;
    }

    /** Returns the number of a row. */
    public long get(int row) {
        return rows.length > 0 ? least + (rows[word(row)] >>> shift) : column.get(row);
    }

    /** Returns the number of rows. */
    public int count() {
        return count;
    }
}
