package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.JmhCatalog;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/** Command lines that are none of ours, handed to JMH as they are, except those that JMH could make nothing of. */
final class PlainJmh {
    private static final String BARE_WORD = "[a-z][a-z-]*";

    private final Console console;

    PlainJmh(Console console) {
        this.console = console;
    }

    /** Runs JMH; where a run fails, JMH ends the process itself. */
    int run(String[] args) throws IOException {
        Optional<String> complaint = complaint(args);
        if (complaint.isPresent()) {
            console.err().println(complaint.get());
            console.err().println(Commands.hint());
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
        if (args.length > 0 && args[0].matches(BARE_WORD) && !JmhCatalog.matches(args[0])) {
            String meant = Similar.to(args[0], Commands.names())
                    .map(name -> "; did you mean " + name + "?")
                    .orElse("");
            return Optional.of("unknown sub-command or benchmark '" + args[0] + "'" + meant);
        }
        try {
            new CommandLineOptions(Arrays.copyOf(args, args.length));
            return Optional.empty();
        } catch (CommandLineOptionException e) {
            return Optional.of("JMH does not know these options: " + e.getMessage());
        }
    }
}
