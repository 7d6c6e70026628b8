package dev.touchstone.serialization.cli;

import dev.touchstone.cli.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;

/** Entry point of {@code compact}. */
public final class Main {
    private Main() {}

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param args command-line arguments
     */
    public static void main(String[] args) {
        System.exit(Commands.execute(new FileInputStream(FileDescriptor.in), Console.ofProcess(), args));
    }
}
