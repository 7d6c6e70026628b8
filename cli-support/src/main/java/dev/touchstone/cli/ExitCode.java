package dev.touchstone.cli;

/** The exit codes that mean the same in every program; each program documents its further codes itself. */
public final class ExitCode {
    /** The program did what it was asked for. */
    public static final int OK = 0;

    /** The command line, or a value or a file that it names, cannot be used. */
    public static final int USAGE = 2;

    private ExitCode() {}
}
