package dev.touchstone.builds.cli;

import dev.touchstone.cli.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;

/** Entry point of {@code builds}. */
public final class Main {
    private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

    private Main() {}

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param args command-line arguments
     */
    public static void main(String[] args) {
        if (System.getProperty(LOG_FORMAT) == null) {
            System.setProperty(LOG_FORMAT, "%1$tF %1$tT.%1$tL %4$s %5$s%6$s%n");
        }
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        Surroundings around = new Surroundings(
                System.getenv(), Path.of(""), out, Console.ofProcess().err());
        System.exit(Commands.execute(around, args));
    }
}
