package dev.touchstone.builds.wire;

import com.google.protobuf.Internal.IntList;
import com.google.protobuf.Internal.LongList;
import dev.touchstone.builds.BuildCode;
import java.util.List;

/** Checks of the values of received messages; each throws a {@link WireException} that names the field. Stateless. */
public final class Checks {
    /** Most rows of a batch. */
    public static final int MAX_ROWS = 64 << 10;

    /** Most characters of a text that is not said to be longer. */
    public static final int MAX_TEXT = 4096;

    private Checks() {}

    /** Checks that a number is in a range, and returns it. */
    public static long range(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new WireException(name + ": expected=" + least + ".." + most + " got=" + value);
        }
        return value;
    }

    /** Checks that a number is not negative, and returns it. */
    public static long natural(String name, long value) {
        return range(name, value, 0, Long.MAX_VALUE);
    }

    /** Checks that a text has at most so many characters, and returns it. */
    public static String text(String name, String value, int most) {
        if (value.length() > most) {
            throw new WireException(name + ": expected at most " + most + " characters got=" + value.length());
        }
        return value;
    }

    /** Checks that there are at most so many elements. */
    public static void count(String name, int count, int most) {
        if (count > most) {
            throw new WireException(name + ": expected at most " + most + " elements got=" + count);
        }
    }

    /** Checks that a column has a row for each of the first column, and that all its numbers are in a range. */
    public static void column(String name, List<? extends Number> column, int rows, long least, long most) {
        if (column.size() != rows || rows > MAX_ROWS) {
            throw new WireException(name + ": expected rows=" + Math.min(rows, MAX_ROWS) + " got=" + column.size());
        }
        for (int row = 0; row < rows; row++) {
            long value = at(column, row);
            if (value < least || value > most) {
                throw new WireException(name + " row " + row + ": expected=" + least + ".." + most + " got=" + value);
            }
        }
    }

    private static long at(List<? extends Number> column, int row) {
        if (column instanceof LongList longs) {
            return longs.getLong(row);
        }
        return column instanceof IntList ints
                ? ints.getInt(row)
                : column.get(row).longValue();
    }

    /** Returns the code that a number stands for. */
    public static BuildCode code(int number) {
        return BuildCode.of(number).orElseThrow(() -> new WireException("no such code: number=" + number));
    }
}
