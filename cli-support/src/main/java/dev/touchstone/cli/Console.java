package dev.touchstone.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The text streams of a program. As thread-safe as its writers are.
 *
 * @param out results only, such as a table or one JSON document; not null
 * @param err progress, warnings and failures; not null
 * @param terminal true if {@code err} is a terminal, where a line may be overwritten
 */
public record Console(PrintWriter out, PrintWriter err, boolean terminal) {
    /**
     * Creates a console that is no terminal.
     *
     * @param out results; not null
     * @param err progress, warnings and failures; not null
     * @return a new console
     */
    public static Console of(PrintWriter out, PrintWriter err) {
        return new Console(out, err, false);
    }

    /**
     * Opens the standard streams of this process, in the encoding that the system states for them.
     *
     * @return a new console; its writers flush at the end of each line
     */
    public static Console ofProcess() {
        return new Console(
                writer(FileDescriptor.out, "stdout.encoding"),
                writer(FileDescriptor.err, "stderr.encoding"),
                isStandardErrorTerminal());
    }

    /** Writes out what the writers still hold. */
    public void flush() {
        out.flush();
        err.flush();
    }

    /**
     * Returns the encoding for a stream.
     *
     * @param stated name of the encoding that the system states
     */
    static Charset charset(String stated) {
        Charset charset = Charset.forName(stated);
        // Systems without a locale state ASCII, but their terminals show UTF-8.
        return charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset;
    }

    private static PrintWriter writer(FileDescriptor descriptor, String encodingProperty) {
        String stated = System.getProperty(encodingProperty, System.getProperty("native.encoding", "UTF-8"));
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), charset(stated)), true);
    }

    /** Asks the system: the JDK's console reports on stdin and stdout only, and from JDK 22 on exists without a terminal too. */
    private static boolean isStandardErrorTerminal() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return false; // No /proc here: whole lines are right on a terminal too.
        }
    }
}
