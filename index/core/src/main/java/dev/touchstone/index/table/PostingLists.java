package dev.touchstone.index.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * For each code of one field, the ordinals of the rows that have it: as a bitmap where they are many, as a sorted list where they are few.
 * Immutable and thread-safe.
 */
public final class PostingLists {
    /** One in this many rows, and more, are a bitmap: that is as large as a list of them. */
    private static final int DENSE = 2 * Integer.SIZE;

    private final int[] codes; // sorted, without 0
    private final char @Nullable [] index; // by code, 1 + place in codes, where it is small
    private final long[] @Nullable [] bitmaps;
    private final int[] @Nullable [] lists;
    private final long[][] summaries; // of bitmaps: a bit for each word that isn't 0; else empty
    private final int[] cardinalities;

    /** Posting lists of a field over all rows. */
    public PostingLists(long[] rows, int count, RowLayout layout, int field) {
        codes = distinct(rows, count, layout, field);
        int highest = codes.length == 0 ? 0 : codes[codes.length - 1];
        index = codes.length < Character.MAX_VALUE && highest <= 4 * codes.length + 64 ? index(highest) : null;
        cardinalities = new int[codes.length];
        for (int row = 0; row < count; row++) {
            int place = place(layout.code(rows, row, field));
            if (place >= 0) {
                cardinalities[place]++;
            }
        }
        bitmaps = new long[codes.length][];
        lists = new int[codes.length][];
        for (int place = 0; place < codes.length; place++) {
            if ((long) cardinalities[place] * DENSE >= count) {
                bitmaps[place] = new long[Bits.words(count)];
            } else {
                lists[place] = new int[cardinalities[place]];
            }
        }
        fill(rows, count, layout, field);
        summaries = new long[codes.length][];
        for (int place = 0; place < codes.length; place++) {
            long[] bitmap = bitmaps[place];
            summaries[place] = bitmap == null ? new long[0] : Bits.summary(bitmap);
        }
    }

    /** The codes that rows have, sorted, without 0. Takes no more room than the rows, however high the codes are. */
    private static int[] distinct(long[] rows, int count, RowLayout layout, int field) {
        int[] found = new int[count];
        int used = 0;
        int highest = 0;
        for (int row = 0; row < count; row++) {
            int code = layout.code(rows, row, field);
            if (code != 0) {
                found[used++] = code;
                highest = Math.max(highest, code);
            }
        }
        if (highest >>> 6 > count) {
            return Arrays.stream(found, 0, used).sorted().distinct().toArray();
        }
        long[] seen = new long[(highest >>> 6) + 1];
        for (int i = 0; i < used; i++) {
            seen[found[i] >>> 6] |= 1L << found[i];
        }
        int[] codes = new int[Bits.cardinality(seen, seen.length)];
        int place = 0;
        for (int word = 0; word < seen.length; word++) {
            for (long left = seen[word]; left != 0; left &= left - 1) {
                codes[place++] = (word << 6) + Long.numberOfTrailingZeros(left);
            }
        }
        return codes;
    }

    private char[] index(int highest) {
        char[] made = new char[highest + 1];
        for (int place = 0; place < codes.length; place++) {
            made[codes[place]] = (char) (place + 1);
        }
        return made;
    }

    private void fill(long[] rows, int count, RowLayout layout, int field) {
        int[] filled = new int[codes.length];
        for (int row = 0; row < count; row++) {
            int place = place(layout.code(rows, row, field));
            if (place < 0) {
                continue;
            }
            long[] bitmap = bitmaps[place];
            int[] list = lists[place];
            if (bitmap != null) {
                bitmap[row >>> 6] |= 1L << row;
            } else if (list != null) {
                list[filled[place]++] = row;
            }
        }
    }

    /** Where the rows of a code are found, or -1 if no row has it. */
    public int place(int code) {
        char[] small = index;
        if (small != null) {
            return code < small.length ? small[code] - 1 : -1;
        }
        return Math.max(-1, Arrays.binarySearch(codes, code));
    }

    /** How many rows have the code of a place. */
    public int cardinality(int place) {
        return cardinalities[place];
    }

    /** The rows of the code of a place as a bitmap, or null if they are a list. */
    public long @Nullable [] bitmap(int place) {
        return bitmaps[place];
    }

    /** A bit for each word of a place's bitmap that isn't 0. */
    public long[] summary(int place) {
        return summaries[place];
    }

    /** The bits of 64 rows that have the code of a place. */
    public long word(int place, int at) {
        long[] bitmap = bitmaps[place];
        int[] list = lists[place];
        if (bitmap != null) {
            return bitmap[at];
        }
        return list == null ? 0 : Bits.wordOfList(list, at);
    }

    /** The rows of the code of a place as a sorted list, or null if they are a bitmap. */
    public int @Nullable [] list(int place) {
        return lists[place];
    }

    /** Adds to a block those rows that have one of some codes. */
    public void or(long[] block, int words, int from, int... codes) {
        for (int code : codes) {
            int place = place(code);
            long[] bitmap = place < 0 ? null : bitmap(place);
            int[] list = place < 0 ? null : list(place);
            if (bitmap != null) {
                Bits.or(block, words, bitmap, from);
            } else if (list != null) {
                Bits.orList(block, words, list, from << 6);
            }
        }
    }
}
