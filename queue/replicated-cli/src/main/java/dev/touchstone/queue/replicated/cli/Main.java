package dev.touchstone.queue.replicated.cli;

import dev.touchstone.cli.Console;

/** Entry point of {@code queue-replicated}. */
public final class Main {
    /** Level from which sofa-common-tools tells on standard error how it has set up its own log; read when its first class is loaded. */
    private static final String TOOLS_LEVEL = "sofa.middleware.log.internal.level";

    private Main() {}

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param args command-line arguments
     */
    public static void main(String[] args) {
        if (System.getProperty(TOOLS_LEVEL) == null) {
            System.setProperty(TOOLS_LEVEL, "ERROR"); // it warns that this program has no log for it, which is meant
        }
        System.exit(MemberCommands.execute(Console.ofProcess(), args));
    }
}
