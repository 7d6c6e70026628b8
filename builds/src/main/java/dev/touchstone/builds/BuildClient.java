package dev.touchstone.builds;

import dev.touchstone.builds.client.RemoteBuildClient;

/**
 * Hands builds to a master. Thread-safe. Survives the master's restart and lost connections: what was submitted is submitted again where the
 * master did not answer, and accepted once.
 */
public interface BuildClient extends AutoCloseable {
    /**
     * Connects to a master.
     *
     * @throws BuildException if it is not reached in time, or refuses
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    static BuildClient connect(ConnectOptions options) throws InterruptedException {
        return RemoteBuildClient.connect(options);
    }

    /** Submits a job and returns at once; waits only while much is on its way to the master. */
    Build submit(BuildRequest request);

    /** A job that was submitted before, by whomever. */
    Build job(String jobId);

    /** Disconnects. Jobs go on; what waits for the master here fails. */
    @Override
    void close();
}
