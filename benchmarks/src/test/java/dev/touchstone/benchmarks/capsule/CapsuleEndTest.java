package dev.touchstone.benchmarks.capsule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a capsule ends: no signal leaves the application or what it started behind. */
@Timeout(120)
class CapsuleEndTest {
    @TempDir
    Path folder;

    /** Signals that end a JVM in order, with their numbers on Linux. */
    enum Signal {
        HUP(1),
        INT(2),
        TERM(15);

        private final int number;

        Signal(int number) {
            this.number = number;
        }
    }

    @ParameterizedTest
    @EnumSource
    void signal_midRun_endsAllAtOnce(Signal signal) throws Exception {
        assumeFalse(
                isIgnored(signal),
                signal + " is ignored by this process (nohup, or a background job): run in the foreground");
        Process outer = start();
        List<ProcessHandle> inner = descendants(outer);

        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(outer.pid())).start();

        assertThat(kill.waitFor()).isZero();
        assertThat(outer.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(outer.exitValue()).isEqualTo(128 + signal.number);
        assertEnded(inner);
    }

    @Test
    void kill_ofTheOuterProcess_applicationSeesItAndEnds() throws Exception {
        Process outer = start();
        List<ProcessHandle> inner = descendants(outer);

        outer.destroyForcibly();

        assertEnded(inner);
    }

    private Process start() throws IOException {
        return Launch.of(MiniCapsule.write(folder, "x"), folder.resolve("cache"))
                .start("wait");
    }

    /** Waits until the application runs; returns it and the process that it started. */
    private static List<ProcessHandle> descendants(Process outer) throws IOException {
        BufferedReader reader = outer.inputReader();
        String line = reader.readLine();
        assertThat(line).matches("[0-9]+ [0-9]+");
        List<ProcessHandle> handles = Pattern.compile(" ")
                .splitAsStream(line)
                .map(Long::parseLong)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
        assertThat(handles).hasSize(2);
        return handles;
    }

    private static void assertEnded(List<ProcessHandle> handles) throws Exception {
        for (ProcessHandle handle : handles) {
            handle.onExit().get(60, TimeUnit.SECONDS);
            assertThat(handle.isAlive()).isFalse();
        }
    }

    /** Whether children of this JVM are born deaf to the signal. */
    private static boolean isIgnored(Signal signal) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            Optional<String> mask = lines.filter(line -> line.startsWith("SigIgn:"))
                    .map(line -> line.substring(7).strip())
                    .findFirst();
            return mask.filter(bits -> (Long.parseUnsignedLong(bits, 16) >>> (signal.number - 1) & 1) == 1)
                    .isPresent();
        }
    }
}
