package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.Shutdown;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Entry point: our sub-commands, and for every other command line plain JMH. */
public final class Main {
    private Main() {}

    /** Runs, and ends the process with the command's exit code. */
    public static void main(String[] args) throws IOException {
        Console console = new Console(
                writer(FileDescriptor.out, "stdout.encoding"),
                writer(FileDescriptor.err, "stderr.encoding"),
                stderrIsTerminal());
        Shutdown shutdown = new Shutdown();
        shutdown.install();
        ClassLoader loader = Main.class.getClassLoader();
        Invocation invocation = Invocation.of(args, console, shutdown, loader);
        int exitCode = Commands.handles(args) ? Commands.execute(invocation) : new PlainJmh(console).run(args);
        console.out().flush();
        console.err().flush();
        System.exit(exitCode);
    }

    /** Asked of the system: the JDK's own console speaks of stdin and stdout, and since 22 is there without a terminal too. */
    private static boolean stderrIsTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return false; // no such file system: lines are right everywhere
        }
    }

    private static PrintWriter writer(FileDescriptor descriptor, String encodingProperty) {
        String encoding = System.getProperty(encodingProperty, System.getProperty("native.encoding", "UTF-8"));
        Charset told = Charset.forName(encoding);
        // ASCII is what a system says that has no locale set; its terminals show UTF-8 all the same
        Charset charset = told.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : told;
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), charset), true);
    }
}
