package dev.touchstone.builds.hook;

import dev.touchstone.builds.BuildRequest;
import java.util.Optional;

/** Makes jobs, and says where they are. Thread-safe. */
public interface HookJobs {
    /**
     * Submits a job, or finds the one that was submitted with the same key.
     *
     * @param owner name of the token whose job it becomes
     * @param key what no other request of the owner has
     * @return the job's id
     * @throws dev.touchstone.builds.BuildException if the master refuses the job
     */
    String submit(String owner, String key, BuildRequest request);

    /** Returns where a job is; empty if there is none, or no longer. */
    Optional<StatusReport.State> state(String owner, String id);
}
