package dev.touchstone.harness.cli;

import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Program;
import dev.touchstone.harness.HarnessExitCode;
import dev.touchstone.harness.SubCommand;
import dev.touchstone.harness.env.DataFolderException;
import dev.touchstone.harness.file.ResultFormatException;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.run.Phase;
import dev.touchstone.harness.run.plan.BuildJarException;
import dev.touchstone.harness.store.BuildInfo;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The sub-commands, and the exit codes of their failures. */
final class Commands {
    static final String NAME = "touchstone";

    private static final List<String> OWN =
            List.of("quick", "full", "run", "compare", "nightly", "list", "report", "doctor", "verify");

    private Commands() {}

    /** Returns whether these arguments are for our commands rather than for JMH. */
    static boolean handles(String[] args) {
        return args.length > 0
                && (names().contains(args[0])
                        || List.of("--help", "help", "--version").contains(args[0]));
    }

    /** Returns the sub-commands in the order of the help: the harness's, then those on the class path. */
    static List<String> names() {
        List<String> others = SubCommand.load(Commands.class.getClassLoader()).stream()
                .map(command -> new CommandLine(command).getCommandName())
                .toList();
        return Stream.concat(OWN.stream(), others.stream()).toList();
    }

    /** Returns the lines that say how to start the program. */
    static String shortUsage() {
        return "Usage: touchstone COMMAND [OPTIONS] [-- JMH options]\n       touchstone [JMH options]\nCommands: "
                + String.join(", ", names()) + ".\nTry 'touchstone --help'; 'touchstone -h' shows JMH's options.";
    }

    static int execute(Invocation invocation) {
        return program(invocation).execute(invocation.args().toArray(new String[0]));
    }

    static Program program(Invocation invocation) {
        Program program = Program.of(new RootCommand(), invocation.console(), HarnessExitCode.FAILED)
                .command(new QuickCommand(invocation))
                .command(new FullCommand(invocation))
                .command(new RunCommand(invocation))
                .command(new CompareCommand(invocation))
                .command(new NightlyCommand(invocation))
                .command(new ListCommand(invocation))
                .command(new ReportCommand(invocation))
                .command(new DoctorCommand(invocation))
                .command(new VerifyCommand(invocation));
        for (SubCommand other : SubCommand.load(invocation.loader())) {
            other.writeTo(invocation.console());
            program.command(other);
        }
        BuildInfo build = BuildInfo.load(invocation.loader());
        program.converter(Duration.class, Durations::parse)
                .converter(Phase.class, Phase::parse)
                .failure(MatrixException.class, ExitCode.USAGE)
                .failure(ResultFormatException.class, ExitCode.USAGE)
                .failure(BuildJarException.class, ExitCode.USAGE)
                .failure(DataFolderException.class, Commands::exitCode)
                .commandLine()
                .getCommandSpec()
                .version(NAME + " " + build.version() + " (" + build.commit() + (build.dirty() ? ", dirty" : "") + ")");
        return program;
    }

    /** A folder that the user chose wrongly is a mistake of usage; a disk that refuses is a failure of the machine. */
    static int exitCode(DataFolderException unusable) {
        return switch (unusable.reason()) {
            case MISSING, NOT_A_FOLDER, READ_ONLY -> ExitCode.USAGE;
            case FULL, FAILING -> HarnessExitCode.FAILED;
        };
    }
}
