package dev.touchstone.index.engine;

import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Plan;
import dev.touchstone.index.Price;
import dev.touchstone.index.table.Bits;
import dev.touchstone.index.table.Dictionary;
import dev.touchstone.index.table.RefCounts;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The complete contents of an index at one version. Immutable and thread-safe. */
public final class Snapshot {
    private static final Segment[] NO_SEGMENTS = {};
    private static final int CHECKED_MATCHES = 1 << 12; // between two checks whether to stop, a power of 2

    private final long version;
    private final List<Field> fields;
    private final Codes codes;
    private final Dictionary currencies;
    private final Segments segments;
    private final RefCounts[] counts;

    /** The dictionaries of a snapshot. Snapshots share them until an update brings a new string. Immutable and thread-safe. */
    public static final class Codes {
        final Dictionary offerings;
        final Dictionary[] byField; // by ordinal; empty for ordered ones

        /** Creates the dictionaries of a snapshot. The caller must not change the array. */
        public Codes(Dictionary offerings, Dictionary[] byField) {
            this.offerings = offerings;
            this.byField = byField;
        }
    }

    /**
     * The segments of a snapshot by the numbers of their offerings, in pages that are copied when they change. The number of an offering that has no
     * prices any more stays without an offering until the others are numbered anew. Immutable and thread-safe.
     */
    public static final class Segments {
        private static final int PAGE_BITS = 10;
        private static final int PAGE = 1 << PAGE_BITS;
        private static final Segments NONE = new Segments(new Segment[0][], new long[0][], 0);

        private final Segment[][] pages;
        private final long[][] inUse; // by page, a bitmap of the numbers whose offerings have prices
        final int count;

        private Segments(Segment[][] pages, long[][] inUse, int count) {
            this.pages = pages;
            this.inUse = inUse;
            this.count = count;
        }

        Segment get(int number) {
            return pages[number >>> PAGE_BITS][number & (PAGE - 1)];
        }

        /** Returns the first number, from a given one on, whose offering has prices; {@code count} if there is none. */
        int next(int number) {
            for (int at = number; at < count; at = (at | (Long.SIZE - 1)) + 1) {
                long behind = inUse(at) >>> at;
                if (behind != 0) {
                    return at + Long.numberOfTrailingZeros(behind);
                }
            }
            return count;
        }

        /** Returns a bit for each of the 64 numbers from a multiple of 64 on among which a given one is; set if its offering has prices. */
        long inUse(int number) {
            return inUse[number >>> PAGE_BITS][(number & (PAGE - 1)) >>> 6];
        }

        /** Segments that are being changed. Not thread-safe. */
        public static final class Draft {
            private final Segment[][] pages;
            private final long[][] inUse;
            private final boolean[] isOwn;
            private final int count;

            /** Creates segments without prices. */
            public Draft(int count, Segment none) {
                this(NONE, count, none);
            }

            /** Creates a copy of segments, with further ones without prices behind them. */
            Draft(Segments base, int count, Segment none) {
                this.count = count;
                pages = Arrays.copyOf(base.pages, (count + PAGE - 1) >>> PAGE_BITS);
                inUse = Arrays.copyOf(base.inUse, pages.length);
                isOwn = new boolean[pages.length];
                for (int page = base.count >>> PAGE_BITS; page < pages.length; page++) {
                    int length = Math.min(PAGE, count - (page << PAGE_BITS));
                    int known = page < base.pages.length ? base.pages[page].length : 0;
                    if (known < length) {
                        pages[page] = known == 0 ? new Segment[length] : Arrays.copyOf(base.pages[page], length);
                        Arrays.fill(pages[page], known, length, none);
                        inUse[page] = known == 0 ? new long[PAGE / Long.SIZE] : base.inUse[page].clone();
                        isOwn[page] = true;
                    }
                }
            }

            /** Returns the number of segments. */
            public int count() {
                return count;
            }

            /** Returns the segment of a number, as it is now. */
            public Segment get(int number) {
                return pages[number >>> PAGE_BITS][number & (PAGE - 1)];
            }

            /** Replaces the segment of a number. */
            public void set(int number, Segment segment) {
                int page = number >>> PAGE_BITS;
                if (!isOwn[page]) {
                    pages[page] = pages[page].clone();
                    inUse[page] = inUse[page].clone();
                    isOwn[page] = true;
                }
                int at = number & (PAGE - 1);
                pages[page][at] = segment;
                long bit = 1L << at;
                inUse[page][at >>> 6] = segment.count > 0 ? inUse[page][at >>> 6] | bit : inUse[page][at >>> 6] & ~bit;
            }

            /** Returns the segments. The draft must not be used any more. */
            public Segments build() {
                return new Segments(pages, inUse, count);
            }
        }
    }

    /** Creates a snapshot. The caller must not change the arrays. */
    public Snapshot(
            long version,
            List<Field> fields,
            Codes codes,
            Dictionary currencies,
            Segments segments,
            RefCounts[] counts) {
        this.counts = counts;
        this.version = version;
        this.fields = fields;
        this.codes = codes;
        this.currencies = currencies;
        this.segments = segments;
    }

    /** Returns the number of the version, from 1, which grows by 1 with each update. */
    public long version() {
        return version;
    }

    /** Returns the fields in the order of their ordinals. */
    List<Field> fields() {
        return fields;
    }

    /** Returns all dictionaries except that of the currencies. */
    public Codes codes() {
        return codes;
    }

    /** Returns the dictionaries by the ordinals of their fields; those of ordered fields are empty. */
    public Dictionary[] dictionaries() {
        return codes.byField;
    }

    /** Returns the dictionary of the offerings. The code of an offering is the index of its segment plus one. */
    public Dictionary offerings() {
        return codes.offerings;
    }

    /** Returns the dictionary of the currencies of all prices. */
    public Dictionary currencies() {
        return currencies;
    }

    /**
     * Returns the numbers of prices that use each string: for each dictionary of a field, then for that of the offerings, then for that of the
     * currencies. Empty if they were not counted yet.
     */
    RefCounts[] counts() {
        return counts;
    }

    /** Returns the segments by the codes of their offerings. An offering that has no prices any more has one without prices. */
    Segments segments() {
        return segments;
    }

    /** Returns the segment of the offering of a number. */
    public Segment segment(int number) {
        return segments.get(number);
    }

    /** Returns the number of an offering, by which it has its segment; -1 if it has no prices. */
    public int number(String offering) {
        return codes.offerings.code(offering) - 1;
    }

    /** Returns the offering of a number. */
    public String offering(int number) {
        return codes.offerings.value(number + 1);
    }

    /** Returns the string of a code of a string field. */
    String string(Field field, int code) {
        return codes.byField[field.ordinal()].value(code);
    }

    /** Returns how many offerings have prices. */
    public int offeringCount() {
        return codes.offerings.size();
    }

    /** Returns the numbers of all offerings that have prices, in ascending order. */
    public int[] numbers() {
        return IntStream.iterate(
                        segments.next(0), number -> number < segments.count, number -> segments.next(number + 1))
                .toArray();
    }

    /** Returns the number of strings of all fields. */
    public int strings() {
        return Arrays.stream(codes.byField).mapToInt(Dictionary::size).sum();
    }

    /**
     * Searches the prices that match a query of the index, and keeps as many as a policy needs; if the policy of the query is {@link
     * MatchPolicy#SPECIFIC}, only the most specific ones.
     *
     * @param isStopped called as by {@link #search}; returns whether to stop
     * @return matches, which the next search of the query overwrites
     * @throws CancellationException if {@code isStopped} returned true
     */
    public ResultCollector find(BoundQuery query, MatchPolicy policy, BooleanSupplier isStopped) {
        ResultCollector matches = query.matches;
        matches.reset(policy, query.limit());
        if (query.policy() == MatchPolicy.SPECIFIC) {
            matches.keepMostSpecific(this, query.precedence());
        }
        if (query.bind(codes)) {
            search(query, isStopped, matches);
        }
        return matches;
    }

    /**
     * Adds the prices that match a query, in the order of segments and ordinals. The query must be compiled for this snapshot.
     *
     * @param isStopped called before each block of an offering but the first, and at least once for every 64 offerings; returns whether to stop
     * @throws CancellationException if {@code isStopped} returned true
     */
    private void search(BoundQuery query, BooleanSupplier isStopped, ResultCollector matches) {
        CompiledQuery compiled = query.compiled;
        if (compiled.groups.length > 0) {
            compiled.requireFew();
            forEachBlock(query, (number, block, first) -> {
                if (!matches.isEnough()) {
                    requireGoOn(isStopped, number, first);
                    searchBlock(query, number, block, first, isStopped, matches);
                }
            });
            return;
        }
        if (compiled.offering != CompiledQuery.ANY) {
            int number = compiled.offering - 1;
            search(query, segments.get(number), number, isStopped, matches);
            return;
        }
        for (int first = segments.next(0);
                first < segments.count && !matches.isEnough();
                first = segments.next((first | (Long.SIZE - 1)) + 1)) {
            requireGoOn(isStopped, first, 0);
            for (long left = segments.inUse(first); left != 0 && !matches.isEnough(); left &= left - 1) {
                int number = (first & -Long.SIZE) + Long.numberOfTrailingZeros(left);
                search(query, segments.get(number), number, isStopped, matches);
            }
        }
    }

    private void search(
            BoundQuery query, Segment segment, int number, BooleanSupplier isStopped, ResultCollector matches) {
        long first = ResultCollector.first(number);
        searchRows(query, number, segment, first, matches);
        if (segment.others != null) {
            first += segment.count;
            for (int i = 0; i < segment.others.length && !matches.isEnough(); i++) {
                requireGoOn(isStopped, number, first);
                Segment block = segment.others[i];
                query.search.search(query.compiled, block, first, matches);
                first += block.count;
            }
        }
    }

    /** Adds the prices of an offering in a block that match the conditions of a query, without the queries that are nested in it. */
    private static void searchRows(BoundQuery query, int number, Segment block, long first, ResultCollector matches) {
        if (block instanceof SharedSegment) {
            SegmentSearch.scan(query.compiled, block, block.from(number), block.to(number), first, matches);
        } else {
            query.search.search(query.compiled, block, first, matches);
        }
    }

    /** Returns the plan by which the prices of an offering are searched. */
    Plan plan(BoundQuery query, int number) {
        Segment segment = segments.get(number);
        if (segment instanceof SharedSegment) {
            return query.size() == 0 ? Plan.ALL : Plan.SCAN;
        }
        return query.search.plan(query.compiled, segment);
    }

    /** A receiver of prices. */
    public interface Receiver {
        /** Receives the price of a row of a block of an offering. */
        void accept(int number, Segment block, int row);
    }

    /**
     * Passes on the prices that match a query, in the order of segments and ordinals; of {@link MatchPolicy#SPECIFIC} the most specific ones only. Holds
     * the matches of one block at a time. The query must be bound to this snapshot.
     *
     * @param isStopped called at least once for each block, and for every 4,096 matches; returns whether to stop
     * @throws CancellationException if {@code isStopped} returned true
     */
    public void forEach(BoundQuery query, BooleanSupplier isStopped, Receiver receiver) {
        if (query.policy() != MatchPolicy.SPECIFIC) {
            visitAll(query, isStopped, receiver);
            return;
        }
        int[] precedence = query.precedence();
        long best = bestRank(query, isStopped);
        visitAll(query, isStopped, (number, block, row) -> {
            if (block.rank(row, precedence) == best) {
                receiver.accept(number, block, row);
            }
        });
    }

    /** A maker of objects of prices. */
    public interface Maker<T> {
        /** Returns the object for the price of a row of a block of an offering. */
        T make(int number, Segment block, int row);
    }

    /**
     * Returns an iterator over the prices that {@link #forEach} passes on. It holds a bitmap of the matches of one block.
     *
     * @throws CancellationException if {@code isStopped} returned true
     */
    public <T> Iterator<T> iterator(BoundQuery query, BooleanSupplier isStopped, Maker<T> maker) {
        query.compiled.requireFew();
        boolean isSpecific = query.policy() == MatchPolicy.SPECIFIC;
        int[] precedence = isSpecific ? query.precedence() : new int[0];
        long best = isSpecific ? bestRank(query, isStopped) : 0;
        int offering = query.compiled.offering;
        int from = offering == CompiledQuery.ANY ? segments.next(0) : offering - 1;
        int to = offering == CompiledQuery.ANY ? segments.count : offering;
        return new Iterator<>() {
            private int number = from;
            private int next; // block of the offering that is searched next, 0 for the first
            private long[] rows = {}; // matches in the block before that one
            private int row = -1;

            @Override
            public boolean hasNext() {
                while (row < 0 && number < to) {
                    Segment head = segments.get(number);
                    if (next > (head.others == null ? 0 : head.others.length)) {
                        number = segments.next(number + 1);
                        next = 0;
                    } else {
                        requireGoOn(isStopped, number, 0);
                        rows = rows(query, number, block(head, next), isStopped);
                        next++;
                        row = matchFrom(0);
                    }
                }
                return row >= 0;
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                int found = row;
                row = matchFrom(row + 1);
                return maker.make(number, block(segments.get(number), next - 1), found);
            }

            // Returns the first match from a row on, or -1.
            private int matchFrom(int first) {
                for (int at = Bits.next(rows, first); at >= 0; at = Bits.next(rows, at + 1)) {
                    if (!isSpecific || block(segments.get(number), next - 1).rank(at, precedence) == best) {
                        return at;
                    }
                }
                return -1;
            }
        };
    }

    private static Segment block(Segment head, int i) {
        return i == 0 || head.others == null ? head : head.others[i - 1];
    }

    private long bestRank(BoundQuery query, BooleanSupplier isStopped) {
        int[] precedence = query.precedence();
        long[] best = {-1};
        visitAll(query, isStopped, (number, block, row) -> best[0] = Math.max(best[0], block.rank(row, precedence)));
        return best[0];
    }

    private void requireGoOn(BooleanSupplier isStopped, int number, long row) {
        if (isStopped.getAsBoolean()) {
            throw new CancellationException(
                    "stopped: offering=" + InvalidValueException.shown(offering(number)) + " row=" + (int) row);
        }
    }

    private void visitAll(BoundQuery query, BooleanSupplier isStopped, Receiver receiver) {
        ResultCollector matches = new ResultCollector(); // that of the query would keep its memory
        query.compiled.requireFew();
        forEachBlock(query, (number, block, first) -> {
            requireGoOn(isStopped, number, first);
            matches.reset(MatchPolicy.ALL, Integer.MAX_VALUE);
            searchBlock(query, number, block, 0, isStopped, matches);
            for (int i = 0; i < matches.kept; i++) {
                if (i % CHECKED_MATCHES == CHECKED_MATCHES - 1) {
                    requireGoOn(isStopped, number, first + matches.places[i]);
                }
                receiver.accept(number, block, block.from(number) + (int) matches.places[i]);
            }
        });
    }

    /** A receiver of blocks. */
    private interface BlockVisitor {
        /** Receives a block of an offering, whose first row of the offering has a place. */
        void visit(int number, Segment block, long first);
    }

    private void forEachBlock(BoundQuery query, BlockVisitor visitor) {
        int offering = query.compiled.offering;
        int from = offering == CompiledQuery.ANY ? segments.next(0) : offering - 1;
        int to = offering == CompiledQuery.ANY ? segments.count : offering;
        for (int number = from; number < to; number = segments.next(number + 1)) {
            Segment head = segments.get(number);
            long first = ResultCollector.first(number);
            visitor.visit(number, head, first);
            first += head.count;
            for (Segment block : head.others == null ? NO_SEGMENTS : head.others) {
                visitor.visit(number, block, first);
                first += block.count;
            }
        }
    }

    /** Adds the prices of a block that match a query, in which others may be nested. */
    private void searchBlock(
            BoundQuery query,
            int number,
            Segment block,
            long first,
            BooleanSupplier isStopped,
            ResultCollector matches) {
        if (query.compiled.groups.length == 0) {
            searchRows(query, number, block, first, matches);
        } else {
            long[] rows = rows(query, number, block, isStopped);
            matches.add(first - block.from(number), block.defaults, rows, rows.length, 0);
        }
    }

    /**
     * Returns a bitmap of the rows of a block that match a query that is bound to this snapshot.
     *
     * @param isStopped called before each nested query; returns whether to stop
     * @throws CancellationException if {@code isStopped} returned true
     */
    private long[] rows(BoundQuery query, int number, Segment block, BooleanSupplier isStopped) {
        long[] rows = new long[Bits.words(block.count)];
        ResultCollector matches = new ResultCollector();
        matches.reset(MatchPolicy.ALL, Integer.MAX_VALUE);
        searchRows(query, number, block, 0, matches);
        for (int i = 0; i < matches.kept; i++) {
            int row = block.from(number) + (int) matches.places[i];
            rows[row >>> 6] |= 1L << row;
        }
        for (CompiledQuery.Group group : query.compiled.groups) {
            long[] any = new long[rows.length];
            for (BoundQuery one : group.queries()) {
                requireGoOn(isStopped, number, 0);
                if (one.bind(codes)) {
                    Bits.or(any, any.length, rows(one, number, block, isStopped), 0);
                }
            }
            if (group.isNone()) {
                Bits.andNot(rows, rows.length, any, 0);
            } else {
                Bits.and(rows, rows.length, any, 0);
            }
        }
        return rows;
    }

    /** Returns the number of prices of all offerings. */
    public long prices() {
        long count = 0;
        for (int number = segments.next(0); number < segments.count; number = segments.next(number + 1)) {
            count += segments.get(number).total(number);
        }
        return count;
    }

    /** Returns the price of a row, with a payload that the caller has read. */
    public Price price(int number, Segment segment, int row, @Nullable String payload) {
        Map<String, Object> conditions = new TreeMap<>();
        for (Field field : fields) {
            Object value = value(segment, row, field);
            if (value != null) {
                conditions.put(field.name(), value);
            }
        }
        PriceColumns prices = segment.prices;
        return new Price(
                prices.id(row),
                offering(number),
                conditions,
                prices.value(row),
                currencies.value(prices.currency(row)),
                segment.isDefault(row),
                payload);
    }

    /** Returns the value of a field of a price, which is a set of strings if there are several; null if the price has none. */
    @Nullable
    public Object value(Segment segment, int row, Field field) {
        int ordinal = field.ordinal();
        int code = segment.code(row, ordinal);
        if (code == 0) {
            return null;
        }
        if (field.type().isOrdered()) {
            return field.value(segment.distinct[ordinal][code - 1]);
        }
        Dictionary strings = codes.byField[ordinal];
        return strings.isSet(code) ? set(strings, code) : strings.value(code);
    }

    private static Set<String> set(Dictionary strings, int code) {
        Set<String> set = new TreeSet<>();
        for (int member : strings.members(code)) {
            set.add(strings.value(member));
        }
        return Collections.unmodifiableSet(set);
    }
}
