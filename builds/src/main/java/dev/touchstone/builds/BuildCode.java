package dev.touchstone.builds;

import java.util.Optional;

/**
 * The ways in which a build, or a request for one, ends. Numbers up to 8, 254 and 255 mean what they did in Cider; those up to 16 are an agent's, those from 20 on the
 * master's or the client's.
 */
public enum BuildCode {
    /** The script ended with exit code 0. */
    OK(0),
    /** The script ended with another exit code, which the result has. */
    SCRIPT_FAILED(1),
    /** The request cannot be read. */
    BAD_REQUEST(2),
    /** A value of the request is not allowed. */
    INVALID(3),
    /** The workspace could not be made or locked. */
    WORKSPACE(4),
    /** The job was interrupted while it waited for an executor. */
    INTERRUPTED(5),
    /** The folder of the sources could not be made. */
    SOURCE_FOLDER(6),
    /** The repository's URL is none that can be fetched. */
    SOURCE_URL(7),
    /** The sources could not be fetched. */
    FETCH_FAILED(8),
    /** Somebody cancelled it. */
    CANCELLED(9),
    /** It ran for longer than its request allows. */
    TIMED_OUT(10),
    /** The script's process could not be started. */
    START_FAILED(11),
    /** The agent's device is full. */
    NO_SPACE(12),
    /** The agent could not write the log. */
    LOG_FAILED(13),
    /** The agent was stopped. */
    AGENT_CLOSED(14),
    /** The agent has the job already. */
    DUPLICATE(15),
    /** The agent could not run it, for another reason. */
    AGENT_FAILED(16),
    /** No executor was free, or no agent there, for longer than its request allows. */
    QUEUE_TIMED_OUT(20),
    /** Its agent was lost, as often as is tried. */
    AGENT_LOST(21),
    /** The master's queue is full. */
    QUEUE_FULL(22),
    /** The master could not store the request, or not find it again. */
    STORAGE(23),
    /** The master has not the output that is asked for. */
    OUTPUT(24),
    /** There is no such job, or no more. */
    UNKNOWN_JOB(25),
    /** The master refuses whoever asks: another version, a name that is taken. */
    REFUSED(26),
    /** The master cannot be reached. */
    UNREACHABLE(27),
    /** The agent has not the runner. */
    NO_RUNNER(254),
    /** Dispatching failed. */
    DISPATCH_FAILED(255);

    private static final BuildCode[] BY_NUMBER = new BuildCode[256];

    static {
        for (BuildCode code : values()) {
            BY_NUMBER[code.number] = code;
        }
    }

    private final int number;

    BuildCode(int number) {
        this.number = number;
    }

    /**
     * Returns the number that stands for the code in messages and files, and never changes.
     *
     * @return 0 to 255
     */
    public int number() {
        return number;
    }

    /**
     * Returns the code with a number.
     *
     * @param number any
     * @return the code; empty if none has the number
     */
    public static Optional<BuildCode> of(int number) {
        return number < 0 || number >= BY_NUMBER.length ? Optional.empty() : Optional.ofNullable(BY_NUMBER[number]);
    }
}
