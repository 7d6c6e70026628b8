package dev.touchstone.benchmarks.mutants;

import java.util.List;
import java.util.stream.Stream;

/** All mutants, part by part. */
final class Mutants {
    private static final List<Mutant> ALL = Stream.of(
                    QueueMutants.all(),
                    MessagingMutants.all(),
                    SerializationMutants.all(),
                    IndexMutants.all(),
                    BuildMutants.all())
            .flatMap(List::stream)
            .toList();

    private Mutants() {}

    static List<Mutant> all() {
        return ALL;
    }
}
