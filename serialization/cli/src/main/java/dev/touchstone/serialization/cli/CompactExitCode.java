package dev.touchstone.serialization.cli;

/** The exit codes of {@code compact} beside the {@linkplain dev.touchstone.cli.ExitCode shared ones}. */
final class CompactExitCode {
    /** A change breaks a rule. */
    static final int INCOMPATIBLE = 1;

    /** No rule is broken, but schemas differ from the accepted ones. */
    static final int NOT_ACCEPTED = 3;

    /** A descriptor, a lock, a container or a record is damaged or truncated. */
    static final int DAMAGED = 4;

    /** The machine, or this program, failed. */
    static final int FAILED = 5;

    private CompactExitCode() {}
}
