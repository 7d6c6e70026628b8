package dev.touchstone.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.cli.Console;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Sampling;
import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.store.Build;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final StringWriter err = new StringWriter();
    private long nowNanos;

    @Test
    void forkStarts_noTerminal_aLineTenSecondsApart() {
        ProgressLine progress = progress(false);
        for (int second = 0; second < 21; second++) {
            progress.forkStarts(fork("OURS"), second + 1, 40, Duration.ofSeconds(65));
            nowNanos += Duration.ofSeconds(1).toNanos();
        }
        progress.clear();
        assertThat(err.toString().lines())
                .containsExactly(
                        "[1/40] of round 2, about 1 min 5 s left: count/t1/OURS",
                        "[11/40] of round 2, about 1 min 5 s left: count/t1/OURS",
                        "[21/40] of round 2, about 1 min 5 s left: count/t1/OURS");
    }

    @Test
    void forkStarts_terminal_writesOverOneLine() {
        ProgressLine progress = progress(true);
        progress.forkStarts(fork("X".repeat(100)), 1, 2, Duration.ofSeconds(4));
        progress.forkStarts(fork("PEER"), 2, 2, Duration.ofSeconds(2));
        progress.clear();
        assertThat(err.toString()).doesNotContain("\n");
        assertThat(err.toString().split("\r"))
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(80));
    }

    private ProgressLine progress(boolean terminal) {
        PrintWriter writer = new PrintWriter(err, true);
        return new ProgressLine(new Console(writer, writer, terminal), () -> nowNanos);
    }

    private static ForkSpec fork(String subject) {
        Cell cell = new Cell("count", "b.Count.count", new TreeMap<>(), 1, subject);
        return new ForkSpec(cell, Build.OWN, 1, 0, 0, Sampling.ANNOTATED, List.of(), Duration.ofSeconds(1));
    }
}
