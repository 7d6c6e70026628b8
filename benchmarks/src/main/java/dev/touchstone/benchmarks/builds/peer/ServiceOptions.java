package dev.touchstone.benchmarks.builds.peer;

import java.nio.file.Path;

/**
 * The set-up of a service for a benchmark.
 *
 * @param folder for all that it writes
 * @param repository what is built
 * @param executors of its one agent
 * @param mode where output goes
 * @param masterMegabytes heap of a master in a process of its own
 */
public record ServiceOptions(
        Path folder,
        TestRepository repository,
        BuildTopology topology,
        int executors,
        BuildMode mode,
        int masterMegabytes) {
    private static final int MASTER_MEGABYTES = 256;

    /** Creates options of a master with a heap of 256 MB. */
    public ServiceOptions(
            Path folder, TestRepository repository, BuildTopology topology, int executors, BuildMode mode) {
        this(folder, repository, topology, executors, mode, MASTER_MEGABYTES);
    }

    /** Returns these options with another heap of the master. */
    public ServiceOptions withMasterMegabytes(int megabytes) {
        return new ServiceOptions(folder, repository, topology, executors, mode, megabytes);
    }
}
