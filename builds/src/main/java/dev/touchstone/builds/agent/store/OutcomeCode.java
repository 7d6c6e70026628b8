package dev.touchstone.builds.agent.store;

/** The ways in which an attempt ends, with the original's numbers where it has one. */
public enum OutcomeCode {
    SUCCEEDED(0),
    /** The script ended with another code than 0. */
    SCRIPT_FAILED(1),
    BAD_ARGUMENTS(2),
    /** Something in the assignment is not allowed, or names what is not there. */
    REFUSED(3),
    /** The folders of the job or the workspace cannot be made. */
    WORKSPACE_FAILED(4),
    /** Cancelled before an executor had it. */
    INTERRUPTED(5),
    SOURCE_FOLDER_FAILED(6),
    /** The mirror, the worktree or the git command failed. */
    VCS_FAILED(7),
    /** The repository does not answer, or lacks the branch or commit. */
    PULL_FAILED(8),
    CANCELLED(9),
    TIMED_OUT(10),
    /** The script's process could not be started. */
    START_FAILED(11),
    /** The device is full. */
    NO_SPACE(12),
    /** The log could not be written. */
    LOG_FAILED(13),
    /** The agent was closed, or died, before the end. */
    AGENT_CLOSED(14),
    /** The agent has that job already. */
    DUPLICATE(15),
    /** A defect of the agent's, or a lack of memory. */
    AGENT_FAILED(16),
    /** The agent has no such runner. */
    NO_RUNNER(254),
    DISPATCH_FAILED(255);

    private final int number;

    OutcomeCode(int number) {
        this.number = number;
    }

    /**
     * Returns the number that stands for the code outside the JVM, and never changes.
     *
     * @return 0 to 255
     */
    public int number() {
        return number;
    }

    static OutcomeCode of(int number) {
        for (OutcomeCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        throw new IllegalArgumentException("no outcome has code=" + number);
    }
}
