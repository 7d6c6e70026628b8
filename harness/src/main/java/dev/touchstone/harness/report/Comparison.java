package dev.touchstone.harness.report;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.store.ForkResult;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The forks of one run, grouped and compared. Immutable.
 *
 * @param groups in the order of the matrix, then of parameters and threads
 */
public record Comparison(List<Group> groups) {

    /**
     * Compares the forks of one run.
     *
     * @param forks in the order in which they ended; of several for one cell and round {@link CountedForks} says which counts. Forks of workloads that the
     *     matrix doesn't know are left out
     */
    public static Comparison of(Matrix matrix, List<ForkResult> forks) {
        return new Comparison(new GroupBuilder(matrix, forks).groups());
    }

    /** Returns whether a fork failed without a later success of the same cell and round. */
    public boolean failed() {
        return groups.stream().flatMap(group -> group.rows().stream()).anyMatch(row -> row.failed() > 0);
    }

    /** The coverage of the intervals shown, 0 to 1, by the number of rounds that they are made of; a single round has no interval. */
    public SortedMap<Integer, Double> coverageByRounds() {
        SortedMap<Integer, Double> coverage = new TreeMap<>();
        groups.stream()
                .flatMap(group -> group.rows().stream())
                .map(Row::ratio)
                .filter(Objects::nonNull)
                .filter(ratio -> ratio.n() > 1)
                .forEach(ratio -> coverage.put(ratio.n(), ratio.coverage()));
        return coverage;
    }
}
