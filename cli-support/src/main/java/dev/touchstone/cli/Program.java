package dev.touchstone.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A command line: picocli, set up in the same way for every program.
 *
 * <p>Each command has {@code --help}, prints {@value #WIDTH} columns without colours, takes enum values in any case, and refuses whole numbers in digits
 * other than 0 to 9 and empty paths. A failure becomes
 * one line on standard error and an exit code: {@link ExitCode#USAGE} for a wrong command line, a {@link UsageException} and a file that is
 * missing, the codes that {@link #failure} maps, and {@code failedCode} for all others. A failure that no mapping expects is a defect of
 * the program, and is printed with its stack trace.
 *
 * <p>Not thread-safe: built and executed by one thread.
 */
public final class Program {
    /** Columns of a help text: as many as every terminal has. */
    public static final int WIDTH = 80;

    private static final String USAGE_HEADING = "Usage: ";

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?[0-9]+");

    private final CommandLine root;
    private final Console console;
    private final int failedCode;
    private final List<ExpectedFailure<?>> expected = new ArrayList<>();
    private String[] helpOptions = {"--help"};
    private String prefix = "";
    private boolean hidesArguments;

    /** A type of exception that the program expects, and its exit code. */
    private record ExpectedFailure<E extends Exception>(Class<E> type, ToIntFunction<? super E> exitCode) {
        boolean matches(Exception failure) {
            return type.isInstance(failure);
        }

        int code(Exception failure) {
            return exitCode.applyAsInt(type.cast(failure));
        }
    }

    private Program(CommandLine root, Console console, int failedCode) {
        this.root = root;
        this.console = console;
        this.failedCode = failedCode;
    }

    /**
     * Creates a program.
     *
     * @param command the root command, annotated with picocli's {@code @Command}; if it is neither {@link Runnable} nor a
     *     {@link java.util.concurrent.Callable}, a sub-command is required; not null
     * @param console streams for results, help and failures; not null
     * @param failedCode exit code of an {@link IOException}, and of every failure that is not mapped, 1..255
     * @return a new program without sub-commands
     */
    public static Program of(Object command, Console console, int failedCode) {
        return new Program(new CommandLine(command), console, failedCode);
    }

    /**
     * Adds a sub-command.
     *
     * @param command an object annotated with picocli's {@code @Command}; not null
     * @return this program
     */
    public Program command(Object command) {
        root.addSubcommand(command);
        return this;
    }

    /**
     * Adds a sub-command under a name of its own, such as one that the root command does as well.
     *
     * @param name name in place of that of the annotation; not null
     * @param command an object annotated with picocli's {@code @Command}; not null
     * @return this program
     */
    public Program command(String name, Object command) {
        root.addSubcommand(new CommandLine(command).setCommandName(name));
        return this;
    }

    /**
     * Adds a converter for the values of options.
     *
     * @param type type that the options have; not null
     * @param parser makes a value of the text, and throws {@link IllegalArgumentException} with a message for the user; not null
     * @param <T> type that the options have
     * @return this program
     */
    public <T> Program converter(Class<T> type, Function<String, T> parser) {
        root.registerConverter(type, text -> {
            try {
                return parser.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(FailureMessages.describe(e));
            }
        });
        return this;
    }

    /**
     * Maps a failure to an exit code. The first mapping whose type fits decides, in the order of the calls.
     *
     * @param type type of the exception; not null
     * @param exitCode exit code, 1..255
     * @param <E> type of the exception
     * @return this program
     */
    public <E extends Exception> Program failure(Class<E> type, int exitCode) {
        return failure(type, failure -> exitCode);
    }

    /**
     * Maps a failure to an exit code that depends on the exception. The first mapping whose type fits decides, in the order of the calls.
     *
     * @param type type of the exception; not null
     * @param exitCode returns the exit code, 1..255; not null
     * @param <E> type of the exception
     * @return this program
     */
    public <E extends Exception> Program failure(Class<E> type, ToIntFunction<? super E> exitCode) {
        expected.add(new ExpectedFailure<>(type, exitCode));
        return this;
    }

    /**
     * Names the option that shows help in place of {@code --help}.
     *
     * @param names one or more names with their dashes, the preferred one last; not null
     * @return this program
     */
    public Program helpOptions(String... names) {
        helpOptions = names.clone();
        return this;
    }

    /**
     * Puts a word before each failure, for programs whose output is mixed with that of others.
     *
     * @param text printed directly before the message; not null
     * @return this program
     */
    public Program prefix(String text) {
        prefix = text;
        return this;
    }

    /**
     * Keeps arguments that match nothing out of all messages, for programs where one may be a secret in the wrong place.
     *
     * @return this program
     */
    public Program hideArguments() {
        hidesArguments = true;
        return this;
    }

    /**
     * Returns the command line as {@link #execute} uses it, for help texts and tests.
     *
     * @return picocli's root command with the shared set-up; not a copy
     */
    public CommandLine commandLine() {
        if (root.getCommandSpec().findOption(helpOption()) == null) {
            root.getCommandSpec()
                    .addOption(OptionSpec.builder(helpOptions)
                            .usageHelp(true)
                            .scopeType(ScopeType.INHERIT)
                            .description("Show this help.")
                            .build());
        }
        root.setOut(console.out());
        root.setErr(console.err());
        root.setUsageHelpWidth(WIDTH);
        root.setCaseInsensitiveEnumValuesAllowed(true);
        addStrictConverters();
        root.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        root.setParameterExceptionHandler((failure, args) -> misused(failure));
        root.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure));
        setUpUsage(root.getCommandSpec());
        return root;
    }

    /** Adds converters that refuse what those of picocli take: numbers in digits of other scripts, and the empty path, which is often a variable that is not set. */
    private void addStrictConverters() {
        ITypeConverter<Integer> ints = wholeNumber("an int", Integer::valueOf);
        ITypeConverter<Long> longs = wholeNumber("a long", Long::valueOf);
        root.registerConverter(int.class, ints)
                .registerConverter(Integer.class, ints)
                .registerConverter(long.class, longs)
                .registerConverter(Long.class, longs)
                .registerConverter(Path.class, text -> {
                    if (text.isEmpty()) {
                        throw new TypeConversionException("expected a path, got ''");
                    }
                    return Path.of(text);
                });
    }

    private static <N> ITypeConverter<N> wholeNumber(String type, Function<String, N> parser) {
        return text -> {
            try {
                if (WHOLE_NUMBER.matcher(text).matches()) {
                    return parser.apply(text);
                }
            } catch (NumberFormatException e) {
                // too large, which is no number of the type either
            }
            throw new TypeConversionException("'" + text + "' is not " + type);
        };
    }

    /**
     * Runs the command that the arguments name. Where there are sub-commands, {@code help} and the name of one show its help.
     *
     * @param args command-line arguments; not null
     * @return the exit code that the command returned, or that of its failure
     */
    public int execute(String... args) {
        int exitCode = commandLine().execute(withoutHelpCommand(args));
        console.flush();
        return exitCode;
    }

    /** Turns {@code help run} into {@code run --help}: picocli's own help command has a help option that cannot be renamed. */
    private String[] withoutHelpCommand(String[] args) {
        boolean isHelp = args.length > 0
                && args[0].equals("help")
                && !root.getSubcommands().isEmpty();
        if (!isHelp) {
            return args;
        }
        return args.length == 1 ? new String[] {helpOption()} : new String[] {args[1], helpOption()};
    }

    private String helpOption() {
        return helpOptions[helpOptions.length - 1];
    }

    /** Gives each list its heading, keeps options in the order of their declaration, and keeps them out of the synopsis. */
    private static void setUpUsage(CommandSpec spec) {
        UsageMessageSpec usage = spec.usageMessage();
        usage.sortOptions(false)
                .abbreviateSynopsis(true)
                .synopsisSubcommandLabel("COMMAND")
                .descriptionHeading("%n")
                .parameterListHeading("%nParameters:%n")
                .optionListHeading("%nOptions:%n")
                .commandListHeading("%nCommands:%n");
        if (!usage.exitCodeList().isEmpty()) {
            usage.exitCodeListHeading("%nExit codes:%n");
        }
        if (usage.footer().length > 0) {
            usage.footerHeading("%n");
        }
        for (CommandLine sub : spec.subcommands().values()) {
            setUpUsage(sub.getCommandSpec());
        }
    }

    private int misused(ParameterException failure) {
        PrintWriter err = console.err();
        CommandLine command = failure.getCommandLine();
        err.println(prefix + message(failure));
        err.print(USAGE_HEADING + command.getHelp().synopsis(USAGE_HEADING.length()));
        if (!command.getSubcommands().isEmpty()) {
            err.println(
                    "Commands: " + String.join(", ", command.getSubcommands().keySet()));
        }
        err.println(
                "Try '" + command.getCommandSpec().qualifiedName() + " " + helpOption() + "' for more information.");
        return ExitCode.USAGE;
    }

    private String message(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return FailureMessages.describe(failure);
        }
        CommandSpec spec = failure.getCommandLine().getCommandSpec();
        String word = unmatched.getUnmatched().get(0);
        if (unmatched.isUnknownOption()) {
            String name = word.replaceFirst("=.*", "");
            // Not picocli's suggestions: they compare beginnings, and offer --prices for --prot.
            return "unknown option: '" + (hidesArguments ? name : word) + "'"
                    + suggestion(name, spec.optionsMap().keySet());
        }
        String what = spec.subcommands().isEmpty() ? "unexpected argument" : "unknown command";
        return what
                + (hidesArguments ? "" : ": '" + word + "'")
                + suggestion(word, spec.subcommands().keySet());
    }

    private static String suggestion(String word, Set<String> candidates) {
        return Suggestions.nearest(word, candidates)
                .map(near -> "; did you mean '" + near + "'?")
                .orElse("");
    }

    private int failed(Exception failure) {
        Exception cause = failure instanceof UncheckedIOException unchecked
                ? Objects.requireNonNull(unchecked.getCause(), "cause")
                : failure;
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        for (ExpectedFailure<?> each : expected) {
            if (each.matches(cause)) {
                return tell(cause, each.code(cause));
            }
        }
        if (cause instanceof UsageException || cause instanceof NoSuchFileException) {
            return tell(cause, ExitCode.USAGE);
        }
        if (cause instanceof IOException) {
            return tell(cause, failedCode);
        }
        console.err().print(prefix + "this is a defect of the program: ");
        cause.printStackTrace(console.err());
        return failedCode;
    }

    private int tell(Exception failure, int exitCode) {
        console.err().println(prefix + FailureMessages.describe(failure));
        return exitCode;
    }
}
