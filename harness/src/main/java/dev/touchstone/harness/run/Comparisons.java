package dev.touchstone.harness.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * The matrix unfolded: for every workload and thread count the cells that are compared with each other, ours first, the ceiling last. A ceiling
 * measured with a thread count of its own belongs to the comparison of that count, or to the workload's first where no comparison has it; it is
 * never measured twice a round.
 */
public final class Comparisons {
    private final Selection selection;
    private final boolean quick;

    private Comparisons(Selection selection, boolean quick) {
        this.selection = selection;
        this.quick = quick;
    }

    /** The comparisons in the matrix's order; {@code quick} takes of each workload what the quick profile measures. */
    public static List<List<Cell>> of(Matrix matrix, Selection selection, boolean quick) {
        Comparisons comparisons = new Comparisons(selection, quick);
        List<List<Cell>> all = new ArrayList<>();
        for (Matrix.Workload workload : matrix.workloads()) {
            if (selection.takes(workload) && (!quick || workload.quick() != null)) {
                selection.paramsOf(workload).stream()
                        .flatMap(params -> comparisons.unfold(workload, params).stream())
                        .filter(cells -> !cells.isEmpty())
                        .forEach(all::add);
            }
        }
        return List.copyOf(all);
    }

    private List<List<Cell>> unfold(Matrix.Workload workload, SortedMap<String, String> params) {
        Matrix.Quick narrowed = quick ? workload.quick() : null;
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
}
