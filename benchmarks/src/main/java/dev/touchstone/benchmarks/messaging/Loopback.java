package dev.touchstone.benchmarks.messaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** What has gone over the loopback interface. */
final class Loopback {

    private static final Path COUNTERS = Path.of("/proc/net/dev");
    private static final String INTERFACE = "lo:";

    private Loopback() {}

    /** Bytes of all processes so far; empty where the system does not tell. */
    static OptionalLong bytes() throws IOException {
        if (!Files.isReadable(COUNTERS)) {
            return OptionalLong.empty();
        }
        return bytes(Files.readAllLines(COUNTERS));
    }

    /** The first figure of the interface's line: bytes received, which on loopback are those sent. */
    static OptionalLong bytes(List<String> lines) {
        return lines.stream()
                .map(String::strip)
                .filter(line -> line.startsWith(INTERFACE))
                .mapToLong(line -> Long.parseLong(
                        line.substring(INTERFACE.length()).strip().split("\\s+", 2)[0]))
                .findFirst();
    }
}
