package dev.touchstone.index.table;

import java.util.Arrays;

/** Arithmetic on blocks of bitmaps: plain loops over words, which the compiler vectorizes. All blocks of a call have the same length. */
public final class Bits {
    private Bits() {}

    /** Returns the first bit of a bitmap that is set, from a bit on; -1 if there is none. */
    public static int next(long[] bitmap, int from) {
        int at = from >>> 6;
        long word = at < bitmap.length ? bitmap[at] & -1L << from : 0;
        while (word == 0 && ++at < bitmap.length) {
            word = bitmap[at];
        }
        return word == 0 ? -1 : (at << 6) + Long.numberOfTrailingZeros(word);
    }

    /** Returns whether a bit is set; false in an empty bitmap. */
    public static boolean has(long[] bitmap, int bit) {
        return bitmap.length > 0 && (bitmap[bit >>> 6] >>> bit & 1) != 0;
    }

    /** Returns the number of words that have a bit for each row. */
    public static int words(int rows) {
        return (rows + Long.SIZE - 1) >>> 6;
    }

    /** Sets the first {@code rows} bits of a block, and clears the bits behind them in the last word. */
    public static void all(long[] block, int words, int rows) {
        for (int i = 0; i < words; i++) {
            block[i] = -1;
        }
        if (rows < words << 6) {
            block[words - 1] = -1L >>> ((words << 6) - rows);
        }
    }

    /** Computes {@code block &= bitmap}. */
    public static void and(long[] block, int words, long[] bitmap, int from) {
        for (int i = 0; i < words; i++) {
            block[i] &= bitmap[from + i];
        }
    }

    /** Computes {@code block = a & b}. */
    public static void and(long[] block, int words, long[] a, long[] b, int from) {
        for (int i = 0; i < words; i++) {
            block[i] = a[from + i] & b[from + i];
        }
    }

    /** Computes {@code block &= a & b}. */
    public static void andBoth(long[] block, int words, long[] a, long[] b, int from) {
        for (int i = 0; i < words; i++) {
            block[i] &= a[from + i] & b[from + i];
        }
    }

    /** Computes {@code block &= ~bitmap}. */
    public static void andNot(long[] block, int words, long[] bitmap, int from) {
        for (int i = 0; i < words; i++) {
            block[i] &= ~bitmap[from + i];
        }
    }

    /** Computes {@code block |= bitmap}. */
    public static void or(long[] block, int words, long[] bitmap, int from) {
        for (int i = 0; i < words; i++) {
            block[i] |= bitmap[from + i];
        }
    }

    /** Sets in a block, whose first bit is row {@code first}, the bits of the rows of a sorted list that are in the block. */
    public static void orList(long[] block, int words, int[] list, int first) {
        int end = first + (words << 6);
        int i = first == 0 ? 0 : Arrays.binarySearch(list, first);
        for (i = i < 0 ? -i - 1 : i; i < list.length && list[i] < end; i++) {
            int bit = list[i] - first;
            block[bit >>> 6] |= 1L << bit;
        }
    }

    /** Returns a word with the bits of the rows of a sorted list that are in it. */
    public static long wordOfList(int[] list, int at) {
        int first = at << 6;
        int i = Arrays.binarySearch(list, first);
        long word = 0;
        for (i = i < 0 ? -i - 1 : i; i < list.length && list[i] < first + Long.SIZE; i++) {
            word |= 1L << list[i];
        }
        return word;
    }

    /** Returns a bitmap with a bit for each word of another bitmap that is not 0. */
    public static long[] summary(long[] bitmap) {
        long[] summary = new long[words(bitmap.length)];
        for (int i = 0; i < bitmap.length; i++) {
            if (bitmap[i] != 0) {
                summary[i >>> 6] |= 1L << i;
            }
        }
        return summary;
    }

    /** Returns the number of bits that are set in a block. */
    public static int cardinality(long[] block, int words) {
        int count = 0;
        for (int i = 0; i < words; i++) {
            count += Long.bitCount(block[i]);
        }
        return count;
    }
}
