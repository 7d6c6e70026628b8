package dev.touchstone.serialization.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Entry point. */
public final class Main {
    private Main() {}

    /** Runs a command, and ends the process with its exit code. */
    public static void main(String[] args) {
        Console console = new Console(
                new FileInputStream(FileDescriptor.in),
                writer(FileDescriptor.out, "stdout.encoding"),
                writer(FileDescriptor.err, "stderr.encoding"));
        int exitCode = Commands.execute(console, args);
        console.out().flush();
        console.err().flush();
        System.exit(exitCode);
    }

    private static PrintWriter writer(FileDescriptor descriptor, String encodingProperty) {
        String encoding = System.getProperty(encodingProperty, System.getProperty("native.encoding", "UTF-8"));
        Charset told = Charset.forName(encoding);
        // ASCII is what a system says that has no locale set; its terminals show UTF-8 all the same
        Charset charset = told.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : told;
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), charset), false);
    }
}
