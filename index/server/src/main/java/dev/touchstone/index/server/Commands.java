package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Program;
import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.loader.LoadException;
import dev.touchstone.index.server.access.AccessException;
import java.nio.file.AccessDeniedException;

/** The command line, and the exit codes of its failures. */
final class Commands {
    private Commands() {}

    static int execute(Console console, String... args) {
        return program(console).execute(args);
    }

    static Program program(Console console) {
        return Program.of(new ServeCommand(console), console, ServerExitCode.FAILED)
                .failure(CorruptIndexException.class, ServerExitCode.DAMAGED)
                .failure(LoadException.class, ServerExitCode.DAMAGED)
                .failure(AccessException.class, ExitCode.USAGE)
                .failure(AccessDeniedException.class, ExitCode.USAGE)
                .failure(IllegalArgumentException.class, ExitCode.USAGE); // of checks of the index and the server
    }
}
