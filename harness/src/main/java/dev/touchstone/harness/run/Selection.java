package dev.touchstone.harness.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The choice of what is measured of the matrix; an empty component chooses all.
 *
 * @param parts ids of parts
 * @param workloads expressions, each looked for in the workload's id and in its benchmark
 * @param subjects names of subjects
 * @param threads thread counts in place of the matrix's
 * @param params benchmark parameters in place of, or beside, the matrix's
 * @param rates calls a second, each a cell of its own, in place of JMH's own modes; empty for these
 */
public record Selection(
        Set<String> parts,
        List<Pattern> workloads,
        Set<String> subjects,
        List<Integer> threads,
        SortedMap<String, String> params,
        List<Integer> rates) {
    /** The whole matrix. */
    public static final Selection ALL =
            new Selection(Set.of(), List.of(), Set.of(), List.of(), new TreeMap<>(), List.of());

    /**
     * Returns whether a workload is chosen by its part, its id or its benchmark.
     *
     * @param workload a workload of the matrix
     * @return false if its part, or it itself, is not among those chosen
     */
    public boolean takes(Matrix.Workload workload) {
        return (parts.isEmpty() || parts.contains(workload.part()))
                && (workloads.isEmpty() || workloads.stream().anyMatch(expression -> matches(expression, workload)));
    }

    /** The matrix's parameters of a workload as they were chosen, once for each rate. */
    List<SortedMap<String, String>> paramsOf(Matrix.Workload workload) {
        SortedMap<String, String> all = new TreeMap<>(workload.params());
        all.putAll(params);
        if (rates.isEmpty()) {
            return List.of(all);
        }
        List<SortedMap<String, String>> paced = new ArrayList<>();
        for (int rate : rates) {
            SortedMap<String, String> one = new TreeMap<>(all);
            one.put(Cell.RATE, Integer.toString(rate));
            paced.add(one);
        }
        return paced;
    }

    boolean takes(String subject) {
        return subjects.isEmpty() || subjects.contains(subject);
    }

    /**
     * Returns whether an expression is found in a workload's id or in its benchmark.
     *
     * @param expression is searched for anywhere in either
     * @param workload a workload of the matrix
     * @return true if either has it
     */
    public static boolean matches(Pattern expression, Matrix.Workload workload) {
        return expression.matcher(workload.id()).find()
                || expression.matcher(workload.benchmark()).find();
    }
}
