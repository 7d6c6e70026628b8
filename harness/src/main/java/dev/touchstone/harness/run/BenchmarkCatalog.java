package dev.touchstone.harness.run;

import java.util.Optional;

/** The benchmarks that can be run. */
@FunctionalInterface
public interface BenchmarkCatalog {
    /** What the benchmark's annotations say of its time; empty where there is no such benchmark. */
    Optional<Timing> find(String benchmark);
}
