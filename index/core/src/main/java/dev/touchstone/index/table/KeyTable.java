package dev.touchstone.index.table;

/**
 * From a whole row of codes to the rows that are equal to it, by open addressing; rows that are equal are chained in order. Immutable,
 * thread-safe.
 */
public final class KeyTable {
    /** No row. */
    public static final int NONE = -1;

    private final long[] rows;
    private final int words;
    private final char[] shortSlots; // ordinal + 1, where all ordinals fit; else empty
    private final int[] slots;
    private final int[] followers; // by ordinal, the next row that is equal, + 1; empty where no two rows are
    private final int mask;

    /** A table of all rows, each of some words. */
    public KeyTable(long[] rows, int count, int words) {
        this.rows = rows;
        this.words = words;
        int size = Integer.highestOneBit(Math.max(1, count)) * 2;
        mask = (count > size - size / 4 ? size * 2 : size) - 1;
        boolean isShort = count < Character.MAX_VALUE;
        shortSlots = new char[isShort ? mask + 1 : 0];
        slots = new int[isShort ? 0 : mask + 1];
        int[] chained = new int[0];
        // from the last to the first, so that each goes in front of those equal to it
        for (int ordinal = count - 1; ordinal >= 0; ordinal--) {
            int at = find(rows, ordinal * words);
            int slot = slot(at);
            if (slot != 0) {
                chained = chained.length == 0 ? new int[count] : chained;
                chained[ordinal] = slot;
            }
            if (isShort) {
                shortSlots[at] = (char) (ordinal + 1);
            } else {
                slots[at] = ordinal + 1;
            }
        }
        followers = chained;
    }

    private int slot(int at) {
        return shortSlots.length > 0 ? shortSlots[at] : slots[at];
    }

    /** The slot of the rows that are equal to the one which begins at an index of an array, or the free one where it would go. */
    private int find(long[] row, int from) {
        long hash = row[from] * 0x9E3779B97F4A7C15L;
        for (int i = 1; i < words; i++) {
            hash = (hash ^ (hash >>> 29) ^ row[from + i]) * 0x9E3779B97F4A7C15L;
        }
        int at = (int) (hash >>> 33) & mask;
        for (int slot = slot(at); slot != 0 && !isEqual(row, from, slot - 1); slot = slot(at)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private boolean isEqual(long[] row, int from, int ordinal) {
        int other = ordinal * words;
        for (int i = 0; i < words; i++) {
            if (rows[other + i] != row[from + i]) {
                return false;
            }
        }
        return true;
    }

    /** The first row that is equal to one, or {@link #NONE}. */
    public int first(long[] row) {
        return slot(find(row, 0)) - 1;
    }

    /** The next row that is equal to that of an ordinal, or {@link #NONE}. */
    public int next(int ordinal) {
        return followers.length == 0 ? NONE : followers[ordinal] - 1;
    }
}
