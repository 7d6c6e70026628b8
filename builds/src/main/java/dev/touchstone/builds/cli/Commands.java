package dev.touchstone.builds.cli;

import dev.touchstone.builds.BuildException;
import dev.touchstone.builds.agent.isolation.IsolationException;
import dev.touchstone.builds.agent.limit.LimitsMissingException;
import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Program;
import dev.touchstone.queue.QueueException;
import dev.touchstone.queue.inspect.FolderInUseException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;

/** Puts the commands together, and maps their failures to exit codes. */
final class Commands {
    private Commands() {}

    /** Returns the exit code for a missing file: one without a reason is the folder's own, since the files that a command names are checked before. */
    private static int missing(NoSuchFileException failure) {
        return failure.getReason() == null ? BuildsExitCode.FAILED : ExitCode.USAGE;
    }

    static int execute(ProcessContext around, String... args) {
        return program(around).execute(args);
    }

    /** Returns the program. Arguments stay out of its messages, since one may be a token in the wrong place. */
    static Program program(ProcessContext around) {
        PrintWriter out = new PrintWriter(new OutputStreamWriter(around.out(), StandardCharsets.UTF_8));
        return Program.of(new JobCommands(around), Console.of(out, around.err()), BuildsExitCode.FAILED)
                .command(new MasterCommand(around))
                .command(new AgentCommand(around))
                .command(new BuildCommand(around))
                .command(new DoctorCommand(around))
                .command(new VerifyCommand(around))
                .command(new RepairCommand(around))
                .command(new TokensCommand(around))
                .helpOptions("-h", "-help", "--help")
                .prefix("Error: ")
                .hideArguments()
                .failure(BuildException.class, known -> BuildsExitCode.of(known.code()))
                .failure(IllegalArgumentException.class, ExitCode.USAGE)
                .failure(IsolationException.class, ExitCode.USAGE)
                .failure(LimitsMissingException.class, ExitCode.USAGE)
                .failure(QueueException.class, BuildsExitCode.FAILED)
                .failure(FolderInUseException.class, BuildsExitCode.IN_USE)
                .failure(NoSuchFileException.class, Commands::missing)
                .failure(InterruptedException.class, BuildsExitCode.FAILED);
    }
}
