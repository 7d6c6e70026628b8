package dev.touchstone.queue.replicated.cli;

import dev.touchstone.cli.Console;

/** Entry point of {@code queue-replicated}. */
public final class Main {
    private Main() {}

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param args command-line arguments
     */
    public static void main(String[] args) {
        System.exit(MemberCommands.execute(Console.ofProcess(), args));
    }
}
