package dev.touchstone.index.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Posting lists of one field: for each code, the ordinals of the rows that have the code, as a bitmap for frequent codes and as a sorted list for
 * others. Immutable and thread-safe.
 */
public final class PostingLists {
    /** Ratio of all rows to those of a code up to which the code has a bitmap: at this ratio a list is as large. */
    private static final int DENSE = 2 * Integer.SIZE;

    private static final long[] NO_SUMMARY = {}; // of a list

    private final int[] codes; // sorted, without 0
    private final char @Nullable [] index; // by code, 1 + index in `codes`; null if it would be large
    private final long[] @Nullable [] bitmaps;
    private final int[] @Nullable [] lists;
    private final long[][] summaries; // by place, a bit for each word of the bitmap that is not 0; empty for a list
    private final int[] cardinalities;
    private final long[] absent; // a bitmap of the rows with code 0; empty if there are none

    /** Creates the posting lists of a field over all rows, which share bitmaps with those of other blocks. */
    public PostingLists(long[] rows, int count, RowLayout layout, int field, SharedParts parts) {
        codes = distinct(rows, count, layout, field);
        int highest = codes.length == 0 ? 0 : codes[codes.length - 1];
        index = codes.length < Character.MAX_VALUE && highest <= 4 * codes.length + 64 ? index(highest) : null;
        cardinalities = new int[codes.length];
        absent = parts.first(absent(rows, count, layout, field));
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
            bitmaps[place] = bitmap == null ? null : parts.first(bitmap);
            summaries[place] = bitmap == null ? NO_SUMMARY : Bits.summary(bitmap);
        }
    }

    /** Returns the codes of the rows, sorted and without 0. Needs no more memory than the rows, however high the codes are. */
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

    private static long[] absent(long[] rows, int count, RowLayout layout, int field) {
        long[] found = {};
        for (int row = 0; row < count; row++) {
            if (layout.code(rows, row, field) == 0) {
                found = found.length == 0 ? new long[Bits.words(count)] : found;
                found[row >>> 6] |= 1L << row;
            }
        }
        return found;
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

    /** Returns the place of a code among those of the field, by which the other methods find its rows; -1 if no row has the code. */
    public int place(int code) {
        char[] small = index;
        if (small != null) {
            return code < small.length ? small[code] - 1 : -1;
        }
        return Math.max(-1, Arrays.binarySearch(codes, code));
    }

    /**
     * Finds the places of those of some codes that rows have.
     *
     * @param some codes without repetitions; sorted if they are more than {@value Dictionary#MAX_UNSORTED}
     * @param found array that is used for the answer if it is long enough
     * @return array that begins with the number of places, and the places behind it
     */
    public int[] places(int[] some, int[] found) {
        boolean isEach = some.length <= Math.max(Dictionary.MAX_UNSORTED, codes.length);
        int most = isEach ? some.length : codes.length;
        int[] places = found.length > most ? found : new int[most + 1];
        int used = 0;
        for (int i = 0; i < most; i++) {
            int place = isEach ? place(some[i]) : (Arrays.binarySearch(some, codes[i]) < 0 ? -1 : i);
            if (place >= 0) {
                places[++used] = place;
            }
        }
        places[0] = used;
        return places;
    }

    /** Returns the number of different codes of the rows. */
    public int size() {
        return codes.length;
    }

    /** Returns a bitmap of the rows that have no code; empty if each row has one. */
    public long[] absent() {
        return absent;
    }

    /** Returns the number of rows of the code at a place. */
    public int cardinality(int place) {
        return cardinalities[place];
    }

    /** A receiver of codes and numbers of rows. */
    public interface Counted {
        /** Receives a code and the number of its rows. */
        void accept(int code, int rows);
    }

    /** Passes on each code and the number of its rows. */
    public void forEach(Counted receiver) {
        for (int place = 0; place < codes.length; place++) {
            receiver.accept(codes[place], cardinalities[place]);
        }
    }

    /** Returns the rows of the code at a place as a bitmap, or null if they are a list. */
    public long @Nullable [] bitmap(int place) {
        return bitmaps[place];
    }

    /** Returns a bit for each word that is not 0 in the bitmap at a place. */
    public long[] summary(int place) {
        return summaries[place];
    }

    /** Returns the bits of the 64 rows of a word that have the code at a place. */
    public long word(int place, int at) {
        long[] bitmap = bitmaps[place];
        int[] list = lists[place];
        if (bitmap != null) {
            return bitmap[at];
        }
        return list == null ? 0 : Bits.wordOfList(list, at);
    }

    /** Returns the rows of the code at a place as a sorted list, or null if they are a bitmap. */
    public int @Nullable [] list(int place) {
        return lists[place];
    }

    /** Sets in a block the bits of the rows that have one of the codes at some places, which begin with their number. */
    public void or(long[] block, int words, int from, int[] places) {
        for (int i = 1; i <= places[0]; i++) {
            long[] bitmap = bitmaps[places[i]];
            int[] list = lists[places[i]];
            if (bitmap != null) {
                Bits.or(block, words, bitmap, from);
            } else if (list != null) {
                Bits.orList(block, words, list, from << 6);
            }
        }
    }
}
