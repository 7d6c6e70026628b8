package dev.touchstone.index.engine;

import dev.touchstone.index.Field;
import dev.touchstone.index.table.BitSlices;
import dev.touchstone.index.table.Bits;
import dev.touchstone.index.table.IdTable;
import dev.touchstone.index.table.PostingLists;
import dev.touchstone.index.table.RowFilter;
import dev.touchstone.index.table.RowHashIndex;
import dev.touchstone.index.table.RowLayout;
import dev.touchstone.index.table.SharedParts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A block of prices of one offering, or of several small ones ({@link SharedSegment}), by ordinal from 0; and, in the first block of an offering, the blocks behind it. Immutable and thread-safe; an update
 * makes new blocks, or the same ones with other values or more removed rows.
 *
 * <p>A row of codes holds all conditions of a price. The code of a string is that of the dictionary of its field. The code of an ordered value is the
 * rank of the value, from 1, among the distinct values of this segment. Code 0 means that the price has no value. A removed row stays in all that
 * searches use, and may have codes that other strings have now: whoever finds it asks {@link #isDead}.
 */
public class Segment {
    /** Maximum number of combinations of fields that {@link #shapes} lists. */
    static final int MAX_SHAPES = 64;

    /** Minimum number of combinations of fields for which a filter is kept, two bytes or more a row. */
    private static final int MIN_FILTERED = 4;

    /** Maximum number of rows whose ids are compared one after the other, without a table. */
    private static final int FEW_ROWS = 16;

    /** Maximum number of rows of a block without posting lists and bit slices, whose rows are compared one after the other. */
    private static final int TINY_ROWS = 4;

    private static final @Nullable PostingLists[] NO_POSTINGS = {}; // of all tiny blocks
    private static final @Nullable BitSlices[] NO_SLICES = {};
    private static final long[] NO_LONGS = {}; // shared by all segments, so that it stays in the nearest cache

    public final int count; // rows, including those that were removed
    // what each search reads stands first, so that it is in one line of the cache or two, whatever is added behind it
    final RowLayout layout;
    final RowHashIndex keys;
    final long @Nullable [] dead; // a bitmap of the removed rows; null if there are none
    public final long[] defaults; // a bitmap, empty if no price is a default one; removed rows have no bit
    final Segment @Nullable []
            others; // further blocks of the offering, in order; null if there are none, and in these blocks
    public final PriceColumns prices;
    final long[] rows; // rows of codes, with values in their free bits; the hash table of `keys` stands behind them
    public final long[][] distinct; // by field, the sorted values by rank; empty for strings
    final long constantFields; // a bit for each field that has the same code in all rows
    final long[] constants; // begins with a row with the codes of the constant fields, and in its free bits anything
    final long[] shapes; // sets of fields that rows have values of, a bit for each; empty if tiny, or if too many
    final long[] shapeMasks; // by shape, the bits of its fields in each word of a row
    private final @Nullable RowFilter filter; // null if rows have few shapes, or more than one word
    final int deadCount;
    private final @Nullable PostingLists[] postings; // by field; null for ordered ones
    private final @Nullable BitSlices[] slices; // by field; null for strings
    private volatile @Nullable IdTable ids; // made when an id is looked up for the first time

    /**
     * Creates a block without removed rows.
     *
     * @param isIndexed whether the block may have what rows are looked up in, which {@link #index} completes; else its rows are compared one after the
     *     other
     */
    public Segment(
            int count,
            RowLayout layout,
            long[] rows,
            long[][] distinct,
            long[] defaults,
            PriceColumns prices,
            boolean isIndexed) {
        this.count = count;
        this.layout = layout;
        this.distinct = distinct;
        this.defaults = defaults.length == 0 ? NO_LONGS : defaults;
        keys = isIndexed ? new RowHashIndex(rows, count, layout.words(), layout.codes()) : RowHashIndex.NO_KEYS;
        this.rows = isIndexed ? keys.rows() : rows;
        this.prices = prices.in(this.rows, layout);
        constants = count == 1 || !isIndexed ? this.rows : new long[layout.words()];
        constantFields = isIndexed ? constants() : 0;
        shapes = isTiny() ? NO_LONGS : shapes();
        shapeMasks = isTiny() ? NO_LONGS : shapeMasks();
        filter = shapes.length < MIN_FILTERED || layout.words() > 1
                ? null
                : new RowFilter(this.rows, count, layout.codes());
        postings = isTiny() ? NO_POSTINGS : new PostingLists[distinct.length];
        slices = isTiny() ? NO_SLICES : new BitSlices[distinct.length];
        dead = null;
        deadCount = 0;
        others = null;
    }

    /** Creates a block without removed rows that shares all with another one. */
    Segment(Segment same) {
        this(same, null, 0, same.defaults, same.prices, null);
    }

    private Segment(
            Segment same,
            long @Nullable [] dead,
            int deadCount,
            long[] defaults,
            PriceColumns prices,
            Segment @Nullable [] others) {
        count = same.count;
        layout = same.layout;
        rows = same.rows;
        distinct = same.distinct;
        keys = same.keys;
        constantFields = same.constantFields;
        constants = same.constants;
        shapes = same.shapes;
        shapeMasks = same.shapeMasks;
        filter = same.filter;
        postings = same.postings;
        slices = same.slices;
        ids = same.ids;
        this.dead = dead;
        this.deadCount = deadCount;
        this.defaults = defaults;
        this.prices = prices;
        this.others = others;
    }

    /** Returns the same block with other values, and the removed rows that a bitmap names. */
    Segment with(PriceColumns columns, long @Nullable [] removed) {
        long[] left = defaults;
        if (removed != null && defaults.length > 0) {
            left = defaults.clone();
            Bits.andNot(left, left.length, removed, 0);
        }
        return new Segment(
                this, removed, removed == null ? 0 : Bits.cardinality(removed, removed.length), left, columns, others);
    }

    /** Returns the first of some blocks of one offering, which leads to the others. */
    static Segment chain(List<Segment> blocks) {
        Segment first = blocks.get(0);
        Segment[] behind =
                blocks.size() == 1 ? null : blocks.subList(1, blocks.size()).toArray(Segment[]::new);
        return behind == null && first.others == null
                ? first
                : new Segment(first, first.dead, first.deadCount, first.defaults, first.prices, behind);
    }

    /** Returns this block and those behind it, none of which leads to others. */
    List<Segment> blocks() {
        Segment[] behind = others;
        List<Segment> blocks = new ArrayList<>();
        blocks.add(behind == null ? this : new Segment(this, dead, deadCount, defaults, prices, null));
        if (behind != null) {
            blocks.addAll(Arrays.asList(behind));
        }
        return blocks;
    }

    /** Returns the number of prices of this block. */
    int live() {
        return count - deadCount;
    }

    /** Returns the first row of an offering whose segment this is. */
    int from(int number) {
        return 0;
    }

    /** Returns the row behind the last one of an offering whose segment this is. */
    int to(int number) {
        return count;
    }

    /** Returns the number of prices of an offering whose segment this is. */
    int total(int number) {
        return others == null && dead == null ? to(number) - from(number) : total();
    }

    /** Returns the number of prices of this block and those behind it. */
    private int total() {
        int total = live();
        for (Segment other : others == null ? new Segment[0] : others) {
            total = Math.addExact(total, other.live());
        }
        return total;
    }

    /** Returns whether a row was removed. */
    boolean isDead(int row) {
        return dead != null && Bits.has(dead, row);
    }

    /** A receiver of prices. */
    public interface Visitor {
        /** Receives the price of a row of a block; the ordinal counts the rows of all blocks of the offering. */
        void visit(Segment block, int row, int ordinal);
    }

    /** Passes on the prices of an offering whose segment this is in order. */
    public void forEach(int number, Visitor visitor) {
        int first = 0;
        for (Segment block : blocks()) {
            int from = block.from(number);
            int to = block.to(number);
            for (int row = from; row < to; row++) {
                if (!block.isDead(row)) {
                    visitor.visit(block, row, first + row - from);
                }
            }
            first += block.count;
        }
    }

    /** Returns the block of an ordinal among the rows of all blocks. */
    public Segment block(int ordinal) {
        if (ordinal < count || others == null) {
            return this;
        }
        int first = count;
        for (Segment other : others) {
            if (ordinal - first < other.count) {
                return other;
            }
            first += other.count;
        }
        throw new IndexOutOfBoundsException("no row: ordinal=" + ordinal);
    }

    /** Returns the row in its block of an ordinal among the rows of all blocks of an offering whose segment this is. */
    public int row(int number, int ordinal) {
        int row = from(number) + ordinal;
        if (row >= count && others != null) {
            row -= count;
            for (int i = 0; row >= others[i].count; i++) {
                row -= others[i].count;
            }
        }
        return row;
    }

    /** Returns the row of an id, which may be a removed one; -1 if there is none. */
    int find(PriceColumns.Id id) {
        if (count <= FEW_ROWS) {
            for (int row = 0; row < count; row++) {
                if (prices.isId(row, id)) {
                    return row;
                }
            }
            return IdTable.NONE;
        }
        return prices.find(id, ids());
    }

    /** Returns the ordinal among the rows of all blocks of an offering of the price with an id, or -1 if there is none. */
    public int ordinal(int number, PriceColumns.Id id) {
        int first = 0;
        for (int i = -1; i < (others == null ? 0 : others.length); i++) {
            Segment block = i < 0 || others == null ? this : others[i];
            int row = block.find(id);
            if (row != IdTable.NONE && !block.isDead(row)) {
                return first + row;
            }
            first += block.count;
        }
        return IdTable.NONE;
    }

    /** Returns the table of ids, which is made by the first call; two concurrent first calls may both make one, and the tables are equal. */
    IdTable ids() {
        IdTable known = ids;
        if (known == null) {
            known = IdTable.of(count, prices::idHash);
            ids = known;
        }
        return known;
    }

    /** Returns a segment without prices, which has the place of an offering that has none. */
    public static Segment empty(List<Field> fields) {
        return new SegmentBuilder("", fields).build(1, new SharedParts()).get(0);
    }

    /**
     * Returns whether a row has given conditions: for a string field its code; for an ordered field any code but 0, and the number of the value. Code
     * 0 means that there is no value.
     */
    boolean hasConditions(int row, int[] codes, long[] numbers) {
        for (int field = 0; field < codes.length; field++) {
            int code = code(row, field);
            boolean isNumber = code != 0 && distinct[field].length > 0;
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
                if (count > 1) {
                    layout.put(constants, 0, field, code(0, field));
                }
            }
        }
        return fields;
    }

    /** Returns the sets of fields that rows have values of, those that are more specific by the order of the fields first, where the first one decides. */
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
        return Arrays.stream(found, 0, used)
                .map(shape -> Long.reverse(shape) ^ Long.MAX_VALUE) // descending, without a sign
                .sorted()
                .map(key -> Long.reverse(key ^ Long.MAX_VALUE))
                .toArray();
    }

    /**
     * Returns a bit for each of some shapes, the lowest one for the first of all, that is 0 if no row has this shape and the values of a key in its fields.
     *
     * @param key values of all fields, and no other bits
     */
    long shapesOf(long[] key, int from, int to) {
        return filter == null
                ? (-1L >>> (Long.SIZE - to)) & (-1L << from)
                : filter.candidates(key[0], shapeMasks, from, to);
    }

    private long[] shapeMasks() {
        int words = layout.words();
        long[] masks = new long[shapes.length * words];
        for (int i = 0; i < shapes.length; i++) {
            for (int field = 0; field < distinct.length; field++) {
                long isInShape = -(shapes[i] >>> field & 1);
                masks[i * words + layout.word(field)] |= layout.mask(field) & isInShape;
            }
        }
        return masks;
    }

    /** Returns whether the block has no posting lists and no bit slices. */
    boolean isTiny() {
        return count <= TINY_ROWS || keys == RowHashIndex.NO_KEYS;
    }

    /** Passes on the codes of a string field, each with a number of its rows; a code may come several times. */
    void forEachCode(int field, PostingLists.Counted receiver) {
        if (!isTiny()) {
            postings(field).forEach(receiver);
            return;
        }
        for (int row = 0; row < count; row++) {
            if (code(row, field) != 0) {
                receiver.accept(code(row, field), 1);
            }
        }
    }

    /** Builds the posting lists or bit slices of a field, unless the block is tiny. Shares parts with other blocks. */
    public void index(Field field, SharedParts parts) {
        int at = field.ordinal();
        if (isTiny()) {
            return;
        }
        if (field.type().isOrdered()) {
            slices[at] = new BitSlices(rows, count, layout, at, distinct[at].length);
        } else {
            postings[at] = new PostingLists(rows, count, layout, at, parts);
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

    /** Returns how specific a row is: a bit for each of some fields, the first one highest, that is set if the row has a value of the field. */
    long rank(int row, int[] precedence) {
        long rank = 0;
        for (int field : precedence) {
            rank = rank << 1 | (code(row, field) == 0 ? 0 : 1);
        }
        return rank;
    }

    /** Returns the code of a field in a row; 0 if the row has no value of it. */
    public int code(int row, int field) {
        return layout.code(rows, row, field);
    }

    /** Returns the rank of the first value that is at least {@code low}; the number of values plus one if there is none. */
    int firstRank(int field, long low) {
        int at = Arrays.binarySearch(distinct[field], low);
        return (at < 0 ? -at - 1 : at) + 1;
    }

    /**
     * Returns the ranks of those of some numbers that the segment has, in ascending order behind their count.
     *
     * @param numbers sorted numbers, without equal ones
     * @param reused array that is returned if it is long enough
     */
    int[] ranks(int field, long[] numbers, int[] reused) {
        int[] ranks = reused.length > numbers.length ? reused : new int[numbers.length + 1];
        int count = 0;
        for (long number : numbers) {
            int at = Arrays.binarySearch(distinct[field], number);
            if (at >= 0) {
                ranks[++count] = at + 1;
            }
        }
        ranks[0] = count;
        return ranks;
    }

    /** Returns the rank of the last value that is at most {@code high}; 0 if there is none. */
    int lastRank(int field, long high) {
        int at = Arrays.binarySearch(distinct[field], high);
        return at < 0 ? -at - 1 : at + 1;
    }

    /** Returns whether the price of a row is a default one. */
    public boolean isDefault(int row) {
        return Bits.has(defaults, row);
    }
}
