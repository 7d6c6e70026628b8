package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.Summary;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One quantity of one cell, fork by fork.
 *
 * @param byRound at least one
 */
public record Series(SortedMap<Integer, Double> byRound) {

    /** Copies. */
    public Series {
        byRound = Collections.unmodifiableSortedMap(new TreeMap<>(byRound));
    }

    /** In short. */
    public Summary summary() {
        return Summary.of(List.copyOf(byRound.values()));
    }
}
