package dev.touchstone.index;

import dev.touchstone.index.table.BitSlices;
import dev.touchstone.index.table.KeyTable;
import dev.touchstone.index.table.PostingLists;
import dev.touchstone.index.table.RowLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prices of one offering, by ordinal from 0. Immutable and thread-safe; an update makes a new segment.
 *
 * <p>A row of codes holds all conditions of a price. The code of a string is that of the dictionary of its field. The code of an ordered value is the
 * rank of the value, from 1, among the distinct values of this segment. Code 0 means that the price has no value.
 */
final class Segment {
    /** Maximum number of combinations of fields that {@link #shapes} lists. */
    static final int MAX_SHAPES = 64;

    private static final long[] NO_DEFAULTS = {}; // shared by all segments, so that it stays in the nearest cache

    final String offering;
    final int count;
    final RowLayout layout;
    final long[] rows; // rows of codes; the hash table of `keys` stands behind them
    final long[][] distinct; // by field, the sorted values by rank; empty for strings
    final long[] defaults; // a bitmap, empty if no price is a default one
    final PriceColumns prices;
    final KeyTable keys;
    final long constantFields; // a bit for each field that has the same code in all rows
    final long[] constants; // a row with the codes of the constant fields
    final long[]
            shapes; // the sets of fields that rows have values of, a bit for each field; empty if there are more than
    // MAX_SHAPES
    private final @Nullable PostingLists[] postings; // by field; null for ordered ones
    private final @Nullable BitSlices[] slices; // by field; null for strings

    Segment(
            String offering,
            int count,
            RowLayout layout,
            long[] rows,
            long[][] distinct,
            long[] defaults,
            PriceColumns prices) {
        this.offering = offering;
        this.count = count;
        this.layout = layout;
        this.distinct = distinct;
        this.defaults = defaults.length == 0 ? NO_DEFAULTS : defaults;
        this.prices = prices;
        keys = new KeyTable(rows, count, layout.words());
        this.rows = keys.rows();
        constants = new long[layout.words()];
        constantFields = constants();
        shapes = shapes();
        postings = new PostingLists[distinct.length];
        slices = new BitSlices[distinct.length];
    }

    /** Returns a segment without prices, which has the place of an offering that has none. */
    static Segment empty(List<Field> fields) {
        return new SegmentDraft("", fields).build(new HashMap<>());
    }

    /** Creates a segment with the conditions and indexes of another one, and other prices. */
    Segment(Segment same, long[] defaults, PriceColumns prices) {
        offering = same.offering;
        count = same.count;
        layout = same.layout;
        rows = same.rows;
        distinct = same.distinct;
        keys = same.keys;
        constantFields = same.constantFields;
        constants = same.constants;
        shapes = same.shapes;
        postings = same.postings;
        slices = same.slices;
        this.defaults = defaults.length == 0 ? NO_DEFAULTS : defaults;
        this.prices = prices;
    }

    /** Returns whether rows of codes are those of this segment, so that its indexes are right for them. */
    boolean hasRows(RowLayout otherLayout, long[] otherRows, long[][] otherDistinct) {
        int length = count * layout.words();
        return layout.equals(otherLayout)
                && otherRows.length == length
                && Arrays.equals(rows, 0, length, otherRows, 0, length)
                && Arrays.deepEquals(distinct, otherDistinct);
    }

    /**
     * Returns whether a row has given conditions: for a string field its code; for an ordered field any code but 0, and the number of the value. Code
     * 0 means that there is no value.
     */
    boolean hasConditions(int row, int[] codes, long[] numbers) {
        for (int field = 0; field < codes.length; field++) {
            int code = code(row, field);
            boolean isNumber = code != 0 && slices[field] != null;
            boolean isSame =
                    isNumber ? codes[field] != 0 && distinct[field][code - 1] == numbers[field] : codes[field] == code;
            if (!isSame) {
                return false;
            }
        }
        return true;
    }

    private long constants() {
        long fields = 0;
        for (int field = 0; field < distinct.length; field++) {
            boolean isConstant = count > 0;
            for (int row = 1; row < count && isConstant; row++) {
                isConstant = code(row, field) == code(0, field);
            }
            if (isConstant) {
                fields |= 1L << field;
                layout.put(constants, 0, field, code(0, field));
            }
        }
        return fields;
    }

    private long[] shapes() {
        long[] found = new long[MAX_SHAPES];
        int used = 0;
        int last = 0;
        for (int row = 0; row < count; row++) {
            long shape = 0;
            for (int field = 0; field < distinct.length; field++) {
                shape |= code(row, field) == 0 ? 0 : 1L << field;
            }
            if (used == 0 || found[last] != shape) {
                last = 0;
                while (last < used && found[last] != shape) {
                    last++;
                }
                if (last == MAX_SHAPES) {
                    return new long[0];
                }
                found[last] = shape;
                used = Math.max(used, last + 1);
            }
        }
        return Arrays.copyOf(found, used);
    }

    /** Builds the posting lists or bit slices of a field, unless the segment has them. */
    void index(Field field) {
        int at = field.ordinal();
        if (slices[at] != null || postings[at] != null) {
            return;
        }
        if (field.type().isOrdered()) {
            slices[at] = new BitSlices(rows, count, layout, at, distinct[at].length);
        } else {
            postings[at] = new PostingLists(rows, count, layout, at);
        }
    }

    PostingLists postings(int field) {
        PostingLists lists = postings[field];
        if (lists == null) {
            throw new IllegalStateException("not a string: field=" + field);
        }
        return lists;
    }

    BitSlices slices(int field) {
        BitSlices found = slices[field];
        if (found == null) {
            throw new IllegalStateException("not ordered: field=" + field);
        }
        return found;
    }

    int code(int row, int field) {
        return layout.code(rows, row, field);
    }

    /** Returns the rank of the first value that is at least {@code low}; the number of values plus one if there is none. */
    int firstRank(int field, long low) {
        int at = Arrays.binarySearch(distinct[field], low);
        return (at < 0 ? -at - 1 : at) + 1;
    }

    /** Returns the rank of the last value that is at most {@code high}; 0 if there is none. */
    int lastRank(int field, long high) {
        int at = Arrays.binarySearch(distinct[field], high);
        return at < 0 ? -at - 1 : at + 1;
    }

    boolean isDefault(int row) {
        return defaults.length > 0 && (defaults[row >>> 6] >>> row & 1) != 0;
    }
}
