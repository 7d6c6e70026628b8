package dev.touchstone.benchmarks.builds.peer;

import dev.touchstone.builds.BuildRequest;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Kinds of noops that are handed over at once, by what they differ in. */
public enum NoopRequests {
    /** Noops that differ in nothing: one object, which is sent and kept once. */
    SAME,
    /** Noops that differ in their branches. */
    BRANCHES,
    /** Noops that differ in their environments, of five variables with 20 characters each. */
    ENVIRONMENTS;

    private static final int VARIABLES = 5;

    /**
     * Returns requests of one repository.
     *
     * @param durable whether a request is on the device before it is accepted, and its result before it is told
     */
    List<BuildRequest> make(String url, boolean durable, int count) {
        if (this == SAME) {
            BuildRequest one = request(url, 0, durable);
            return IntStream.range(0, count).mapToObj(i -> one).toList();
        }
        return IntStream.range(0, count).mapToObj(i -> request(url, i, durable)).toList();
    }

    private BuildRequest request(String url, int number, boolean durable) {
        BuildRequest.Builder builder = BuildRequest.of(
                        url, this == BRANCHES ? "feature-" + number : "b0", TestRepository.SCRIPT)
                .noop(true)
                .durable(durable);
        if (this == ENVIRONMENTS) {
            builder.environment(IntStream.range(0, VARIABLES)
                    .boxed()
                    .collect(Collectors.toMap(
                            variable -> "VARIABLE_" + variable,
                            variable -> String.format(Locale.ROOT, "%020d", number * VARIABLES + variable))));
        }
        return builder.build();
    }
}
