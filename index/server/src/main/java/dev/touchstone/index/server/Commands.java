package dev.touchstone.index.server;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.loader.LoadException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Parses the command line; failures become one line and an exit code. */
final class Commands {
    private static final int WIDTH = 100;

    private Commands() {}

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        CommandLine line = new CommandLine(new ServeCommand(out, err));
        line.setOut(out);
        line.setErr(err);
        line.setUsageHelpWidth(WIDTH);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        line.setParameterExceptionHandler((failure, parsed) -> {
            err.println(failure.getMessage());
            err.println("See --help.");
            return ExitCode.USAGE;
        });
        line.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, err));
        return line.execute(args);
    }

    private static int failed(Exception failure, PrintWriter err) throws Exception {
        Exception cause = failure instanceof UncheckedIOException unchecked ? unchecked.getCause() : failure;
        if (cause instanceof NoSuchFileException missing) {
            err.println(missing.getFile() + ": no such file");
            return ExitCode.USAGE;
        }
        if (cause instanceof AccessDeniedException denied) {
            err.println(denied.getFile() + ": permission denied");
            return ExitCode.USAGE;
        }
        if (cause instanceof CorruptIndexException || cause instanceof LoadException) {
            err.println(cause.getMessage());
            return ExitCode.DAMAGED;
        }
        if (cause instanceof IllegalArgumentException) {
            err.println(cause.getMessage());
            return ExitCode.USAGE;
        }
        if (cause instanceof IOException) {
            err.println(cause.getMessage());
            return ExitCode.FAILED;
        }
        throw failure;
    }
}
