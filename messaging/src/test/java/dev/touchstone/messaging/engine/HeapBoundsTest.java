package dev.touchstone.messaging.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others send, or do not read, takes no memory without bound. */
class HeapBoundsTest {
    @TempDir
    Path folder;

    /** A million atoms take 50 MiB at least, and what the senders have for the stalled peer 64. */
    @ParameterizedTest
    @ValueSource(strings = {"atoms", "reads", "ends"})
    void heap_whateverThePeerDoes_isBounded(String what) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx40m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeapBounds.class.getName(),
                        what)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        boolean ended = child.waitFor(2, TimeUnit.MINUTES);
        child.destroyForcibly();
        String said = Files.readString(output);
        assertThat(ended).as(said).isTrue();
        assertThat(child.exitValue()).as(said).isZero();
        assertThat(said).contains("growthKib=");
    }
}
