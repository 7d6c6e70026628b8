package dev.touchstone.index;

import java.util.List;

/**
 * The numbers of those prices among the matches of a query that have each value of a field. Immutable.
 *
 * @param version number of the version that was searched, from 1
 * @param field field
 * @param values the values that most prices have, the most frequent first; equally frequent ones in ascending order, strings in that of
 *     {@link String#compareTo}. A price with several values counts for each of them
 * @param distinct number of all distinct values of the matches
 * @param missing number of matches without a value of the field
 */
public record Facet(long version, Field field, List<Value> values, int distinct, long missing) {
    /** Maximum number of distinct values of the matches of a query, those of all facets together. */
    public static final int MAX_VALUES = 100_000;

    /** Creates a facet with a copy of the list. */
    public Facet {
        values = List.copyOf(values);
    }

    /**
     * A value, and the number of matches that have it.
     *
     * @param value value of the class that the type of the field names
     * @param prices number of matches that have the value, at least 1
     */
    public record Value(Object value, long prices) {}
}
