package dev.touchstone.harness.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The matrix unfolded: for every workload and thread count the cells that are compared with each other, ours first, the ceiling last. A ceiling
 * measured with a thread count of its own belongs to the comparison of that count, or to the workload's first where no comparison has it; it is
 * never measured twice a round.
 */
public final class Comparisons {
    private final Selection selection;
    private final Extent extent;

    private Comparisons(Selection selection, Extent extent) {
        this.selection = selection;
        this.extent = extent;
    }

    /**
     * Unfolds the matrix; the quick profile stands for the headline of a matrix that has none.
     *
     * @param matrix all workloads
     * @param selection the workloads, subjects, threads, parameters and rates that are chosen
     * @param extent share of each workload
     * @return the cells of each comparison, in the matrix's order; empty if nothing is chosen
     */
    public static List<List<Cell>> of(Matrix matrix, Selection selection, Extent extent) {
        boolean hasHeadline = matrix.workloads().stream().anyMatch(workload -> workload.headline() != null);
        Comparisons comparisons =
                new Comparisons(selection, extent == Extent.HEADLINE && !hasHeadline ? Extent.QUICK : extent);
        List<List<Cell>> all = new ArrayList<>();
        for (Matrix.Workload workload : matrix.workloads()) {
            if (selection.takes(workload)
                    && (comparisons.extent == Extent.ALL || comparisons.excerpt(workload) != null)) {
                selection.paramsOf(workload).stream()
                        .flatMap(params -> comparisons.unfold(workload, params).stream())
                        .filter(cells -> !cells.isEmpty())
                        .forEach(all::add);
            }
        }
        return List.copyOf(all);
    }

    private List<List<Cell>> unfold(Matrix.Workload workload, SortedMap<String, String> params) {
        Matrix.Excerpt narrowed = excerpt(workload);
        List<Integer> sweep = sweep(narrowed == null ? workload.threads() : narrowed.threads());
        List<String> peers = narrowed == null ? workload.peers() : narrowed.peers();
        Map<Integer, Set<Cell>> byThreads = new LinkedHashMap<>();
        for (int threads : sweep) {
            Set<Cell> cells = byThreads.computeIfAbsent(threads, count -> new LinkedHashSet<>());
            add(cells, workload, params, threads, workload.ours());
            peers.forEach(peer -> add(cells, workload, params, threads, peer));
        }
        Matrix.Ceiling ceiling = workload.ceiling();
        if (ceiling != null) {
            for (int threads : sweep) {
                int own = ceiling.threads() == 0 ? threads : ceiling.threads();
                Set<Cell> cells = byThreads.get(byThreads.containsKey(own) ? own : sweep.get(0));
                if (cells != null) {
                    add(cells, workload, params, own, ceiling.subject());
                }
            }
        }
        return byThreads.values().stream().map(List::copyOf).toList();
    }

    /** Returns what is measured of the workload; null for all, and for nothing if not all is asked for. */
    private Matrix.@Nullable Excerpt excerpt(Matrix.Workload workload) {
        return switch (extent) {
            case ALL -> null;
            case HEADLINE -> workload.headline();
            case QUICK -> workload.quick();
        };
    }

    private void add(
            Set<Cell> cells, Matrix.Workload workload, SortedMap<String, String> params, int threads, String subject) {
        if (selection.takes(subject)) {
            cells.add(new Cell(workload.id(), workload.benchmark(), params, threads, subject));
        }
    }

    private List<Integer> sweep(List<Integer> declared) {
        if (declared.isEmpty()) {
            return List.of(0); // the benchmark's groups fix the count
        }
        return selection.threads().isEmpty() ? declared : selection.threads();
    }

    /** Shares of the matrix that are measured. */
    public enum Extent {
        /** Stands for each workload with all its threads and peers. */
        ALL,
        /** Stands for what {@link Matrix.Workload#headline} says. */
        HEADLINE,
        /** Stands for what {@link Matrix.Workload#quick} says. */
        QUICK
    }
}
