package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Program;
import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.loader.LoadException;
import dev.touchstone.index.server.access.AccessException;
import dev.touchstone.index.server.store.StoreDamagedException;
import dev.touchstone.index.server.store.StoreInUseException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NotDirectoryException;

/** The command line, and the exit codes of its failures. */
final class Commands {
    private Commands() {}

    static int execute(Console console, String... args) {
        return program(console).execute(args);
    }

    static Program program(Console console) {
        return Program.of(new ServeCommand(console), console, ServerExitCode.FAILED)
                .command("serve", new ServeCommand(console))
                .command(new BuildCommand(console))
                .command(new SnapshotCommand(console))
                .command(new CompactCommand(console))
                .command(new VerifyCommand(console))
                .command(new RepairCommand(console))
                .failure(StoreInUseException.class, ServerExitCode.IN_USE)
                .failure(StoreDamagedException.class, ServerExitCode.DAMAGED)
                .failure(FileAlreadyExistsException.class, ExitCode.USAGE)
                .failure(NotDirectoryException.class, ExitCode.USAGE)
                .failure(CorruptIndexException.class, ServerExitCode.DAMAGED)
                .failure(LoadException.class, ServerExitCode.DAMAGED)
                .failure(AccessException.class, ExitCode.USAGE)
                .failure(AccessDeniedException.class, ExitCode.USAGE)
                .failure(IllegalArgumentException.class, ExitCode.USAGE); // of checks of the index and the server
    }
}
