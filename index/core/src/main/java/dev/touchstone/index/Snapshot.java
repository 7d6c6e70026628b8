package dev.touchstone.index;

import dev.touchstone.index.table.Dictionary;
import dev.touchstone.index.table.RefCounts;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The complete contents of an index at one version. Immutable and thread-safe. */
final class Snapshot {
    private final long version;
    private final List<Field> fields;
    private final Codes codes;
    private final Dictionary currencies;
    private final Segment[] segments;
    private final RefCounts[] counts;

    /** Creates a snapshot. The caller must not change the arrays. */
    Snapshot(
            long version,
            List<Field> fields,
            Codes codes,
            Dictionary currencies,
            Segment[] segments,
            RefCounts[] counts) {
        this.counts = counts;
        this.version = version;
        this.fields = fields;
        this.codes = codes;
        this.currencies = currencies;
        this.segments = segments;
    }

    /** Returns the number of the version, from 1, which grows by 1 with each update. */
    long version() {
        return version;
    }

    /** Returns the fields in the order of their ordinals. */
    List<Field> fields() {
        return fields;
    }

    /** Returns all dictionaries except that of the currencies. */
    Codes codes() {
        return codes;
    }

    /** Returns the dictionaries by the ordinals of their fields; those of ordered fields are empty. */
    Dictionary[] dictionaries() {
        return codes.byField;
    }

    /** Returns the dictionary of the offerings. The code of an offering is the index of its segment plus one. */
    Dictionary offerings() {
        return codes.offerings;
    }

    /** Returns the dictionary of the currencies of all prices. */
    Dictionary currencies() {
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
    Segment[] segments() {
        return segments;
    }

    /** Returns the number of an offering, by which it has its segment; -1 if it has no prices. */
    int number(String offering) {
        return codes.offerings.code(offering) - 1;
    }

    /** Returns the offering of a number. */
    String offering(int number) {
        return codes.offerings.value(number + 1);
    }

    /** Returns how many offerings have prices. */
    int offeringCount() {
        return codes.offerings.size();
    }

    /** Returns the numbers of all offerings that have prices, in ascending order. */
    int[] numbers() {
        return IntStream.range(0, segments.length)
                .filter(number -> segments[number].total(number) > 0)
                .toArray();
    }

    /** Returns the number of strings of all fields. */
    int strings() {
        return Arrays.stream(codes.byField).mapToInt(Dictionary::size).sum();
    }

    /** Adds the prices that match a query, in the order of segments and ordinals. The query must be compiled for this snapshot. */
    void search(PriceQuery query, Matches matches) {
        CompiledQuery compiled = query.compiled;
        if (compiled.offering != CompiledQuery.ANY) {
            int number = compiled.offering - 1;
            search(query, segments[number], number, matches);
            return;
        }
        for (int number = 0; number < segments.length && !matches.isEnough(); number++) {
            search(query, segments[number], number, matches);
        }
    }

    private static void search(PriceQuery query, Segment segment, int number, Matches matches) {
        long first = Matches.first(number);
        if (segment instanceof SharedSegment) {
            SegmentSearch.scan(query.compiled, segment, segment.from(number), segment.to(number), first, matches);
            return;
        }
        query.search.search(query.compiled, segment, first, matches);
        if (segment.others != null) {
            first += segment.count;
            for (int i = 0; i < segment.others.length && !matches.isEnough(); i++) {
                Segment block = segment.others[i];
                query.search.search(query.compiled, block, first, matches);
                first += block.count;
            }
        }
    }

    /** Returns the plan by which the prices of an offering are searched. */
    Plan plan(PriceQuery query, int number) {
        Segment segment = segments[number];
        if (segment instanceof SharedSegment) {
            return query.size() == 0 ? Plan.ALL : Plan.SCAN;
        }
        return query.search.plan(query.compiled, segment);
    }

    /** A receiver of prices. */
    interface Receiver {
        /** Receives the price of a row of a block of an offering. */
        void accept(int number, Segment block, int row);
    }

    /**
     * Passes on the prices that match a query, in the order of segments and ordinals; of {@link MatchPolicy#SPECIFIC} the most specific ones only. Holds
     * the matches of one block at a time. The query must be bound to this snapshot.
     *
     * @param isStopped called at least once for each block; returns whether to stop
     * @throws CancellationException if {@code isStopped} returned true
     */
    void forEach(PriceQuery query, BooleanSupplier isStopped, Receiver receiver) {
        if (query.policy() != MatchPolicy.SPECIFIC) {
            visitAll(query, isStopped, receiver);
            return;
        }
        int[] precedence = query.precedence();
        long[] best = {-1};
        visitAll(query, isStopped, (number, block, row) -> best[0] = Math.max(best[0], block.rank(row, precedence)));
        visitAll(query, isStopped, (number, block, row) -> {
            if (block.rank(row, precedence) == best[0]) {
                receiver.accept(number, block, row);
            }
        });
    }

    private void visitAll(PriceQuery query, BooleanSupplier isStopped, Receiver receiver) {
        int offering = query.compiled.offering;
        int from = offering == CompiledQuery.ANY ? 0 : offering - 1;
        int to = offering == CompiledQuery.ANY ? segments.length : offering;
        Matches matches = new Matches(); // that of the query would keep its memory
        for (int number = from; number < to; number++) {
            Segment head = segments[number];
            int first = 0;
            for (int i = -1; i < (head.others == null ? 0 : head.others.length); i++) {
                Segment block = i < 0 || head.others == null ? head : head.others[i];
                if (isStopped.getAsBoolean()) {
                    throw new CancellationException(
                            "stopped: offering=" + FieldType.shown(offering(number)) + " row=" + first);
                }
                matches.reset(MatchPolicy.ALL, Integer.MAX_VALUE);
                int start = block.from(number);
                if (block instanceof SharedSegment) {
                    SegmentSearch.scan(query.compiled, block, start, block.to(number), 0, matches);
                } else {
                    query.search.search(query.compiled, block, 0, matches);
                }
                for (int k = 0; k < matches.kept; k++) {
                    receiver.accept(number, block, start + (int) matches.places[k]);
                }
                first += block.count;
            }
        }
    }

    /** Adds the values of a field of a row to counts of prices: by code for strings, by number for all others. Returns whether there is a value. */
    boolean addTo(Map<Long, Long> counts, Segment block, int row, Field field) {
        int code = block.code(row, field.ordinal());
        if (code == 0) {
            return false;
        }
        if (field.type().isOrdered()) {
            counts.merge(block.distinct[field.ordinal()][code - 1], 1L, Long::sum);
            return true;
        }
        Dictionary strings = codes.byField[field.ordinal()];
        if (!strings.isSet(code)) {
            counts.merge((long) code, 1L, Long::sum);
            return true;
        }
        for (int member : strings.members(code)) {
            counts.merge((long) member, 1L, Long::sum);
        }
        return true;
    }

    long prices() {
        long count = 0;
        for (int number = 0; number < segments.length; number++) {
            count += segments[number].total(number);
        }
        return count;
    }

    /** Returns the price of a row, with a payload that the caller has read. */
    Price price(int number, Segment segment, int row, @Nullable String payload) {
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
    Object value(Segment segment, int row, Field field) {
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
