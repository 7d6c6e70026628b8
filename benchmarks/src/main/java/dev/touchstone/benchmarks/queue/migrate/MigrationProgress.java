package dev.touchstone.benchmarks.queue.migrate;

import dev.touchstone.cli.Console;
import dev.touchstone.queue.migrate.Migration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A progress display on standard error for copies of more than 2 s: one changing line on a terminal, else a line every 10 s. */
final class MigrationProgress implements Migration.Progress {
    private static final long SILENT_NANOS = 2_000_000_000L;
    private static final long LINE_NANOS = 10_000_000_000L;
    private static final long TERMINAL_NANOS = 200_000_000L;
    private static final int WIDTH = 79;
    private static final double MEBIBYTE = 1 << 20;

    private final Console console;
    private final LongSupplier nanoClock;
    private final long startNanos;
    private long nextNanos;
    private boolean written;

    MigrationProgress(Console console, LongSupplier nanoClock) {
        this.console = console;
        this.nanoClock = nanoClock;
        this.startNanos = nanoClock.getAsLong();
        this.nextNanos = startNanos + SILENT_NANOS;
    }

    @Override
    public void copied(long records, long payloadBytes) {
        long now = nanoClock.getAsLong();
        if (now - nextNanos < 0) {
            return;
        }
        double seconds = (now - startNanos) / 1e9;
        String line = String.format(
                Locale.ROOT,
                "%d records, %.1f MiB in %.0f s (%.0f records/s)",
                records,
                payloadBytes / MEBIBYTE,
                seconds,
                records / seconds);
        if (console.terminal()) {
            overwrite(line);
        } else {
            console.err().println(line);
        }
        nextNanos = now + (console.terminal() ? TERMINAL_NANOS : LINE_NANOS);
    }

    /** Clears the line on a terminal. */
    void clear() {
        if (written) {
            overwrite("");
            console.err().print("\r");
            console.err().flush();
        }
    }

    private void overwrite(String line) {
        console.err().print("\r" + line + " ".repeat(Math.max(0, WIDTH - line.length())));
        console.err().flush();
        written = true;
    }
}
