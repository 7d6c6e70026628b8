package dev.touchstone.index.server;

/** The exit codes of {@code index-server}, in addition to the {@linkplain dev.touchstone.cli.ExitCode shared ones}. */
final class ServerExitCode {
    /** A file of prices or an index file is damaged. */
    static final int DAMAGED = 4;

    /** The machine failed, or the address cannot be used. */
    static final int FAILED = 5;

    private ServerExitCode() {}
}
