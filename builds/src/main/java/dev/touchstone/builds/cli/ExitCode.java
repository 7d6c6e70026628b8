package dev.touchstone.builds.cli;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;

/** What the process tells its caller. */
final class ExitCode {
    static final int OK = 0;
    /** The command line, the environment or a file is not usable. */
    static final int USAGE = 2;
    /** Somebody else cancelled the build. */
    static final int CANCELLED = 121;
    /** The build did not get to run, or not to its end. */
    static final int NOT_RUN = 122;
    /** The master refuses. */
    static final int REFUSED = 123;
    /** The build ran for too long, or waited for too long. */
    static final int TIMED_OUT = 124;
    /** The master is not reached; the machine failed. */
    static final int FAILED = 125;

    private ExitCode() {}

    static int of(BuildResult result) {
        return switch (result.code()) {
            case SCRIPT_FAILED -> ofScript(result.exitCode());
            case INVALID -> NOT_RUN; // the agent's word, of what it found or did not find in the sources
            default -> of(result.code());
        };
    }

    private static int ofScript(int exitCode) {
        return (exitCode & 0xff) == 0 ? 1 : exitCode & 0xff;
    }

    static int of(BuildCode code) {
        return switch (code) {
            case OK -> OK;
            case SCRIPT_FAILED -> 1;
            case CANCELLED, INTERRUPTED -> CANCELLED;
            case TIMED_OUT, QUEUE_TIMED_OUT -> TIMED_OUT;
            case BAD_REQUEST, INVALID, QUEUE_FULL, STORAGE, OUTPUT, UNKNOWN_JOB, REFUSED -> REFUSED;
            case UNREACHABLE -> FAILED;
            default -> NOT_RUN;
        };
    }
}
