package dev.touchstone.index.engine;

import dev.touchstone.index.MatchPolicy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A collector of the prices that match, in the order of segments and ordinals. Reused by one {@link BoundQuery}. Not thread-safe. */
public final class ResultCollector {
    public static final long NONE = -1;

    /** Places of the first matches, up to the limit: {@code segment << 32 | ordinal}, where the ordinal counts the rows of all blocks of an offering. */
    public long[] places = new long[4];

    public int kept;
    public long count;
    public long firstDefault;
    private int limit;
    private boolean isFirstEnough;
    private @Nullable Snapshot searched; // set if only the most specific matches are kept
    private int[] precedence = {};
    private boolean isInOrder; // whether the precedence is the order of the fields
    private long bestRank;

    void reset(MatchPolicy policy, int most) {
        kept = 0;
        count = 0;
        firstDefault = NONE;
        limit = policy == MatchPolicy.ALL ? most : 1;
        isFirstEnough = policy == MatchPolicy.FIRST;
        searched = null;
        bestRank = 0;
    }

    /**
     * Keeps only the most specific of the matches that are added from now on.
     *
     * @param snapshot what is searched
     * @param order ordinals of the fields that count, the one that decides first in front
     */
    @SuppressWarnings("ReferenceEquality") // the array of a query is replaced when its order changes
    void keepMostSpecific(Snapshot snapshot, int[] order) {
        searched = snapshot;
        if (precedence != order) {
            precedence = order;
            isInOrder = true;
            for (int i = 0; i < order.length; i++) {
                isInOrder &= order[i] == i;
            }
        }
    }

    /** Returns how specific the matches are that were kept so far; 0 if that does not count. */
    long bestRank() {
        return bestRank;
    }

    /** Returns how specific a row is that has values of some fields, a bit for each; 0 if that does not count. */
    long rank(long shape) {
        if (searched == null || precedence.length == 0) {
            return 0;
        }
        if (isInOrder) {
            return Long.reverse(shape) >>> (Long.SIZE - precedence.length);
        }
        long rank = 0;
        for (int field : precedence) {
            rank = rank << 1 | (shape >>> field & 1);
        }
        return rank;
    }

    /** Returns whether rows that have values of some fields, and of all shapes behind that one in the order of the fields, are less specific than a rank. */
    boolean areLessSpecific(long shape, long best) {
        return searched != null && isInOrder && rank(shape) < best;
    }

    /** Returns whether further matches would not change the result. */
    boolean isEnough() {
        return isFirstEnough && count > 0;
    }

    /** Returns whether the place of another match would be kept. */
    boolean wantsMore() {
        return kept < limit;
    }

    /** Returns the place of the first row of a segment. */
    static long first(int segment) {
        return (long) segment << Integer.SIZE;
    }

    /** Adds a row of a block whose first row has a place. */
    void add(long first, int row, boolean isDefault) {
        if (searched != null && isLessSpecific(searched, first + row)) {
            return;
        }
        count++;
        if (kept < limit) {
            keep(first + row);
        }
        if (isDefault && firstDefault == NONE) {
            firstDefault = first + row;
        }
    }

    /** Returns whether a match is less specific than those so far; forgets them if it is more specific. */
    private boolean isLessSpecific(Snapshot snapshot, long place) {
        int number = (int) (place >>> Integer.SIZE);
        Segment head = snapshot.segment(number);
        Segment block = head.block((int) place);
        long rank = block.rank(head.row(number, (int) place), precedence);
        if (count > 0 && rank < bestRank) {
            return true;
        }
        if (count == 0 || rank > bestRank) {
            bestRank = rank;
            kept = 0;
            count = 0;
            firstDefault = NONE;
        }
        return false;
    }

    /** Adds all prices of a block whose first row has a place. */
    void addAll(long first, Segment block) {
        if (searched != null) {
            for (int row = 0; row < block.count; row++) {
                if (!block.isDead(row)) {
                    add(first, row, block.isDefault(row));
                }
            }
            return;
        }
        for (int row = 0; row < block.count && kept < limit; row++) {
            if (!block.isDead(row)) {
                keep(first + row);
            }
        }
        long[] defaults = block.defaults;
        for (int i = 0; i < defaults.length && firstDefault == NONE; i++) {
            if (defaults[i] != 0) {
                firstDefault = first + (i << 6) + Long.numberOfTrailingZeros(defaults[i]);
            }
        }
        count += block.live();
    }

    /** Adds the rows of a block of a bitmap, which begins at word {@code from} of the bitmap. */
    void add(long first, long[] defaults, long[] block, int words, int from) {
        for (int i = 0; i < words; i++) {
            long word = block[i];
            if (word != 0) {
                add(first, defaults, word, from + i);
                if (isFirstEnough) {
                    return;
                }
            }
        }
    }

    /** Adds the rows of one word of a bitmap. */
    void add(long first, long[] defaults, long word, int at) {
        if (searched != null) {
            for (long left = word; left != 0; left &= left - 1) {
                int row = (at << 6) + Long.numberOfTrailingZeros(left);
                add(first, row, defaults.length > 0 && (defaults[at] & left & -left) != 0);
            }
            return;
        }
        count += Long.bitCount(word);
        for (long left = word; left != 0 && kept < limit; left &= left - 1) {
            keep(first + (at << 6) + Long.numberOfTrailingZeros(left));
        }
        if (firstDefault == NONE && defaults.length > 0) {
            long preferred = word & defaults[at];
            if (preferred != 0) {
                firstDefault = first + (at << 6) + Long.numberOfTrailingZeros(preferred);
            }
        }
    }

    private void keep(long place) {
        if (kept == places.length) {
            places = Arrays.copyOf(places, (int) Math.min(limit, kept * 2L));
        }
        places[kept++] = place;
    }
}
