package dev.touchstone.benchmarks.mutants;

import dev.touchstone.benchmarks.SubjectsOf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All mutants, part by part. */
final class Mutants {
    private static final List<Mutant> ALL = Stream.of(
                    QueueMutants.all(),
                    QueueMutants.ofEachPeer(),
                    MessagingMutants.all(),
                    MessagingMutants.ofEachPeer(),
                    SerializationMutants.all(),
                    SerializationMutants.ofEachPeer(),
                    IndexMutants.all(),
                    IndexMutants.ofEachPeer(),
                    BuildMutants.all())
            .flatMap(List::stream)
            .toList();

    private Mutants() {}

    static List<Mutant> all() {
        return ALL;
    }

    /** Answers each call of a method as the first call with the same arguments was answered. */
    static @Nullable Object remembered(Call call, String method) throws Throwable {
        if (!call.name().equals(method)) {
            return call.proceed();
        }
        String key = method + Arrays.toString(call.args());
        Object known = call.memory().get(key);
        if (known == null) {
            known = Objects.requireNonNull(call.proceed());
            call.memory().put(key, known);
        }
        return known;
    }

    /**
     * Returns mutants of each peer of a benchmark's workloads, at the first of these that has the peer; their checks are to take a moment only.
     *
     * @param twists the ways to break a peer, by the end of the mutant's name
     */
    static List<Mutant> ofEachPeer(Class<?> benchmark, Class<?> role, Map<String, Mutant.Twist> twists) {
        Map<String, String> cells = new LinkedHashMap<>();
        SubjectsOf.Workloads.of(benchmark)
                .forEach(workload ->
                        workload.peers().forEach(peer -> cells.putIfAbsent(peer, workload.id() + "/" + peer)));
        List<Mutant> mutants = new ArrayList<>();
        cells.forEach((peer, cell) -> new TreeMap<>(twists)
                .forEach((end, twist) -> mutants.add(
                        new Mutant(peer.toLowerCase(Locale.ROOT).replace('_', '-') + end, cell, role, true, twist))));
        return mutants;
    }
}
