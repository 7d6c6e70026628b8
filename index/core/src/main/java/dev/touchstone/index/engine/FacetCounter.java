package dev.touchstone.index.engine;

import dev.touchstone.index.Facet;
import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.table.Dictionary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A factory of {@link Facet}s, which counts codes and numbers of rows, and makes no price. */
public final class FacetCounter {
    private FacetCounter() {}

    /**
     * Counts the prices that match a query by the values of some fields. The query must be for this index.
     *
     * @throws InvalidValueException if there are too many distinct values
     * @throws CancellationException if {@code isStopped} returned true
     */
    public static List<Facet> count(
            Snapshot snapshot, BoundQuery query, List<Field> asked, int top, BooleanSupplier isStopped) {
        List<Map<Long, Long>> counts = Stream.<Map<Long, Long>>generate(HashMap::new)
                .limit(asked.size())
                .toList();
        long[] missing = new long[asked.size()];
        int[] distinct = new int[1];
        if (query.bind(snapshot.codes())) {
            snapshot.forEach(query, isStopped, (number, block, row) -> {
                for (int i = 0; i < asked.size(); i++) {
                    Map<Long, Long> of = counts.get(i);
                    int before = of.size();
                    missing[i] += addTo(of, snapshot, block, row, asked.get(i)) ? 0 : 1;
                    distinct[0] += of.size() - before;
                    requireFew(distinct[0], asked.get(i));
                }
            });
        }
        List<Facet> facets = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            if (isStopped.getAsBoolean()) {
                throw new CancellationException("stopped: facet=" + asked.get(i).name());
            }
            facets.add(facet(snapshot, asked.get(i), counts.get(i), top, missing[i]));
        }
        return facets;
    }

    private static void requireFew(int distinct, Field field) {
        if (distinct > Facet.MAX_VALUES) {
            throw new InvalidValueException("too many distinct values to count: field=" + field.name()
                    + " expected=at most " + Facet.MAX_VALUES + " of all facets; ask with more conditions");
        }
    }

    /** Adds the values of a field of a row to counts of prices: by code for strings, by number for all others. Returns whether there is a value. */
    private static boolean addTo(Map<Long, Long> counts, Snapshot snapshot, Segment block, int row, Field field) {
        int code = block.code(row, field.ordinal());
        if (code == 0) {
            return false;
        }
        if (field.type().isOrdered()) {
            counts.merge(block.distinct[field.ordinal()][code - 1], 1L, Long::sum);
            return true;
        }
        Dictionary strings = snapshot.dictionaries()[field.ordinal()];
        if (!strings.isSet(code)) {
            counts.merge((long) code, 1L, Long::sum);
            return true;
        }
        for (int member : strings.members(code)) {
            counts.merge((long) member, 1L, Long::sum);
        }
        return true;
    }

    /** Returns the facet of a field with the most frequent of some counted values. */
    private static Facet facet(Snapshot snapshot, Field field, Map<Long, Long> counts, int top, long missing) {
        boolean isOrdered = field.type().isOrdered();
        Comparator<Map.Entry<Long, Long>> byValue = isOrdered
                ? Map.Entry.comparingByKey()
                : Comparator.comparing(
                        entry -> snapshot.string(field, entry.getKey().intValue()));
        Comparator<Map.Entry<Long, Long>> order =
                Map.Entry.<Long, Long>comparingByValue().reversed().thenComparing(byValue);
        PriorityQueue<Map.Entry<Long, Long>> best = new PriorityQueue<>(order.reversed());
        for (Map.Entry<Long, Long> entry : counts.entrySet()) {
            best.add(entry);
            if (best.size() > top) {
                best.poll();
            }
        }
        List<Facet.Value> values = new ArrayList<>();
        best.stream().sorted(order).forEach(entry -> {
            long key = entry.getKey();
            values.add(new Facet.Value(
                    isOrdered ? field.value(key) : snapshot.string(field, (int) key), entry.getValue()));
        });
        return new Facet(snapshot.version(), field, values, counts.size(), missing);
    }
}
