package dev.touchstone.index.table;

import java.security.SecureRandom;

/**
 * A hash table with open addressing from ids to the rows of a block, which takes 8 bytes a row. Immutable and thread-safe. The table does not hold the
 * ids; whoever looks one up compares the rows.
 *
 * <p>The hashes depend on a secret number of this process, so that nobody can choose ids whose hashes are equal.
 */
public final class IdTable {
    /** Row that stands for no row. */
    public static final int NONE = -1;

    private static final long SECRET = new SecureRandom().nextLong();
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final int[] slots; // row + 1, and in the bits above it as much of the hash as there is room for; 0 is free
    private final int rowBits;

    /** The hashes of rows. */
    public interface Hashes {
        /** Returns the hash of the id of a row. */
        long hash(int row);
    }

    /** A comparison of a row with an id. */
    public interface Same {
        /** Returns whether a row has the id. */
        boolean test(int row);
    }

    /** A comparison of two rows. */
    public interface Equal {
        /** Returns whether two rows have the same id. */
        boolean test(int row, int other);
    }

    private IdTable(int count) {
        slots = new int[(int) Math.min(Integer.MAX_VALUE - 16, 2L * count + 1)];
        rowBits = Integer.SIZE - Integer.numberOfLeadingZeros(count);
    }

    /** Returns a table of rows with different ids. */
    public static IdTable of(int count, Hashes hashes) {
        IdTable table = new IdTable(count);
        for (int row = 0; row < count; row++) {
            long hash = hashes.hash(row);
            int at = table.start(hash);
            while (table.slots[at] != 0) {
                at = table.next(at);
            }
            table.set(at, row, hash);
        }
        return table;
    }

    /** Returns the first row that has the id of a row before it, or {@link #NONE}. */
    public static int repeated(int count, Hashes hashes, Equal equal) {
        IdTable table = new IdTable(count);
        for (int row = 0; row < count; row++) {
            long hash = hashes.hash(row);
            int at = table.start(hash);
            for (; table.slots[at] != 0; at = table.next(at)) {
                if (table.hasTag(at, hash) && equal.test(table.row(at), row)) {
                    return row;
                }
            }
            table.set(at, row, hash);
        }
        return NONE;
    }

    /** Returns the row of an id, or {@link #NONE}. */
    public int find(long hash, Same same) {
        for (int at = start(hash); slots[at] != 0; at = next(at)) {
            if (hasTag(at, hash) && same.test(row(at))) {
                return row(at);
            }
        }
        return NONE;
    }

    private int start(long hash) {
        return (int) (((hash >>> 32) * slots.length) >>> 32);
    }

    private int next(int at) {
        return at + 1 == slots.length ? 0 : at + 1;
    }

    private int row(int at) {
        return (slots[at] & ((1 << rowBits) - 1)) - 1;
    }

    private boolean hasTag(int at, long hash) {
        return slots[at] >>> rowBits == tag(hash);
    }

    private int tag(long hash) {
        return (int) hash & (-1 >>> rowBits);
    }

    private void set(int at, int row, long hash) {
        slots[at] = (tag(hash) << rowBits) | (row + 1);
    }

    /** Returns the hash of an id that is a UUID. */
    public static long hash(long high, long low) {
        long hash = (high ^ SECRET) * FACTOR;
        hash = (hash ^ (hash >>> 32) ^ low) * FACTOR;
        hash = (hash ^ (hash >>> 32)) * FACTOR;
        return hash ^ (hash >>> 32);
    }

    /** Returns the hash of a text. */
    public static long hash(String text) {
        long hash = SECRET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FACTOR;
            hash ^= hash >>> 32;
        }
        hash *= FACTOR;
        return hash ^ (hash >>> 32);
    }
}
