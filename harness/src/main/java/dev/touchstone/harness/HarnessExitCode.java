package dev.touchstone.harness;

/** The exit codes of {@code touchstone} beside the {@linkplain dev.touchstone.cli.ExitCode shared ones}. */
public final class HarnessExitCode {
    /** A verdict is slower: of a build than its baseline, or of our subject than a peer. */
    public static final int SLOWER = 1;

    /** Some cell is not decided, and none is slower. */
    public static final int NO_VERDICT = 3;

    /** A benchmark, a check or the machine failed. */
    public static final int FAILED = 4;

    private HarnessExitCode() {}
}
