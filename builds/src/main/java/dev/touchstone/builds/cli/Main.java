package dev.touchstone.builds.cli;

import dev.touchstone.cli.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Entry point of {@code builds}. */
public final class Main {
    /** Says in warnings what strangers have sent, byte by byte. Kept here, since a logger that nobody keeps loses its level. */
    private static final Logger TRANSPORT = Logger.getLogger("io.grpc");

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
        TRANSPORT.setLevel(Level.SEVERE);
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        ProcessContext around = new ProcessContext(
                System.getenv(), Path.of(""), out, Console.ofProcess().err());
        System.exit(Commands.execute(around, args));
    }
}
