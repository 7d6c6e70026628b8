package dev.touchstone.queue.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.Program;
import dev.touchstone.queue.inspect.FolderInUseException;
import java.util.function.Predicate;

/** The sub-commands, and the exit codes of their failures. */
final class Commands {
    private Commands() {}

    /**
     * Runs the command that the arguments name.
     *
     * @param confirm asks the user a question
     */
    static int execute(Console console, Predicate<String> confirm, String... args) {
        return program(console, confirm).execute(args);
    }

    static Program program(Console console, Predicate<String> confirm) {
        return Program.of(new RootCommand(), console, QueueExitCode.FAILED)
                .command(new VerifyCommand(console))
                .command(new RepairCommand(console, confirm))
                .command(new DumpCommand(console))
                .command(new StatsCommand(console))
                .failure(FolderInUseException.class, QueueExitCode.IN_USE);
    }
}
