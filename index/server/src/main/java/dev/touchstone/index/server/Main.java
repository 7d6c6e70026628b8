package dev.touchstone.index.server;

import dev.touchstone.cli.Console;

/** Entry point of {@code index-server}. */
public final class Main {
    private Main() {}

    /**
     * Serves until the process is terminated, or ends the process with an exit code if it cannot serve.
     *
     * @param args command-line arguments
     */
    public static void main(String[] args) {
        System.exit(Commands.execute(Console.ofProcess(), args));
    }
}
