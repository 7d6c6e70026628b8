package dev.touchstone.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The kernel's account of the bytes that this process and all below it have written to sockets, files and pipes ({@code wchar} in
 * {@code /proc/PID/io}). Other processes of the machine are not in it, and neither are bytes that are sent without {@code write}: by
 * {@code sendmsg}, {@code sendfile} or {@code io_uring}.
 */
public final class WrittenBytes {
    private static final String LINE = "wchar: ";

    private WrittenBytes() {}

    /** Returns the bytes so far; empty where the system does not tell. */
    public static OptionalLong now() throws IOException {
        Path own = file(ProcessHandle.current());
        if (!Files.isReadable(own)) {
            return OptionalLong.empty();
        }
        long sum = of(Files.readString(own));
        for (ProcessHandle process : ProcessHandle.current().descendants().toList()) {
            try {
                sum += of(Files.readString(file(process)));
            } catch (IOException e) {
                // it has ended, and its bytes are in the account of its parent
            }
        }
        return OptionalLong.of(sum);
    }

    private static Path file(ProcessHandle process) {
        return Path.of("/proc", Long.toString(process.pid()), "io");
    }

    /** Returns the figure of the text of such a file. */
    static long of(String text) throws IOException {
        return text.lines()
                .filter(line -> line.startsWith(LINE))
                .mapToLong(line -> Long.parseLong(line.substring(LINE.length()).strip()))
                .findFirst()
                .orElseThrow(() -> new IOException("expected a line '" + LINE + "', got '" + text + "'"));
    }
}
