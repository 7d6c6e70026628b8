package dev.touchstone.harness.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.harness.run.fork.Shutdown;
import java.io.IOException;

/** Entry point: runs one of our sub-commands, and hands every other command line to JMH. */
public final class Main {
    private Main() {}

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param args command-line arguments
     * @throws IOException if JMH cannot read its list of benchmarks
     */
    public static void main(String[] args) throws IOException {
        Console console = Console.ofProcess();
        Shutdown shutdown = new Shutdown();
        shutdown.install();
        ClassLoader loader = Main.class.getClassLoader();
        Invocation invocation = Invocation.of(args, console, shutdown, loader);
        int exitCode = Commands.handles(args) ? Commands.execute(invocation) : new PlainJmh(console).run(args);
        console.flush();
        System.exit(exitCode);
    }
}
