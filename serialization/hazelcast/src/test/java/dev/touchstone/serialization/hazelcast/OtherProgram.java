package dev.touchstone.serialization.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Programs in other languages, which may be missing, and their scripts among the resources of the tests. */
final class OtherProgram {
    private static final int MAX_SECONDS = 90;

    private OtherProgram() {}

    static Path script(String name) throws URISyntaxException {
        return Path.of(Objects.requireNonNull(OtherProgram.class.getResource("/interop/" + name))
                .toURI());
    }

    /** Returns whether a program is there and ends with 0. */
    static boolean succeeds(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Runs a program that must end with 0, and returns what it printed. */
    static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(out).isZero();
            return out;
        } finally {
            process.destroyForcibly();
        }
    }
}
