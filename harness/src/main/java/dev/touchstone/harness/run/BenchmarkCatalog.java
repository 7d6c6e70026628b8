package dev.touchstone.harness.run;

import java.util.Optional;

/** The benchmarks that can be run. */
@FunctionalInterface
public interface BenchmarkCatalog {
    /**
     * Returns the times that a benchmark's annotations ask for.
     *
     * @param benchmark fully qualified name, {@code package.Class.method}
     * @return the times; empty if there is no such benchmark
     */
    Optional<Timing> find(String benchmark);
}
