package dev.touchstone.builds.cli;

import dev.touchstone.builds.agent.isolation.IsolationMode;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import dev.touchstone.cli.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options that say how an agent keeps scripts apart from itself and from each other. */
final class IsolationFlags {
    @Option(
            names = "--isolation",
            paramLabel = "auto|sandbox|none",
            description =
                    "sandbox: scripts run in namespaces, made by bubblewrap, and see neither the token, nor other builds, nor the "
                            + "home folder. none: scripts can do whatever the agent's user can. auto: the sandbox if this machine "
                            + "can have it, else none with a warning. Default: ${DEFAULT-VALUE}.")
    String mode = "auto";

    @Option(
            names = "--isolation-network",
            paramLabel = "host|none",
            description = "Network of sandboxed scripts: this machine's, or none at all. Default: ${DEFAULT-VALUE}.")
    String network = "host";

    @Option(
            names = "--isolation-read",
            split = ",",
            paramLabel = "PATH",
            description =
                    "Further files and folders that sandboxed scripts can read, beside the system's programs and /etc.")
    List<Path> readable = new ArrayList<>();

    @Option(
            names = "--isolation-write",
            split = ",",
            paramLabel = "PATH",
            description = "Further folders that sandboxed scripts can read and write: all builds share them.")
    List<Path> writable = new ArrayList<>();

    /** Returns the settings, with the files that scripts must not see. */
    IsolationOptions options(List<Path> hidden) {
        return new IsolationOptions(
                IsolationMode.valueOf(
                        choice("--isolation", mode, "auto", "sandbox", "none").toUpperCase(Locale.ROOT)),
                choice("--isolation-network", network, "host", "none").equals("host"),
                readable,
                writable,
                hidden);
    }

    private static String choice(String option, String value, String... choices) {
        if (!List.of(choices).contains(value)) {
            throw new UsageException(option + ": expected one of " + List.of(choices) + ", got " + value);
        }
        return value;
    }
}
