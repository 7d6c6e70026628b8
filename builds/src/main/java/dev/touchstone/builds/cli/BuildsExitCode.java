package dev.touchstone.builds.cli;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.cli.ExitCode;

/** The exit codes of {@code builds} beside the {@linkplain dev.touchstone.cli.ExitCode shared ones}. */
final class BuildsExitCode {
    /** A master uses the folder. */
    static final int IN_USE = 3;
    /** The folder is damaged. */
    static final int DAMAGED = 4;
    /** The machine is not fit for an agent. */
    static final int UNFIT = 5;
    /** Somebody else cancelled the build. */
    static final int CANCELLED = 121;
    /** The build did not start, or did not run to its end. */
    static final int NOT_RUN = 122;
    /** The master refused the request. */
    static final int REFUSED = 123;
    /** The build ran or waited longer than its limit. */
    static final int TIMED_OUT = 124;
    /** The master cannot be reached, or the machine failed. */
    static final int FAILED = 125;

    private BuildsExitCode() {}

    /** Returns the exit code of a build that ended: 0, the script's own, or one of these. */
    static int of(BuildResult result) {
        return switch (result.code()) {
            case SCRIPT_FAILED -> ofScript(result.exitCode());
            case INVALID -> NOT_RUN; // the agent says so if the sources lack the script
            default -> of(result.code());
        };
    }

    private static int ofScript(int exitCode) {
        return (exitCode & 0xff) == 0 ? 1 : exitCode & 0xff;
    }

    /** Returns the exit code of a build that the script did not decide. */
    static int of(BuildCode code) {
        return switch (code) {
            case OK -> ExitCode.OK;
            case SCRIPT_FAILED -> 1;
            case CANCELLED, INTERRUPTED -> CANCELLED;
            case TIMED_OUT, QUEUE_TIMED_OUT -> TIMED_OUT;
            case BAD_REQUEST, INVALID, QUEUE_FULL, STORAGE, OUTPUT, UNKNOWN_JOB, REFUSED -> REFUSED;
            case UNREACHABLE -> FAILED;
            default -> NOT_RUN;
        };
    }
}
