package dev.touchstone.messaging.epmd;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** With the EPMD of Erlang, where it is installed. */
class RealEpmdContractTest extends EpmdContract {
    private @Nullable Process process;
    private int port;

    @BeforeEach
    void start() throws Exception {
        Optional<Path> program = program();
        assumeThat(program)
                .as("needs the program epmd: install the package erlang-base")
                .isPresent();
        port = Sockets.freePort();
        process = new ProcessBuilder(program.orElseThrow().toString(), "-port", Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Sockets.waitUntil("epmd answers", () -> {
            try {
                return new EpmdClient(epmd(), Sockets.TIMEOUT).names().isEmpty();
            } catch (EpmdException.Unreachable e) {
                return false;
            }
        });
    }

    @AfterEach
    void end() throws InterruptedException {
        Process started = process;
        if (started != null) {
            started.destroy();
            int unused = started.waitFor();
        }
    }

    @Override
    InetSocketAddress epmd() {
        return Sockets.loopback(port);
    }

    private static Optional<Path> program() {
        return Arrays.stream(
                        Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "epmd"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
