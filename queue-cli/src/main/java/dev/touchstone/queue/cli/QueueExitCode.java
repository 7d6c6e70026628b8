package dev.touchstone.queue.cli;

/** The exit codes of {@code touchstone-queue} beside the {@linkplain dev.touchstone.cli.ExitCode shared ones}. */
final class QueueExitCode {
    /** A repair was not confirmed, and nothing was changed. */
    static final int NOT_CONFIRMED = 1;

    /** The queue is open. */
    static final int IN_USE = 3;

    /** The folder is damaged. */
    static final int DAMAGED = 4;

    /** The machine, or this program, failed. */
    static final int FAILED = 5;

    private QueueExitCode() {}
}
