package dev.touchstone.builds.wire;

import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Keeps one number for each row of a batch. Grows at its end; for one thread, until it is handed over. */
public final class LongArrayList {
    private static final int FIRST_CAPACITY = 16;

    private long[] values;
    private int size;

    public LongArrayList() {
        this(FIRST_CAPACITY);
    }

    /** Creates an empty column with room for so many rows. */
    public LongArrayList(int rows) {
        this(new long[rows], 0);
    }

    private LongArrayList(long[] values, int size) {
        this.values = values;
        this.size = size;
    }

    /** Returns a column of a copy of these values. */
    public static LongArrayList of(long... values) {
        return new LongArrayList(values.clone(), values.length);
    }

    /** Returns a column of the array itself, not of a copy. */
    public static LongArrayList wrap(long[] values) {
        return new LongArrayList(values, values.length);
    }

    /** Adds a row at the end. */
    public void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, Math.max(FIRST_CAPACITY, 2 * size));
        }
        values[size++] = value;
    }

    /**
     * Returns the value of a row.
     *
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public long get(int row) {
        if (row >= size) {
            throw new IndexOutOfBoundsException("row=" + row + " size=" + size);
        }
        return values[row];
    }

    /** Returns the row of a value in a column that ascends; negative if it has none. */
    public int rowOf(long value) {
        return Arrays.binarySearch(values, 0, size, value);
    }

    public int size() {
        return size;
    }

    /** Returns how many rows there is memory for. */
    public int capacity() {
        return values.length;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Removes the first rows. */
    public void removeFirst(int rows) {
        System.arraycopy(values, rows, values, 0, size - rows);
        size -= rows;
    }

    public void clear() {
        size = 0;
    }

    /** Gives each value to somebody, in their order. */
    public void forEach(LongConsumer consumer) {
        for (int row = 0; row < size; row++) {
            consumer.accept(values[row]);
        }
    }

    /** Returns a copy of the values. */
    public long[] toArray() {
        return Arrays.copyOf(values, size);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LongArrayList that && Arrays.equals(values, 0, size, that.values, 0, that.size);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(toArray());
    }

    @Override
    public String toString() {
        return Arrays.toString(toArray());
    }
}
