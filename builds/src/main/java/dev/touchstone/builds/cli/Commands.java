package dev.touchstone.builds.cli;

import dev.touchstone.builds.BuildException;
import dev.touchstone.queue.QueueException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The commands, and what becomes of what goes wrong in them: one line, and an exit code. */
@Command(
        name = "builds",
        description = "Builds on machines with the right label.",
        mixinStandardHelpOptions = false,
        synopsisSubcommandLabel = "COMMAND")
final class Commands implements Runnable {
    @CommandLine.Option(
            names = {"-h", "-help", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean isHelpAsked;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // picocli's
    CommandSpec spec;

    static int execute(Surroundings around, String... args) {
        CommandLine line = new CommandLine(new Commands())
                .addSubcommand(new MasterCommand(around))
                .addSubcommand(new AgentCommand(around))
                .addSubcommand(new BuildCommand(around));
        PrintWriter out = new PrintWriter(new OutputStreamWriter(around.out(), StandardCharsets.UTF_8), true);
        line.setOut(out)
                .setErr(around.err())
                .setParameterExceptionHandler((e, arguments) -> usage(around, e))
                .setExecutionExceptionHandler((e, command, parsed) -> failed(around, e));
        return line.execute(args);
    }

    private static int usage(Surroundings around, ParameterException e) {
        around.err().println("Error: " + withoutValues(e));
        around.err().println("Try: builds " + name(e.getCommandLine()) + "--help");
        return ExitCode.USAGE;
    }

    /** Words that are no options may be a token that went astray. */
    private static String withoutValues(ParameterException e) {
        return e instanceof CommandLine.UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()
                ? "unexpected argument"
                : String.valueOf(e.getMessage());
    }

    private static String name(CommandLine line) {
        String name = line.getCommandName();
        return name.equals("builds") ? "" : name + " ";
    }

    private static int failed(Surroundings around, Exception e) {
        if (e instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        around.err().println("Error: " + (e.getMessage() == null ? e.toString() : e.getMessage()));
        if (e instanceof UsageException || e instanceof IllegalArgumentException) {
            return ExitCode.USAGE;
        }
        if (e instanceof BuildException known) {
            return ExitCode.of(known.code());
        }
        boolean isExpected =
                e instanceof IOException || e instanceof QueueException || e instanceof InterruptedException;
        if (!isExpected) {
            e.printStackTrace(around.err());
        }
        return ExitCode.FAILED;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given: master, agent or build");
    }
}
