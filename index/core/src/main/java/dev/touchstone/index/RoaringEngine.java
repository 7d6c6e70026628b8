package dev.touchstone.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RangeBitmap;
import org.roaringbitmap.RoaringBitmap;

/**
 * The engine of {@link EngineType#ROARING}. All prices are numbered through. There is a bitmap for each offering and for each value of a string
 * field, and a {@link RangeBitmap} for each ordered field. They are intersected in the order of the query, as in the first implementation of this
 * index.
 */
final class RoaringEngine implements Engine {
    private static final RoaringBitmap NOTHING = new RoaringBitmap();

    private final Snapshot snapshot;
    private final int[] firsts; // by segment, the number of its first price
    private final RoaringBitmap everything;
    private final RoaringBitmap defaults = new RoaringBitmap();
    private final RoaringBitmap[] byOffering;
    private final RoaringBitmap[][] byValue; // by field and code
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

    private RoaringBitmap intersection(CompiledQuery query) {
        RoaringBitmap first = query.offering == CompiledQuery.ANY ? everything : byOffering[query.offering - 1];
        RoaringBitmap found = first;
        for (int i = 0; i < query.size && !found.isEmpty(); i++) {
            RoaringBitmap one = bitmap(query, i);
            boolean isNegative = query.operator[i].isNegative;
            if (i == 0) {
                found = isNegative ? RoaringBitmap.andNot(found, one) : RoaringBitmap.and(found, one);
            } else if (isNegative) {
                found.andNot(one);
            } else {
                found.and(one);
            }
        }
        return found;
    }

    /** Returns the prices for which a condition holds, or for a negative condition, its opposite. */
    private RoaringBitmap bitmap(CompiledQuery query, int condition) {
        int field = query.field[condition];
        RangeBitmap range = ranges[field];
        if (range != null) {
            return query.operator[condition] == Operator.IN || query.operator[condition] == Operator.NOT_IN
                    ? anyOf(query.numbers[condition], range, field)
                    : between(range, field, query.low[condition], query.high[condition]);
        }
        if (query.operator[condition] == Operator.EQ || query.operator[condition] == Operator.NE) {
            return byValue[field][query.code[condition]];
        }
        RoaringBitmap any = new RoaringBitmap();
        for (int code : query.codes[condition]) {
            any.or(byValue[field][code]);
        }
        return any;
    }

    private RoaringBitmap anyOf(long[] numbers, RangeBitmap range, int field) {
        RoaringBitmap any = new RoaringBitmap();
        for (long number : numbers) {
            any.or(between(range, field, number, number));
        }
        return any;
    }

    private RoaringBitmap between(RangeBitmap range, int field, long low, long high) {
        int from = Arrays.binarySearch(distinct[field], low);
        int to = Arrays.binarySearch(distinct[field], high);
        int first = (from < 0 ? -from - 1 : from) + 1;
        int last = to < 0 ? -to - 1 : to + 1;
        return first > last ? NOTHING : range.between(first, last);
    }

    @Override
    public Plan plan(PriceQuery query, Segment segment) {
        return Plan.ROARING;
    }
}
