package dev.touchstone.queue.cli;

import dev.touchstone.cli.Console;

/** Entry point of {@code touchstone-queue}. */
public final class Main {
    private Main() {}

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param args command-line arguments
     */
    public static void main(String[] args) {
        System.exit(Commands.execute(Console.ofProcess(), Main::confirm, args));
    }

    /** Asks on the console; returns false where there is none. */
    @SuppressWarnings("SystemConsoleNull") // JDK 17 answers null without a console; later ones give null lines
    private static boolean confirm(String question) {
        java.io.Console console = System.console();
        return console != null && "yes".equals(console.readLine("%s [yes/no] ", question));
    }
}
