package dev.touchstone.builds.origin;

import dev.touchstone.builds.BuildCode;

/** Converts between the codes of replies, of which the original has eleven, and ours. */
final class ReplyCode {
    static final int OK = 0;
    static final int SCRIPT_FAILED = 1;
    static final int BAD_ARGUMENTS = 2;
    static final int INVALID = 3;
    static final int WORKSPACE = 4;
    static final int INTERRUPTED = 5;
    static final int NO_METHOD = 254;
    static final int DISPATCH_FAILED = 255;

    private static final int MAX_SLAVES = 8; // codes up to here, and 254, are the slave's own

    private ReplyCode() {}

    /** Returns the code for a client of the original's. */
    static int of(BuildCode code) {
        return switch (code) {
            case TIMED_OUT, START_FAILED -> SCRIPT_FAILED;
            case OUTPUT -> INVALID;
            case NO_SPACE, LOG_FAILED -> WORKSPACE;
            case CANCELLED -> INTERRUPTED;
            default -> code.number() <= MAX_SLAVES || code == BuildCode.NO_RUNNER ? code.number() : DISPATCH_FAILED;
        };
    }

    /** Returns what a code of the original's means. */
    static BuildCode toBuildCode(int code) {
        boolean isKnown = code <= MAX_SLAVES || code == NO_METHOD || code == DISPATCH_FAILED;
        return isKnown ? BuildCode.of(code).orElse(BuildCode.DISPATCH_FAILED) : BuildCode.DISPATCH_FAILED;
    }
}
