package dev.touchstone.builds.web;

import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.access.Caller;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A master as the web server sees it. Methods throw {@link IllegalStateException} if the master does not answer in time. Thread-safe.
 */
public interface BuildsView {
    /**
     * Returns the jobs that a caller may see and that are no noops, the newest first.
     *
     * @param before id of a job, whose older ones are wanted; empty for the newest
     */
    List<JobSummary> jobs(Caller caller, String before, int most);

    /** Returns a job, or empty where there is none that the caller may see, or no longer. */
    Optional<JobSummary> job(Caller caller, String id);

    /**
     * Submits a job, which belongs to the caller's name.
     *
     * @param key text that no other request of the caller's name has; null for none. If the master has a job with the same key, that job is returned
     * @return the job, once it is on the device
     * @throws BuildException if the master refuses it
     */
    JobSummary submit(Caller caller, BuildRequest request, @Nullable String key);

    /** Returns whether a job has this request; also true if the request of the job is not kept any more. */
    boolean isRequestOf(String id, BuildRequest request);

    /**
     * Submits the request of a job again.
     *
     * @return the new job, once it is on the device
     * @throws BuildException if there is no such job, the caller may not repeat it, or the master refuses the new one
     */
    JobSummary retry(Caller caller, String id);

    /** Returns figures of all jobs, agents and clients. */
    MasterFigures figures();

    /** Returns why the master does not serve, be it that it ends or that its journal fails; empty if it serves. */
    Optional<String> problem();

    /** Returns the agents that are, or were lately, connected. */
    List<AgentSummary> agents();

    /**
     * Reads a part of the log of a job that the caller was found to be allowed to see.
     *
     * @return how many bytes; 0 at the end of what there is, also where there is no log
     */
    int readLog(String id, long offset, ByteBuffer into) throws IOException;

    /** Returns when the bytes of a log from an offset on have come; of a job that the caller was found to be allowed to see. */
    LogTimes logTimes(String id, long offset) throws IOException;

    /** Waits until a job is not as it was seen any more, or there is none, but not longer than a time. */
    void awaitChange(JobSummary seen, Duration most) throws InterruptedException;

    /** Asks for the end of a job; false if it is over, or there is none that the caller may cancel. */
    boolean cancel(Caller caller, String id);
}
