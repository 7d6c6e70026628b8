package dev.touchstone.harness.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Suggestions;
import dev.touchstone.harness.run.JmhCatalog;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** Command lines that are none of ours, handed to JMH as they are, except those that JMH could make nothing of. */
final class PlainJmh {
    private final Console console;

    PlainJmh(Console console) {
        this.console = console;
    }

    /** Runs JMH; where a run fails, JMH ends the process itself. */
    int run(String[] args) throws IOException {
        Optional<String> complaint = complaint(args);
        if (complaint.isPresent()) {
            console.err().println(complaint.get());
            console.err().println(Commands.shortUsage());
            return ExitCode.USAGE;
        }
        org.openjdk.jmh.Main.main(args);
        if (List.of(args).contains("-h")) {
            console.err()
                    .println("Sub-commands beside JMH's own options: " + String.join(", ", Commands.names())
                            + "; --help tells more.");
        }
        return ExitCode.OK;
    }

    /** Why JMH should not see these arguments. */
    private static Optional<String> complaint(String[] args) {
        if (args.length > 0 && !args[0].startsWith("-")) {
            Optional<String> unknown = unknown(args[0]);
            if (unknown.isPresent()) {
                return unknown;
            }
        }
        try {
            new CommandLineOptions(Arrays.copyOf(args, args.length));
            return Optional.empty();
        } catch (CommandLineOptionException e) {
            return Optional.of("JMH does not know these options: " + e.getMessage());
        }
    }

    /** Why this word is no regular expression that finds a benchmark; empty where it is. */
    private static Optional<String> unknown(String word) {
        try {
            if (JmhCatalog.matches(word)) {
                return Optional.empty();
            }
            String meant = Suggestions.nearest(word.toLowerCase(Locale.ROOT), Commands.names())
                    .map(name -> "; did you mean " + name + "?")
                    .orElse("");
            return Optional.of("unknown sub-command or benchmark '" + word + "'" + meant);
        } catch (PatternSyntaxException e) {
            return Optional.of("neither a sub-command nor a regular expression: '" + word + "': " + e.getDescription());
        }
    }
}
