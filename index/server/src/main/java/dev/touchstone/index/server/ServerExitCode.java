package dev.touchstone.index.server;

/** The exit codes of {@code index-server}, in addition to the {@linkplain dev.touchstone.cli.ExitCode shared ones}. */
final class ServerExitCode {
    /** Another process has the store open. */
    static final int IN_USE = 3;

    /** A file of prices, an index file or a store is damaged. */
    static final int DAMAGED = 4;

    /** The machine failed, or the address cannot be used. */
    static final int FAILED = 5;

    private ServerExitCode() {}
}
