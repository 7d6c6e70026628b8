package dev.touchstone.benchmarks.builds.peer;

import java.nio.file.Path;

/**
 * How a service is set up for a benchmark.
 *
 * @param folder for all that it writes
 * @param repository what is built
 * @param executors of its one agent
 * @param mode where output goes
 */
public record ServiceOptions(
        Path folder, TestRepository repository, Topology topology, int executors, BuildMode mode) {}
