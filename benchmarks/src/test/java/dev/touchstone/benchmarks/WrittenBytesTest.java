package dev.touchstone.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WrittenBytesTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    private Path folder;

    @Test
    void of_textOfTheKernel_itsFigure() throws IOException {
        assertThat(WrittenBytes.of("rchar: 12\nwchar: 345\nsyscr: 6\nwrite_bytes: 78\n"))
                .isEqualTo(345);
        assertThatIOException().isThrownBy(() -> WrittenBytes.of("rchar: 12\n")).withMessageContaining("wchar");
    }

    @Test
    void now_bytesOfThisProcessAndOfAnEndedChild_areIn() throws Exception {
        OptionalLong before = WrittenBytes.now();
        assumeTrue(before.isPresent(), "no /proc/PID/io on this system");
        Files.write(folder.resolve("own"), new byte[BYTES]);
        int exitCode = new ProcessBuilder("dd", "if=/dev/zero", "of=/dev/null", "bs=" + BYTES, "count=1")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("dd").toFile())
                .start()
                .waitFor();
        assertThat(exitCode).isZero();
        assertThat(WrittenBytes.now().orElseThrow() - before.getAsLong()).isGreaterThanOrEqualTo(2L * BYTES);
    }
}
