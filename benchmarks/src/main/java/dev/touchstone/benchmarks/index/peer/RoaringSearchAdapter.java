package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RangeBitmap;
import org.roaringbitmap.RoaringBitmap;

/**
 * Roaring bitmaps over all prices: one for each offering and for each value of a string field, and a {@link RangeBitmap} over the ranks of the values
 * of each ordered field.
 *
 * <p>The offering comes first, because its prices are neighbours and lie in few containers. Then come conditions with one value, the smallest bitmap
 * first, choices of values, negative conditions, and ranges, which cost most. The size of a bitmap stands for its selectivity: it also tells few long
 * runs from many scattered prices, and an order by cardinality was slower. Each condition is evaluated for the prices that are left only, and none
 * when no price is left.
 */
public final class RoaringSearchAdapter implements SearchUnderTest {
    // in bitmaps to be read
    private static final long NEGATIVE_COST = 1 << 9;
    private static final long RANGE_COST = 1 << 10;
    private static final long COPY_COST = 1 << 20; // a negative condition where no other one has restricted the prices

    private static final long NO_VALUE = Long.MIN_VALUE;
    private static final RoaringBitmap EMPTY = new RoaringBitmap();

    private final Values offerings;
    private final @Nullable Values[] byField; // null for an ordered field
    private final @Nullable Ranks[] ranks; // null for a string field
    private final RoaringCandidates left;

    // the search that runs
    private RoaringBitmap[][] bitmaps = new RoaringBitmap[8][0]; // by term
    private int[] order = new int[8];
    private long[] costs = new long[8];

    /** The bitmaps of the values of a string field. */
    private static final class Values {
        private final StringCodes codes;
        private final RoaringBitmap[] bitmaps; // by code; the first one is empty
        private final int[] sizes; // in bytes

        Values(Map<String, RoaringBitmap> all, boolean hasRuns) {
            Map<String, Integer> numbered = new LinkedHashMap<>();
            bitmaps = new RoaringBitmap[all.size() + 1];
            bitmaps[0] = new RoaringBitmap();
            all.forEach((text, bitmap) -> {
                if (hasRuns) {
                    bitmap.runOptimize();
                }
                numbered.put(text, numbered.size() + 1);
                bitmaps[numbered.size()] = bitmap;
            });
            codes = new StringCodes(numbered);
            sizes = Arrays.stream(bitmaps)
                    .mapToInt(RoaringBitmap::getSizeInBytes)
                    .toArray();
        }
    }

    /** The values of an ordered field as ranks from 1; a price without a value has 0. */
    private static final class Ranks {
        private final long[] distinct; // in ascending order
        private final RangeBitmap bitmap;

        Ranks(long[] all) {
            distinct = Arrays.stream(all)
                    .filter(value -> value != NO_VALUE)
                    .sorted()
                    .distinct()
                    .toArray();
            RangeBitmap.Appender appender = RangeBitmap.appender(distinct.length);
            for (long value : all) {
                appender.add(value == NO_VALUE ? 0 : Arrays.binarySearch(distinct, value) + 1);
            }
            bitmap = appender.build();
        }

        /** Returns the rank of the lowest value that is not below a bound. */
        int from(long low) {
            int at = Arrays.binarySearch(distinct, low);
            return (at < 0 ? -at - 1 : at) + 1;
        }

        /** Returns the rank of the highest value that is not above a bound. */
        int to(long high) {
            int at = Arrays.binarySearch(distinct, high);
            return at < 0 ? -at - 1 : at + 1;
        }
    }

    /**
     * Indexes prices whose values are their numbers in order, from 0.
     *
     * @throws IllegalArgumentException if the value of a price is another number
     */
    public RoaringSearchAdapter(PriceIndex index, Iterable<Price> prices) {
        this(index, prices, true);
    }

    /** Indexes prices as the constructor does, in bitmaps that are not run-optimised. */
    public static RoaringSearchAdapter withoutRuns(PriceIndex index, Iterable<Price> prices) {
        return new RoaringSearchAdapter(index, prices, false);
    }

    private RoaringSearchAdapter(PriceIndex index, Iterable<Price> prices, boolean hasRuns) {
        List<Field> fields = index.fields();
        Map<String, RoaringBitmap> byOffering = new LinkedHashMap<>();
        List<Map<String, RoaringBitmap>> texts = new ArrayList<>();
        List<LongStream.Builder> numbers = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            texts.add(new LinkedHashMap<>());
            numbers.add(LongStream.builder());
        }
        int row = 0;
        for (Price price : prices) {
            if (SearchUnderTest.number(price) != row) {
                throw new IllegalArgumentException(
                        "price out of order: row=" + row + " number=" + SearchUnderTest.number(price));
            }
            add(byOffering, price.offering(), row);
            for (Field field : fields) {
                Object value = Stored.value(field, price.conditions().get(field.name()));
                if (field.type().isOrdered()) {
                    numbers.get(field.ordinal()).add(value instanceof Long number ? number : NO_VALUE);
                } else if (value instanceof String text) {
                    add(texts.get(field.ordinal()), text, row);
                }
            }
            row++;
        }
        offerings = new Values(byOffering, hasRuns);
        byField = new Values[fields.size()];
        ranks = new Ranks[fields.size()];
        for (Field field : fields) {
            int at = field.ordinal();
            if (field.type().isOrdered()) {
                ranks[at] = new Ranks(numbers.get(at).build().toArray());
            } else {
                byField[at] = new Values(texts.get(at), hasRuns);
            }
        }
        left = new RoaringCandidates(RoaringBitmap.bitmapOfRange(0, row));
    }

    private static void add(Map<String, RoaringBitmap> bitmaps, String text, int row) {
        bitmaps.computeIfAbsent(text, key -> new RoaringBitmap()).add(row);
    }

    @Override
    public long search(SearchRequest request) {
        List<SearchRequest.Term> terms = request.shape().terms();
        arrange(request, terms);
        String offering = request.offering();
        left.reset(offering == null ? null : offerings.bitmaps[offerings.codes.code(offering)]);
        for (int i = 0; i < terms.size() && !left.rows().isEmpty(); i++) {
            restrict(terms.get(order[i]), request, order[i]);
        }
        RoaringBitmap found = left.rows();
        return found.isEmpty() ? 0 : SearchUnderTest.answer(found.getCardinality(), found.first());
    }

    /** Looks the strings of a request up, and puts its terms in the order of their costs. */
    private void arrange(SearchRequest request, List<SearchRequest.Term> terms) {
        int size = terms.size();
        if (order.length < size) {
            order = new int[size];
            costs = new long[size];
            bitmaps = new RoaringBitmap[size][0];
        }
        long negative = negativeCost(request, terms);
        for (int i = 0; i < size; i++) {
            SearchRequest.Term term = terms.get(i);
            Values values = byField[term.field().ordinal()];
            long cost = values == null
                    ? RANGE_COST << Integer.SIZE
                    : find(values, term, request, i) + (isNegative(term) ? negative << Integer.SIZE : 0);
            int at = i;
            for (; at > 0 && costs[at - 1] > cost; at--) {
                costs[at] = costs[at - 1];
                order[at] = order[at - 1];
            }
            costs[at] = cost;
            order[at] = i;
        }
    }

    private static long negativeCost(SearchRequest request, List<SearchRequest.Term> terms) {
        if (request.offering() != null) {
            return NEGATIVE_COST;
        }
        for (SearchRequest.Term term : terms) {
            if (!isNegative(term) && term.operator() != SearchRequest.Operator.BETWEEN) {
                return NEGATIVE_COST;
            }
        }
        return COPY_COST;
    }

    private static boolean isNegative(SearchRequest.Term term) {
        return term.operator() == SearchRequest.Operator.NE || term.operator() == SearchRequest.Operator.NOT_IN;
    }

    /** Notes the bitmaps of a term. Returns how many there are, and in the lower half their size. */
    private long find(Values values, SearchRequest.Term term, SearchRequest request, int at) {
        if (bitmaps[at].length != term.count()) {
            bitmaps[at] = new RoaringBitmap[term.count()];
        }
        if (term.count() == 1) {
            return find(values, request.value(at), at, 0);
        }
        List<Object> texts = request.values(at);
        long cost = 0;
        for (int i = 0; i < bitmaps[at].length; i++) {
            cost += find(values, texts.get(i), at, i);
        }
        return cost;
    }

    private long find(Values values, Object text, int at, int i) {
        int code = values.codes.code((String) text);
        bitmaps[at][i] = values.bitmaps[code];
        return (1L << Integer.SIZE) + values.sizes[code];
    }

    private void restrict(SearchRequest.Term term, SearchRequest request, int at) {
        switch (term.operator()) {
            case EQ -> left.retain(bitmaps[at][0]);
            case IN -> left.retainAny(bitmaps[at]);
            case NE, NOT_IN -> {
                for (RoaringBitmap bitmap : bitmaps[at]) {
                    left.remove(bitmap);
                }
            }
            case BETWEEN -> between(term.field(), request.values(at));
        }
    }

    private void between(Field field, List<Object> bounds) {
        Ranks values = ranks[field.ordinal()];
        if (values == null) {
            throw new IllegalArgumentException("no range over strings: field=" + field.name());
        }
        int from = values.from(Stored.number(field, bounds.get(0)));
        int to = values.to(Stored.number(field, bounds.get(1)));
        if (from <= to) {
            left.retain(values.bitmap, from, to);
        } else {
            left.reset(EMPTY);
        }
    }
}
