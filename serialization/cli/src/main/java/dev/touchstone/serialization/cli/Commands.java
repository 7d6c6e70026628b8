package dev.touchstone.serialization.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.Program;
import dev.touchstone.serialization.exception.CompactException;
import java.io.InputStream;

/** The sub-commands, and the exit codes of their failures. */
final class Commands {
    private Commands() {}

    /**
     * Runs the command that the arguments name.
     *
     * @param in bytes that {@code dump -} and {@code encode -} read
     */
    static int execute(InputStream in, Console console, String... args) {
        return program(in, console).execute(args);
    }

    static Program program(InputStream in, Console console) {
        return Program.of(new RootCommand(), console, CompactExitCode.FAILED)
                .command(new InspectCommand(console))
                .command(new DiffCommand(console))
                .command(new DumpCommand(in, console))
                .command(new EncodeCommand(in, console))
                .command(new CheckCommand(console))
                .command(new AcceptCommand(console))
                .command(new CodeCommand(console))
                .failure(DamagedFileException.class, CompactExitCode.DAMAGED)
                .failure(CompactException.class, CompactExitCode.DAMAGED);
    }
}
