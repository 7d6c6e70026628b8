package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.Summary;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A quantity of one cell, fork by fork.
 *
 * @param byRound the values by round; not empty
 */
public record Series(SortedMap<Integer, Double> byRound) {

    /** Copies. */
    public Series {
        byRound = Collections.unmodifiableSortedMap(new TreeMap<>(byRound));
    }

    /** Returns the summary of all rounds' values. */
    public Summary summary() {
        return Summary.of(List.copyOf(byRound.values()));
    }
}
