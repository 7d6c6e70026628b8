package dev.touchstone.index.table;

/**
 * Where the codes of a row stand: each field has as many bits as its largest code needs, no field stands across two words. Immutable.
 *
 * <pre>
 *   word 0                              word 1
 *   | field 0 | field 1 | ... | unused || field k | ... | unused |
 *   bit 0                          63    bit 0
 * </pre>
 */
public final class RowLayout {
    private final byte[] word;
    private final byte[] shift;
    private final long[] mask;
    private final int words;

    /** A layout for codes from 0 to a highest one for each field. */
    public RowLayout(int[] highest) {
        word = new byte[highest.length];
        shift = new byte[highest.length];
        mask = new long[highest.length];
        int at = 0;
        int used = 0;
        for (int field = 0; field < highest.length; field++) {
            int bits = Integer.SIZE - Integer.numberOfLeadingZeros(highest[field]);
            if (used + bits > Long.SIZE) {
                at++;
                used = 0;
            }
            word[field] = (byte) at;
            shift[field] = (byte) (used & (Long.SIZE - 1));
            mask[field] = (1L << bits) - 1;
            used += bits;
        }
        words = at + 1;
    }

    /** Words of one row. */
    public int words() {
        return words;
    }

    /** Which word of the row has a field. */
    public int word(int field) {
        return word[field];
    }

    /** The code of a field in its place within its word. */
    public long placed(int field, int code) {
        return (long) code << shift[field];
    }

    /** The bits of a field in its place within its word. */
    public long mask(int field) {
        return mask[field] << shift[field];
    }

    /** Whether a field's bits can hold a code. */
    public boolean holds(int field, int code) {
        return (code & ~mask[field]) == 0;
    }

    /** The code of a field in row {@code row} of rows that stand one behind the other. */
    public int code(long[] rows, int row, int field) {
        return (int) ((rows[row * words + word[field]] >>> shift[field]) & mask[field]);
    }

    /** Sets the code of a field in a row whose bits of it are 0. */
    public void put(long[] rows, int row, int field, int code) {
        rows[row * words + word[field]] |= placed(field, code);
    }
}
