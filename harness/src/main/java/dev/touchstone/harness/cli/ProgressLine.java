package dev.touchstone.harness.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.Durations;
import dev.touchstone.harness.run.fork.ForkSpec;
import dev.touchstone.harness.run.plan.SessionListener;
import dev.touchstone.harness.store.ForkResult;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Tells a run's progress: on a terminal one line that is written over, elsewhere a line now and then. Failures get lines of their own. */
final class ProgressLine implements SessionListener {
    private static final long PAUSE_NANOS = 10_000_000_000L;
    private static final int WIDTH = 79;

    private final PrintWriter err;
    private final boolean terminal;
    private final LongSupplier nanoClock;
    private long lastNanos;
    private boolean written;

    ProgressLine(Console console, LongSupplier nanoClock) {
        this.err = console.err();
        this.terminal = console.terminal();
        this.nanoClock = nanoClock;
    }

    @Override
    public void forkStarts(ForkSpec fork, int number, int forks, Duration remaining) {
        String line = "[" + number + "/" + forks + "] of round " + (fork.round() + 1)
                + (fork.rerun() > 0 ? ", again" : "") + ", about "
                + Durations.about(remaining) + " left: " + fork.cell().id();
        if (terminal) {
            overwrite(line);
        } else if (!written || nanoClock.getAsLong() - lastNanos >= PAUSE_NANOS) {
            err.println(line);
            lastNanos = nanoClock.getAsLong();
            written = true;
        }
    }

    @Override
    public void dropped(Cell cell) {
        clear();
        err.println("left out, too little time: " + cell.id());
    }

    @Override
    public void forkEnded(ForkSpec fork, ForkResult result) {
        if (!result.ok()) {
            clear();
            err.println("failed: " + result.cell() + " round " + (result.round() + 1) + ": " + result.error());
        }
    }

    /** Leaves nothing of the line behind. */
    void clear() {
        if (terminal && written) {
            overwrite("");
            err.print("\r");
            err.flush();
        }
    }

    private void overwrite(String line) {
        String cut = line.length() <= WIDTH ? line : line.substring(0, WIDTH);
        err.print("\r" + cut + " ".repeat(WIDTH - cut.length()));
        err.flush();
        written = true;
    }
}
