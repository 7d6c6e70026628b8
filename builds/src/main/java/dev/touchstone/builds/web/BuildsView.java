package dev.touchstone.builds.web;

import dev.touchstone.builds.access.Caller;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the page shows of a master, and the one thing that it can do to it. Thread-safe. */
public interface BuildsView {
    /** Returns the jobs that a caller may see and that are no noops, the newest first. */
    List<JobSummary> jobs(Caller caller, int most);

    /** Returns a job, or empty where there is none that the caller may see, or no longer. */
    Optional<JobSummary> job(Caller caller, String id);

    /** Agents that are, or were lately, connected. */
    List<AgentSummary> agents();

    /**
     * Reads a part of the log of a job that the caller was found to be allowed to see.
     *
     * @return how many bytes; 0 at the end of what there is, also where there is no log
     */
    int readLog(String id, long offset, ByteBuffer into) throws IOException;

    /** Waits until a log is longer than {@code offset} or its job is over, but not longer than a time. */
    void awaitLog(String id, long offset, Duration most) throws InterruptedException;

    /** Asks for the end of a job; false if it is over, or there is none that the caller may cancel. */
    boolean cancel(Caller caller, String id);
}
