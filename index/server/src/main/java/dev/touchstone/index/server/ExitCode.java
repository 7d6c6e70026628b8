package dev.touchstone.index.server;

/** What the process tells its caller. */
final class ExitCode {
    /** Help was shown, or the service was stopped from within. */
    static final int OK = 0;
    /** The command line, or a file that it names, is not usable. */
    static final int USAGE = 2;
    /** A file of prices or an index file is damaged. */
    static final int DAMAGED = 4;
    /** The machine failed: no such address, the port is taken. */
    static final int FAILED = 5;

    private ExitCode() {}
}
