package dev.touchstone.index.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The places of codes in a row. Each field has as many bits as its largest code needs, and no field stands across two words. Immutable.
 *
 * <pre>
 *   word 0                              word 1
 *   | field 0 | field 1 | ... | unused || field k | ... | unused |
 *   bit 0                          63    bit 0
 * </pre>
 *
 * The unused bits of the last word may hold a number of the row ({@link ValueColumn}).
 */
public final class RowLayout {
    /** Returned instead of a row of one word if no row can have the codes. A row whose 64 bits are all set has the same value. */
    public static final long NO_ROW = -1;

    private final int[] places; // by field: word, shift and bits in one number, to touch little memory
    private final int words;
    private final int free; // bits of the last word that no field uses

    /** Creates a layout for codes from 0 to the highest one of each field. */
    public RowLayout(int[] highest) {
        places = new int[highest.length];
        int at = 0;
        int used = 0;
        for (int field = 0; field < highest.length; field++) {
            int bits = Integer.SIZE - Integer.numberOfLeadingZeros(highest[field]);
            if (used + bits > Long.SIZE) {
                at++;
                used = 0;
            }
            places[field] = at << 16 | (used & (Long.SIZE - 1)) << 8 | bits;
            used += bits;
        }
        words = at + 1;
        free = Long.SIZE - used;
    }

    /** Returns the number of words of a row. */
    public int words() {
        return words;
    }

    /** Returns the number of highest bits of the last word of a row that no field uses. */
    public int free() {
        return free;
    }

    /** Returns the bits of the last word of a row that fields use. */
    public long codes() {
        return free == Long.SIZE ? 0 : -1L >>> free;
    }

    /** Returns the index of the word of a row that holds a field. */
    public int word(int field) {
        return places[field] >>> 16;
    }

    private int shift(int field) {
        return places[field] >>> 8; // only the last six bits of a shift count
    }

    private static long ones(int place) {
        return (1L << place) - 1; // a highest code has at most 31 bits, and only the last six bits of a shift count
    }

    /** Returns a code at the place of its field in the word. */
    public long placed(int field, int code) {
        return (long) code << shift(field);
    }

    /** Returns the bits of a field in its word. */
    public long mask(int field) {
        return ones(places[field]) << shift(field);
    }

    /** Returns whether the bits of a field can hold a code. */
    public boolean holds(int field, int code) {
        return (code & ~ones(places[field])) == 0;
    }

    /**
     * Returns the row of one word in which some fields have given codes; {@link #NO_ROW} if the bits of a field cannot hold its code, or if this is
     * the value of the row.
     *
     * @param fields fields, none of them twice
     */
    public long row(int[] fields, int[] codes, int count) {
        long row = 0;
        long tooHigh = 0;
        for (int i = 0; i < count; i++) {
            int place = places[fields[i]];
            long code = codes[i];
            row |= code << (place >>> 8);
            tooHigh |= code & ~ones(place);
        }
        return tooHigh == 0 ? row : NO_ROW;
    }

    /** Returns the code of a field in row {@code row} of contiguous rows. */
    public int code(long[] rows, int row, int field) {
        int place = places[field];
        return (int) ((rows[row * words + (place >>> 16)] >>> (place >>> 8)) & ones(place));
    }

    /** Sets the code of a field in a row in which the bits of the field are 0. */
    public void put(long[] rows, int row, int field, int code) {
        rows[row * words + word(field)] |= placed(field, code);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RowLayout layout && Arrays.equals(places, layout.places);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(places);
    }
}
