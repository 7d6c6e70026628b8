package dev.touchstone.queue.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.cli.Console;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScanProgressTest {
    @Test
    void accept_eachSecond_tellsEveryTwoSeconds() {
        StringWriter err = new StringWriter();
        AtomicLong seconds = new AtomicLong();
        ScanProgress progress = new ScanProgress(
                Console.of(new PrintWriter(new StringWriter()), new PrintWriter(err)),
                () -> seconds.get() * 1_000_000_000);
        for (int i = 0; i < 6; i++) {
            progress.accept(Path.of("folder", i + ".seg"));
            seconds.incrementAndGet();
        }
        assertThat(err.toString().lines())
                .containsExactly("read 2 log files, now 2.seg", "read 4 log files, now 4.seg");
    }
}
