package dev.touchstone.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.FastAggregation;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RangeBitmap;
import org.roaringbitmap.RoaringBitmap;

/**
 * The engine of {@link EngineType#ROARING}. All prices are numbered through. There is a bitmap for each offering and for each value of a string
 * field, and a {@link RangeBitmap} for each ordered field. They are intersected in the order of their selectivity, and each range is evaluated for
 * the prices that the other conditions leave.
 */
final class RoaringEngine implements Engine {
    // in bitmaps read
    private static final long NEGATIVE_COST = 1 << 9;
    private static final long RANGE_COST = 1 << 10;
    private static final long NEGATIVE_OF_ALL_COST = 1 << 20; // a copy of the bitmap of all prices

    private final Snapshot snapshot;
    private final int[] firsts; // by segment, the number of its first price
    private final RoaringBitmap everything;
    private final RoaringBitmap defaults = new RoaringBitmap();
    private final RoaringBitmap[] byOffering;
    private final RoaringBitmap[][] byValue; // by field and code
    private final int[][] cardinalities; // of those bitmaps
    private final @Nullable RangeBitmap[] ranges; // by field, over ranks from 1; 0 is no value
    private final long[][] distinct; // by field, the values that those ranks stand for

    RoaringEngine(Snapshot snapshot) {
        this.snapshot = snapshot;
        Segment[] segments = snapshot.segments();
        firsts = new int[segments.length + 1];
        byOffering = new RoaringBitmap[segments.length];
        for (int i = 0; i < segments.length; i++) {
            firsts[i + 1] = Math.addExact(firsts[i], segments[i].count);
            byOffering[i] = RoaringBitmap.bitmapOfRange(firsts[i], firsts[i + 1]);
            for (int row = 0; row < segments[i].count; row++) {
                if (segments[i].isDefault(row)) {
                    defaults.add(firsts[i] + row);
                }
            }
        }
        everything = RoaringBitmap.bitmapOfRange(0, firsts[segments.length]);
        int fields = snapshot.fields().size();
        byValue = new RoaringBitmap[fields][];
        cardinalities = new int[fields][];
        ranges = new RangeBitmap[fields];
        distinct = new long[fields][];
        for (Field field : snapshot.fields()) {
            int at = field.ordinal();
            if (field.type().isOrdered()) {
                byValue[at] = new RoaringBitmap[0];
                distinct[at] = Arrays.stream(segments)
                        .flatMapToLong(segment -> Arrays.stream(segment.distinct[at]))
                        .sorted()
                        .distinct()
                        .toArray();
                ranges[at] = range(at);
            } else {
                distinct[at] = new long[0];
                byValue[at] = values(at);
            }
            cardinalities[at] = Arrays.stream(byValue[at])
                    .mapToInt(RoaringBitmap::getCardinality)
                    .toArray();
        }
    }

    private RangeBitmap range(int field) {
        RangeBitmap.Appender appender = RangeBitmap.appender(distinct[field].length);
        for (Segment segment : snapshot.segments()) {
            for (int row = 0; row < segment.count; row++) {
                int code = segment.code(row, field);
                appender.add(
                        code == 0 ? 0 : Arrays.binarySearch(distinct[field], segment.distinct[field][code - 1]) + 1);
            }
        }
        return appender.build();
    }

    private RoaringBitmap[] values(int field) {
        RoaringBitmap[] bitmaps = new RoaringBitmap[snapshot.dictionaries()[field].size() + 1];
        for (int code = 0; code < bitmaps.length; code++) {
            bitmaps[code] = new RoaringBitmap();
        }
        for (int i = 0; i < firsts.length - 1; i++) {
            Segment segment = snapshot.segments()[i];
            for (int row = 0; row < segment.count; row++) {
                int code = segment.code(row, field);
                if (code != 0) {
                    bitmaps[code].add(firsts[i] + row);
                }
            }
        }
        for (RoaringBitmap bitmap : bitmaps) {
            bitmap.runOptimize();
        }
        return bitmaps;
    }

    @Override
    public void search(PriceQuery query, Matches matches) {
        RoaringBitmap found = intersection(query.compiled);
        if (found.isEmpty()) {
            return;
        }
        PeekableIntIterator numbers = found.getIntIterator();
        while (numbers.hasNext() && matches.wantsMore()) {
            int number = numbers.next();
            matches.add(segment(number), number - firsts[segment(number)], false);
        }
        int count = found.getCardinality();
        matches.count = count;
        if (count > 1 && !defaults.isEmpty() && RoaringBitmap.intersects(found, defaults)) {
            int number = RoaringBitmap.and(found, defaults).first();
            matches.firstDefault = Matches.place(segment(number), number - firsts[segment(number)]);
        }
    }

    private int segment(int number) {
        int at = Arrays.binarySearch(firsts, number);
        if (at < 0) {
            return -at - 2;
        }
        while (firsts[at + 1] == number) { // an empty segment has the same first number as the next one
            at++;
        }
        return at;
    }

    /**
     * Returns the prices that match. Conditions with one value come first, those with the fewest prices before others, then choices of values, then
     * ranges, because these cost most. Each is restricted to the prices that are left; when none are, the rest is not looked at. The offering is
     * always the first, because its prices are neighbours and lie in one or two containers.
     */
    private RoaringBitmap intersection(CompiledQuery query) {
        Candidates left = new Candidates(query.offering == CompiledQuery.ANY ? null : byOffering[query.offering - 1]);
        int[] order = order(query);
        for (int i = 0; i < order.length && !left.isEmpty(); i++) {
            restrict(left, query, order[i]);
        }
        return left.get();
    }

    private int[] order(CompiledQuery query) {
        int[] order = new int[query.size];
        long[] costs = new long[query.size];
        long negative = NEGATIVE_OF_ALL_COST;
        for (int i = 0; i < query.size; i++) {
            if (!query.isOrdered[i] && !query.operator[i].isNegative) {
                negative = NEGATIVE_COST;
            }
        }
        negative = query.offering == CompiledQuery.ANY ? negative : NEGATIVE_COST;
        for (int i = 0; i < order.length; i++) {
            long cost = cost(query, i) + (query.operator[i].isNegative ? negative << Integer.SIZE : 0);
            int at = i;
            for (; at > 0 && costs[at - 1] > cost; at--) {
                costs[at] = costs[at - 1];
                order[at] = order[at - 1];
            }
            costs[at] = cost;
            order[at] = i;
        }
        return order;
    }

    /** Returns the place of a condition in the order: the number of bitmaps that it reads, and then the number of prices that it may leave. */
    private long cost(CompiledQuery query, int condition) {
        int field = query.field[condition];
        int[] prices = cardinalities[field];
        Operator operator = query.operator[condition];
        boolean isChoice = operator == Operator.IN || operator == Operator.NOT_IN;
        long bitmaps;
        long left = 0;
        if (query.isOrdered[condition]) {
            bitmaps = RANGE_COST * (isChoice ? query.numbers[condition].length : 1L);
        } else if (isChoice) {
            bitmaps = query.codes[condition].length;
            for (int code : query.codes[condition]) {
                left += prices[code];
            }
        } else {
            bitmaps = 1;
            left = prices[query.code[condition]];
        }
        return (bitmaps << Integer.SIZE) + left;
    }

    private void restrict(Candidates left, CompiledQuery query, int condition) {
        int field = query.field[condition];
        RangeBitmap range = ranges[field];
        boolean isNegative = query.operator[condition].isNegative;
        if (range != null) {
            restrict(left, range, query, condition);
        } else if (query.operator[condition] == Operator.EQ || query.operator[condition] == Operator.NE) {
            RoaringBitmap value = byValue[field][query.code[condition]];
            if (isNegative) {
                left.remove(value);
            } else {
                left.retain(value);
            }
        } else {
            int[] codes = query.codes[condition];
            RoaringBitmap[] values = new RoaringBitmap[codes.length];
            for (int i = 0; i < codes.length; i++) {
                values[i] = byValue[field][codes[i]];
            }
            if (isNegative) {
                for (RoaringBitmap value : values) {
                    left.remove(value);
                }
            } else {
                left.retainAny(values);
            }
        }
    }

    private void restrict(Candidates left, RangeBitmap range, CompiledQuery query, int condition) {
        long[] known = distinct[query.field[condition]];
        boolean isNegative = query.operator[condition].isNegative;
        RoaringBitmap found;
        if (query.operator[condition] == Operator.IN || query.operator[condition] == Operator.NOT_IN) {
            found = new RoaringBitmap();
            for (long number : query.numbers[condition]) {
                int rank = Arrays.binarySearch(known, number) + 1;
                if (rank > 0) {
                    found.or(left.isAll() ? range.eq(rank) : range.eq(rank, left.get()));
                }
            }
        } else {
            int from = Arrays.binarySearch(known, query.low[condition]);
            int to = Arrays.binarySearch(known, query.high[condition]);
            int first = (from < 0 ? -from - 1 : from) + 1;
            int last = to < 0 ? -to - 1 : to + 1;
            if (first > last) {
                found = new RoaringBitmap();
            } else {
                found = left.isAll() ? range.between(first, last) : range.between(first, last, left.get());
            }
        }
        if (isNegative) {
            left.remove(found);
        } else {
            left.set(found);
        }
    }

    /** The prices that are left in one search. Bitmaps of the index are never changed. */
    private final class Candidates {
        private @Nullable RoaringBitmap bitmap; // null for all prices
        private boolean isOwn; // whether the bitmap belongs to this search and may be changed

        Candidates(@Nullable RoaringBitmap bitmap) {
            this.bitmap = bitmap;
        }

        boolean isAll() {
            return bitmap == null;
        }

        boolean isEmpty() {
            return get().isEmpty();
        }

        RoaringBitmap get() {
            return bitmap == null ? everything : bitmap;
        }

        void set(RoaringBitmap own) {
            bitmap = own;
            isOwn = true;
        }

        void retain(RoaringBitmap value) {
            if (bitmap == null) {
                bitmap = value;
            } else if (isOwn) {
                bitmap.and(value);
            } else {
                set(RoaringBitmap.and(bitmap, value));
            }
        }

        void remove(RoaringBitmap value) {
            if (isOwn && bitmap != null) {
                bitmap.andNot(value);
            } else {
                set(RoaringBitmap.andNot(get(), value));
            }
        }

        void retainAny(RoaringBitmap[] values) {
            if (bitmap == null) {
                set(FastAggregation.or(values));
                return;
            }
            RoaringBitmap any = new RoaringBitmap();
            for (RoaringBitmap value : values) {
                any.or(RoaringBitmap.and(bitmap, value));
            }
            set(any);
        }
    }

    @Override
    public Plan plan(PriceQuery query, Segment segment) {
        return Plan.ROARING;
    }
}
