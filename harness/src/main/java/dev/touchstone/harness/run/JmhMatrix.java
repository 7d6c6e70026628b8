package dev.touchstone.harness.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.BenchmarkListEntry;

/**
 * The matrix of a project that brings none: each benchmark in JMH's list with each choice of its parameters is a workload, with the threads and
 * the JVM flags of its annotations. Values of a parameter {@code subject} are subjects, the first of them ours; other benchmarks have the subject
 * {@link #OURS} alone. Not thread-safe.
 */
final class JmhMatrix {
    /** Subject of a benchmark without a parameter that names subjects. */
    static final String OURS = "OURS";

    private static final int MAX_ID_CHARS = 150;

    private final SortedMap<String, List<String>> flagSets = new TreeMap<>();
    private final SortedMap<String, Matrix.Subject> subjects = new TreeMap<>();
    private final List<Matrix.Workload> workloads = new ArrayList<>();
    private final Set<String> ids = new HashSet<>();

    private JmhMatrix() {}

    /**
     * Returns the matrix of these benchmarks; of those with several modes, once.
     *
     * @throws MatrixException if a benchmark has a parameter whose name the harness uses
     */
    static Matrix of(Collection<BenchmarkListEntry> entries) throws MatrixException {
        JmhMatrix matrix = new JmhMatrix();
        SortedMap<String, BenchmarkListEntry> byName = new TreeMap<>();
        entries.forEach(entry -> byName.put(entry.getUsername(), entry));
        Map<String, Long> sameName =
                byName.keySet().stream().collect(Collectors.groupingBy(JmhMatrix::simpleName, Collectors.counting()));
        for (BenchmarkListEntry entry : byName.values()) {
            String name = simpleName(entry.getUsername());
            // With its package, so that a class of the same name does not take the place of one in recorded runs.
            matrix.add(entry, sameName.getOrDefault(name, 1L) == 1 ? name : entry.getUsername());
        }
        return new Matrix(
                Matrix.SCHEMA, List.of(), matrix.flagSets, matrix.subjects, matrix.workloads, List.of(), null);
    }

    /** Returns class and method. */
    private static String simpleName(String benchmark) {
        return benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
    }

    private void add(BenchmarkListEntry entry, String name) throws MatrixException {
        SortedMap<String, List<String>> params = new TreeMap<>();
        entry.getParams().orElse(Map.of()).forEach((param, values) -> params.put(param, List.of(values)));
        if (params.containsKey(Cell.RATE)) {
            throw new MatrixException("benchmark " + entry.getUsername() + " has a parameter '" + Cell.RATE
                    + "', which is the harness's name for calls a second; rename the parameter");
        }
        List<String> values = params.remove(Cell.SUBJECT);
        List<String> names = values == null ? List.of(OURS) : values;
        names.forEach(
                subject -> subjects.put(subject, new Matrix.Subject(subject, "as annotated", null, "as annotated")));
        List<String> peers = names.subList(1, names.size());
        List<Integer> threads = threads(entry);
        String flags = flagSet(new ArrayList<>(entry.getJvmArgs().orElse(List.of())));
        String type = simpleName(entry.getUsername());
        for (SortedMap<String, String> choice : choices(params)) {
            workloads.add(new Matrix.Workload(
                    id(name, params, choice),
                    word(type.substring(0, type.indexOf('.'))),
                    choice.isEmpty() ? name : name + " " + choice,
                    entry.getUsername(),
                    choice,
                    threads,
                    names.get(0),
                    peers,
                    null,
                    new Matrix.Excerpt(threads, peers),
                    null,
                    new TreeMap<>(),
                    null,
                    flags));
        }
    }

    /** Returns the name of the set of these flags; null if there are none. */
    private @Nullable String flagSet(List<String> flags) {
        if (flags.isEmpty()) {
            return null;
        }
        for (Map.Entry<String, List<String>> set : flagSets.entrySet()) {
            if (set.getValue().equals(flags)) {
                return set.getKey();
            }
        }
        String name = "flags-" + (flagSets.size() + 1);
        flagSets.put(name, List.copyOf(flags));
        return name;
    }

    /** Returns the annotated number of threads; empty for a group, which has its own. */
    private static List<Integer> threads(BenchmarkListEntry entry) {
        if (entry.getThreadGroupLabels().hasValue()) {
            return List.of();
        }
        int annotated = entry.getThreads().orElse(1);
        return List.of(annotated > 0 ? annotated : Runtime.getRuntime().availableProcessors());
    }

    private static List<SortedMap<String, String>> choices(SortedMap<String, List<String>> params) {
        List<SortedMap<String, String>> all = List.of(new TreeMap<>());
        for (Map.Entry<String, List<String>> param : params.entrySet()) {
            List<SortedMap<String, String>> longer = new ArrayList<>();
            for (SortedMap<String, String> choice : all) {
                for (String value : param.getValue()) {
                    SortedMap<String, String> one = new TreeMap<>(choice);
                    one.put(param.getKey(), value);
                    longer.add(one);
                }
            }
            all = longer;
        }
        return all;
    }

    /** Returns an id that tells the choices apart: {@code JoinBenchmark.join.100}. */
    private String id(String name, SortedMap<String, List<String>> params, SortedMap<String, String> choice) {
        StringBuilder text = new StringBuilder(name);
        choice.forEach((param, value) -> {
            if (params.getOrDefault(param, List.of()).size() > 1) {
                text.append('.').append(value);
            }
        });
        String id = word(text.toString());
        String free = id;
        for (int i = 2; !ids.add(free); i++) {
            free = id + "-" + i;
        }
        return free;
    }

    /** Returns a text as an id may have it. */
    private static String word(String text) {
        String word = text.replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("\\.{2,}", ".");
        String id = word.matches("[A-Za-z0-9].*") ? word : "x" + word;
        return id.length() <= MAX_ID_CHARS ? id : id.substring(0, MAX_ID_CHARS);
    }
}
