package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The EPMD of Erlang, in the foreground on a port of its own. */
final class RealEpmd {
    private final Process process;
    private final int port;

    private RealEpmd(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one; skips the test where it is not installed. */
    static RealEpmd start() throws Exception {
        Optional<Path> program = program();
        assumeThat(program)
                .as("needs the program epmd: install the package erlang-base")
                .isPresent();
        int port = Sockets.freePort();
        Process process = new ProcessBuilder(program.orElseThrow().toString(), "-port", Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        RealEpmd epmd = new RealEpmd(process, port);
        Sockets.waitUntil("epmd answers", () -> {
            try {
                return new EpmdClient(Sockets.loopback(port), Sockets.TIMEOUT)
                        .names()
                        .isEmpty();
            } catch (EpmdException.Unreachable e) {
                return false;
            }
        });
        return epmd;
    }

    int port() {
        return port;
    }

    private static Optional<Path> program() {
        return Arrays.stream(
                        Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "epmd"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    void stop() throws InterruptedException {
        process.destroy();
        int unused = process.waitFor();
    }
}
