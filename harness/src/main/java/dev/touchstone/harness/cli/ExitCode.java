package dev.touchstone.harness.cli;

/** What the process tells its caller. */
public final class ExitCode {
    /** All was done. */
    public static final int OK = 0;
    /** A verdict is slower: of a build than its baseline, of ours than a peer. */
    public static final int SLOWER = 1;

    /** The command line, an option's value or a file given is not usable. */
    public static final int USAGE = 2;
    /** Too little was measured for any verdict. */
    public static final int NO_VERDICT = 3;
    /** A benchmark, a check or the machine below it failed. */
    public static final int FAILED = 4;

    private ExitCode() {}
}
