package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.store.Outcome;

/**
 * Is told what becomes of an assignment: in order, on the executor's thread where there is one, and must not block for long. That a log has grown is
 * told by another thread, meanwhile, and not after the end.
 *
 * <p>A job is {@code waiting} on the thread that starts it, before {@link BuildAgent#start} returns. One that is cancelled while it waits is
 * finished by the thread that cancels it, and one that does nothing by the thread that starts it.
 */
public interface BuildListener {
    /** No executor has the job yet. */
    String WAITING = "waiting";

    /** The sources are being brought. */
    String FETCHING = "fetching";

    /** The script runs. */
    String RUNNING = "running";

    /** Notes that a stage has begun. */
    void started(Assignment assignment, String stage);

    /**
     * Notes that more of the log can be read. Its last growth is not told: the outcome says how long the log is.
     *
     * @param bytes readable from the log's beginning
     */
    void logGrew(Assignment assignment, long bytes);

    /** Takes the outcome; nothing follows. The log and the artefacts can be read until {@link BuildAgent#forget}. */
    void finished(Assignment assignment, Outcome outcome);
}
