package dev.touchstone.serialization.cli;

import dev.touchstone.serialization.CompactException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The sub-commands, their parsing, and how their failures become one line and an exit code. */
final class Commands {
    private static final int WIDTH = 100;

    private Commands() {}

    static int execute(Console console, String... args) {
        CommandLine root = new CommandLine(new RootCommand())
                .addSubcommand(new InspectCommand(console))
                .addSubcommand(new DiffCommand(console))
                .addSubcommand(new DumpCommand(console))
                .addSubcommand(new CheckCommand(console))
                .addSubcommand(new AcceptCommand(console));
        root.setOut(console.out());
        root.setErr(console.err());
        root.setUsageHelpWidth(WIDTH);
        root.setCaseInsensitiveEnumValuesAllowed(true);
        root.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        root.setParameterExceptionHandler((failure, line) -> misused(failure));
        root.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
        root.getSubcommands()
                .values()
                .forEach(each -> each.getCommandSpec().exitCodeOnExecutionException(ExitCode.FAILED));
        if (args.length == 0) {
            root.usage(console.err());
            return ExitCode.USAGE;
        }
        return root.execute(args);
    }

    private static int misused(CommandLine.ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println(failure.getMessage());
        command.getErr().println("See compact --help.");
        return ExitCode.USAGE;
    }

    private static int failed(Exception failure, CommandLine command) throws Exception {
        int exitCode = exitCode(failure);
        if (exitCode == ExitCode.FAILED && !(failure instanceof IOException)) {
            throw failure;
        }
        command.getErr().println(oneLine(failure));
        return exitCode;
    }

    private static int exitCode(Exception failure) {
        if (failure instanceof UsageException || failure instanceof NoSuchFileException) {
            return ExitCode.USAGE;
        }
        boolean isDamage = failure instanceof DamagedFileException || failure instanceof CompactException;
        return isDamage ? ExitCode.DAMAGED : ExitCode.FAILED;
    }

    private static String oneLine(Exception failure) {
        if (failure instanceof NoSuchFileException missing) {
            return missing.getFile() + ": no such file";
        }
        if (failure instanceof AccessDeniedException denied) {
            return denied.getFile() + ": permission denied";
        }
        String message = String.valueOf(failure.getMessage());
        return failure instanceof IOException ? failure.getClass().getSimpleName() + ": " + message : message;
    }
}
