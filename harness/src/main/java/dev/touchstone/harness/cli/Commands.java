package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.store.BuildInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The sub-commands, their parsing, and how their failures become one line and an exit code. */
final class Commands {
    static final String NAME = "touchstone";

    private static final List<String> OWN =
            List.of("quick", "full", "run", "compare", "nightly", "list", "report", "doctor", "verify");

    private Commands() {}

    /** Whether these arguments are ours rather than JMH's. */
    static boolean handles(String[] args) {
        return args.length > 0
                && (names().contains(args[0])
                        || List.of("--help", "help", "--version").contains(args[0]));
    }

    /** The sub-commands in the order of the help: the harness's, then those of the class path. */
    static List<String> names() {
        List<String> others = SubCommand.load(Commands.class.getClassLoader()).stream()
                .map(command -> new CommandLine(command).getCommandName())
                .toList();
        return Stream.concat(OWN.stream(), others.stream()).toList();
    }

    /** How to start the program, in three lines. */
    static String shortUsage() {
        return "Usage: touchstone <sub-command> [options] [-- JMH options]\n       touchstone [JMH options]\nSub-commands: "
                + String.join(", ", names()) + ". See --help; for JMH's own options see -h.";
    }

    static int execute(Invocation invocation) {
        CommandLine commands = commandLine(invocation);
        List<String> args = invocation.args();
        return commands.execute(args.toArray(new String[0]));
    }

    static CommandLine commandLine(Invocation invocation) {
        BuildInfo build = BuildInfo.load(invocation.loader());
        CommandLine root = new CommandLine(new RootCommand())
                .addSubcommand(new QuickCommand(invocation))
                .addSubcommand(new FullCommand(invocation))
                .addSubcommand(new RunCommand(invocation))
                .addSubcommand(new CompareCommand(invocation))
                .addSubcommand(new NightlyCommand(invocation))
                .addSubcommand(new ListCommand(invocation))
                .addSubcommand(new ReportCommand(invocation))
                .addSubcommand(new DoctorCommand(invocation))
                .addSubcommand(new VerifyCommand(invocation));
        for (SubCommand other : SubCommand.load(invocation.loader())) {
            other.writeTo(invocation.console());
            root.addSubcommand(other);
        }
        root.addSubcommand(new CommandLine.HelpCommand());
        root.getCommandSpec()
                .version(NAME + " " + build.version() + " (" + build.commit() + (build.dirty() ? ", dirty" : "") + ")");
        root.setOut(invocation.console().out());
        root.setErr(invocation.console().err());
        root.setUsageHelpWidth(100);
        root.setCaseInsensitiveEnumValuesAllowed(true);
        everyCommand(root).forEach(spec -> spec.exitCodeOnExecutionException(ExitCode.FAILED));
        root.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        root.registerConverter(Duration.class, text -> convert(text, Durations::parse));
        root.registerConverter(Phase.class, text -> convert(text, Phase::parse));
        root.setParameterExceptionHandler((failure, args) -> misused(failure));
        root.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
        return root;
    }

    private static Stream<CommandLine.Model.CommandSpec> everyCommand(CommandLine root) {
        return Stream.concat(Stream.of(root), root.getSubcommands().values().stream())
                .map(CommandLine::getCommandSpec);
    }

    private static <T> T convert(String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    private static int misused(CommandLine.ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println(failure.getMessage());
        command.usage(command.getErr());
        return ExitCode.USAGE;
    }

    private static int failed(Exception failure, CommandLine command) throws Exception {
        if (!(failure instanceof IOException
                || failure instanceof UsageException
                || failure instanceof MatrixException)) {
            throw failure;
        }
        command.getErr().println(Failures.oneLine(failure));
        return Failures.exitCode(failure);
    }
}
