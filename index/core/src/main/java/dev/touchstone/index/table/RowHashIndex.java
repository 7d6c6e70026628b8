package dev.touchstone.index.table;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A hash table with open addressing from a row of codes to the rows that are equal to it. Equal rows are chained in order. Immutable and thread-safe.
 *
 * <p>A hash is a product with an odd number. Whoever may change prices can choose rows whose products with a known number begin in few slots, so a table
 * that needs far too many steps is made again with a number that nobody knows.
 */
public final class RowHashIndex {
    private static final int[] NO_FOLLOWERS = {}; // before the table that has it

    /** Table without a row. */
    public static final RowHashIndex NO_KEYS = new RowHashIndex(new long[0], 0, 1, -1);

    /** Ordinal that stands for no row. */
    public static final int NONE = -1;

    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    /** Maximum number of steps from slot to slot for each row, on average: some ten times as many as rows in no order need. */
    private static final int MAX_STEPS = 16;

    /** Maximum number of factors that are tried. One random factor in thousands is a bad one for some rows. */
    private static final int MAX_FACTORS = 8;

    private static final int MAX_SHORT = (1 << 16) - 2;

    /*
     * The rows, and behind them the slots: four in a word if all ordinals fit, else two. A slot is an ordinal + 1, and in the bits above it as much
     * of the hash as there is room for, so that rows with other hashes are seldom read. One array and not two, because in a large index each
     * array that a search touches costs an access to memory for its length alone.
     */
    private final long[] table;
    private final int words;
    private final int firstSlot; // index in `table` of the first word of slots
    private final int slotShift; // 2 if four slots are in a word, else 1
    private final int[] followers; // by ordinal, the next equal row + 1; empty if no two rows are equal
    private final int mask;
    private final int hashShift; // leaves the highest bits of a hash, which alone depend on all bits of a row
    private final int ordinalBits; // of a slot
    private final int tagMask;
    private final long codes; // the bits of the last word of a row that are compared
    private final long factor; // of hashes

    /**
     * Creates a table of all rows, each of {@code words} words.
     *
     * @param codes bits of the last word by which rows are compared
     */
    public RowHashIndex(long[] rows, int count, int words, long codes) {
        this.words = words;
        this.codes = codes;
        int size = Math.max(4, Integer.highestOneBit(Math.max(1, count)) * 2);
        mask = (count > size - size / 4 ? size * 2 : size) - 1;
        hashShift = Long.numberOfLeadingZeros(mask);
        slotShift = count <= MAX_SHORT ? 2 : 1;
        ordinalBits = Integer.SIZE - Integer.numberOfLeadingZeros(count);
        tagMask = (1 << Math.min(16, (Long.SIZE >>> slotShift) - ordinalBits)) - 1;
        firstSlot = count * words;
        table = Arrays.copyOf(rows, Math.addExact(firstSlot, (mask + 1) >>> slotShift));
        long tried = FACTOR;
        int[] chained = fill(count, tried, MAX_STEPS);
        for (int i = 2; chained == null; i++) {
            tried = ThreadLocalRandom.current().nextLong() | 1;
            chained = fill(count, tried, i < MAX_FACTORS ? MAX_STEPS : Integer.MAX_VALUE);
        }
        factor = tried;
        followers = chained;
    }

    /** Sets all slots by the hashes of a factor; returns the followers, or null if that takes too many steps. */
    private int @Nullable [] fill(int count, long by, long maxSteps) {
        Arrays.fill(table, firstSlot, table.length, 0);
        int[] chained = NO_FOLLOWERS;
        long left = maxSteps * (count + MAX_STEPS);
        // from the last row to the first, so that each row goes in front of its equals
        for (int ordinal = count - 1; ordinal >= 0; ordinal--) {
            long hash = hash(table, ordinal * words, by);
            int at = find(table, ordinal * words, hash);
            left -= (at - home(hash)) & mask;
            if (left < 0) {
                return null;
            }
            int next = slot(at) & ordinalMask();
            if (next != 0) {
                chained = chained.length == 0 ? new int[count] : chained;
                chained[ordinal] = next;
            }
            setSlot(at, tag(hash) << ordinalBits | (ordinal + 1));
        }
        return chained;
    }

    /** Returns the array that holds the rows in order; the hash table stands behind them. */
    public long[] rows() {
        return table;
    }

    private int slot(int at) {
        long word = table[firstSlot + (at >>> slotShift)];
        return slotShift == 2 ? (int) (word >>> (at << 4)) & 0xFFFF : (int) (word >>> (at << 5));
    }

    private void setSlot(int at, int slot) {
        int bits = Long.SIZE >>> slotShift; // of one slot
        long ones = -1L >>> (Long.SIZE - bits);
        int shift = at * bits & (Long.SIZE - 1);
        int word = firstSlot + (at >>> slotShift);
        table[word] = (table[word] & ~(ones << shift)) | (slot & ones) << shift;
    }

    private int ordinalMask() {
        return (1 << ordinalBits) - 1;
    }

    private int tag(long hash) {
        return (int) (hash >>> 17) & tagMask;
    }

    /** Returns the slot at which the look-up of rows with a hash begins. */
    int home(long hash) {
        return (int) (hash >>> hashShift);
    }

    /** Returns the hash of the row that begins at an index of an array. */
    long hash(long[] row, int from) {
        return hash(row, from, factor);
    }

    private long hash(long[] row, int from, long by) {
        long hash = 0;
        for (int i = 0; i < words - 1; i++) {
            long product = (hash ^ row[from + i]) * by;
            hash = product ^ (product >>> 29);
        }
        return (hash ^ (row[from + words - 1] & codes)) * by;
    }

    /** Returns the slot of the rows that are equal to a row with a hash, or the free slot where that row would go. */
    private int find(long[] row, int from, long hash) {
        int tag = tag(hash);
        int at = home(hash);
        for (int slot = slot(at); slot != 0; slot = slot(at)) {
            if (slot >>> ordinalBits == tag && isEqual(row, from, (slot & ordinalMask()) - 1)) {
                return at;
            }
            at = (at + 1) & mask;
        }
        return at;
    }

    private boolean isEqual(long[] row, int from, int ordinal) {
        int other = ordinal * words;
        int last = words - 1;
        for (int i = 0; i < last; i++) {
            if (table[other + i] != row[from + i]) {
                return false;
            }
        }
        return ((table[other + last] ^ row[from + last]) & codes) == 0;
    }

    /** Returns the ordinal of the first row that is equal to a row, or {@link #NONE}. */
    public int first(long[] row) {
        return (slot(find(row, 0, hash(row, 0))) & ordinalMask()) - 1;
    }

    /**
     * Returns the ordinal of the first row that is equal to a row, or {@link #NONE}; only in a table of rows of one word.
     *
     * @param row row with no bits but those of codes
     */
    public int first(long row) {
        long hash = row * factor;
        int tag = tag(hash);
        int at = home(hash);
        for (int slot = slot(at); slot != 0; slot = slot(at)) {
            int ordinal = (slot & ordinalMask()) - 1;
            if (slot >>> ordinalBits == tag && ((table[ordinal] ^ row) & codes) == 0) {
                return ordinal;
            }
            at = (at + 1) & mask;
        }
        return NONE;
    }

    /** Returns the ordinal of the next row that is equal to the row of an ordinal, or {@link #NONE}. */
    public int next(int ordinal) {
        return followers.length == 0 ? NONE : followers[ordinal] - 1;
    }
}
