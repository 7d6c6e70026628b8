package dev.touchstone.builds.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Entry point. */
public final class Main {
    private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

    private Main() {}

    /** Runs a command, and ends the process with its exit code. */
    public static void main(String[] args) {
        if (System.getProperty(LOG_FORMAT) == null) {
            System.setProperty(LOG_FORMAT, "%1$tF %1$tT.%1$tL %4$s %5$s%6$s%n");
        }
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        PrintWriter err = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.err), StandardCharsets.UTF_8), true);
        Surroundings around = new Surroundings(System.getenv(), Path.of(""), out, err);
        int exitCode = Commands.execute(around, args);
        err.flush();
        System.exit(exitCode);
    }
}
