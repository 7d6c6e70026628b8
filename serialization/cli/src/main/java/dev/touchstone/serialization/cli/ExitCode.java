package dev.touchstone.serialization.cli;

/** What the process tells its caller. */
final class ExitCode {
    /** All is well, or was done. */
    static final int OK = 0;
    /** A change breaks a rule. */
    static final int INCOMPATIBLE = 1;
    /** The command line, or a file that it names, is not usable. */
    static final int USAGE = 2;
    /** No rule is broken, but schemas are others than those that were accepted. */
    static final int NOT_ACCEPTED = 3;
    /** A descriptor, a lock, a container or a record is damaged or cut off. */
    static final int DAMAGED = 4;
    /** The machine failed, or this program. */
    static final int FAILED = 5;

    private ExitCode() {}
}
