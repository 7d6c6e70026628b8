package dev.touchstone.builds.connect;

import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.ConnectOptions;
import dev.touchstone.builds.client.RemoteBuildClient;

/** A factory of clients. Thread-safe. */
public final class BuildClientFactory {
    private BuildClientFactory() {}

    /**
     * Connects to a master.
     *
     * @param options where it is, and by which token; not null
     * @return a client that the caller closes
     * @throws BuildException if the master is not reached in time, or refuses
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public static BuildClient connect(ConnectOptions options) throws InterruptedException {
        return RemoteBuildClient.connect(options);
    }
}
