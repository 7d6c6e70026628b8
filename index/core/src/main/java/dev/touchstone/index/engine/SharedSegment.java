package dev.touchstone.index.engine;

import dev.touchstone.index.Field;
import java.util.List;
import java.util.function.Function;

/**
 * A block that the small ones of {@value #PAGE} consecutive offerings share: those with at most {@value #MAX_ROWS} prices. The rows of an offering are
 * neighbours in the order of its prices. There are no removed rows, and no indexes: the rows of an offering are compared one after the other. Immutable
 * and thread-safe.
 *
 * <p>The segments of a snapshot name this block for each number of a small offering. So a search pays one test of a type for it, and a price alone in its
 * offering takes no objects of its own.
 */
public final class SharedSegment extends Segment {
    /** Maximum number of prices of an offering that shares a block. */
    public static final int MAX_ROWS = 16;

    private static final int PAGE_BITS = 6;
    private static final int PAGE = 1 << PAGE_BITS;

    private final int firstNumber;
    private final short[] ends; // by offering: row behind its last one

    private SharedSegment(Segment rows, int firstNumber, short[] ends) {
        super(rows);
        this.firstNumber = firstNumber;
        this.ends = ends;
    }

    /** Returns the number of the first offering that may share a block with an offering. */
    public static int firstOf(int number) {
        return number & -PAGE;
    }

    /** Returns the number of the first offering behind those that may share a block with an offering. */
    public static int endOf(int number) {
        return firstOf(number) + PAGE;
    }

    @Override
    int from(int number) {
        return number == firstNumber ? 0 : ends[number - firstNumber - 1];
    }

    @Override
    int to(int number) {
        return ends[number - firstNumber];
    }

    @Override
    public int ordinal(int number, PriceColumns.Id id) {
        for (int row = from(number); row < to(number); row++) {
            if (prices.isId(row, id)) {
                return row - from(number);
            }
        }
        return -1;
    }

    /** A shared block while its offerings are added in order. Not thread-safe. */
    public static final class Draft {
        private final int firstNumber;
        private final SegmentBuilder rows;
        private final short[] ends = new short[PAGE];
        private int next; // index in `ends` of the next offering

        /** Creates a draft of the block of an offering and its neighbours. */
        public Draft(int number, List<Field> fields) {
            firstNumber = firstOf(number);
            rows = new SegmentBuilder("", fields);
        }

        /** Returns the draft to which the rows of an offering are to be added next. Numbers ascend. */
        public SegmentBuilder rows(int number) {
            fill(number - firstNumber);
            return rows;
        }

        private void fill(int end) {
            while (next < end) {
                ends[next++] = (short) rows.count();
            }
        }

        /**
         * Puts the block into the places of its offerings, unless it has no rows.
         *
         * @param builder what makes a block of rows that are not indexed
         */
        public void build(Snapshot.Segments.Draft segments, Function<SegmentBuilder, Segment> builder) {
            if (rows.count() == 0) {
                return;
            }
            fill(PAGE);
            SharedSegment block = new SharedSegment(builder.apply(rows), firstNumber, ends);
            for (int i = 0; i < PAGE && firstNumber + i < segments.count(); i++) {
                if (block.from(firstNumber + i) < block.to(firstNumber + i)) {
                    segments.set(firstNumber + i, block);
                }
            }
        }
    }
}
