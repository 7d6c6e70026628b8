package dev.touchstone.builds;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client of a master, to which it hands builds; {@code BuildClientFactory} makes it. Thread-safe. Survives the master's restart and lost connections: what was submitted is submitted again where the
 * master did not answer, and accepted once.
 */
public interface BuildClient extends AutoCloseable {
    /**
     * Submits a job and returns at once; waits only while much is on its way to the master.
     *
     * @param request what to build; not null
     * @return the job, whose futures tell how it goes on
     */
    Build submit(BuildRequest request);

    /**
     * Returns a job that was submitted before, by whomever.
     *
     * @param jobId id of the job; not null
     * @return the job, whose futures fail if there is none that the token may see
     */
    Build job(String jobId);

    /**
     * Submits the request of a job again. The new job belongs to this client's token and says what it repeats.
     *
     * @param jobId id of the job, ended or not; not null
     * @return id of the new job, once the master has accepted it; fails with a {@link BuildException} if there is no such job that the token may see, it
     *     has secrets and is another's, or the master refuses the new one
     */
    CompletableFuture<String> retry(String jobId);

    /**
     * Returns the newest jobs that are no noops and that the token may see, the newest first.
     *
     * @param most maximum number of jobs, 1 to 10,000; there may be fewer if their texts are long
     * @return the jobs; fails with a {@link BuildException} if the master cannot be asked
     * @throws IllegalArgumentException if the number is outside its range
     */
    CompletableFuture<List<BuildSummary>> jobs(int most);

    /**
     * Returns the agents that are connected, sorted by identity.
     *
     * @return the agents; fails with a {@link BuildException} if the master cannot be asked
     */
    CompletableFuture<List<AgentStatus>> agents();

    /**
     * Returns the artefacts of a job that has ended.
     *
     * @param jobId id of the job; not null
     * @return the artefacts, sorted by name within each folder; fails with a {@link BuildException} if there are none, or none any more, that the token may see
     */
    CompletableFuture<List<Artefact>> artefacts(String jobId);

    /**
     * Downloads the artefacts of a job that has ended, each to its name below a folder. A file gets its name when its content is whole and has the digest
     * that the list says. Writes nothing outside of the folder, follows no link in it, and replaces nothing.
     *
     * @param jobId id of the job; not null
     * @param folder path of the folder, which is made if it is not there; not null
     * @return the artefacts; fails as {@link #artefacts} does, and with an {@link java.io.IOException} if a file cannot be written, or is there already
     */
    CompletableFuture<List<Artefact>> downloadArtefacts(String jobId, Path folder);

    /** Disconnects. Jobs go on; what waits for the master here fails. */
    @Override
    void close();
}
