package dev.touchstone.queue.cli;

import dev.touchstone.cli.Console;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Tells on standard error how far the reading of a folder is, once it has taken two seconds and then every two seconds. */
final class ScanProgress implements Consumer<Path> {
    private static final long PAUSE_NANOS = 2_000_000_000;

    private final Console console;
    private final LongSupplier nanoClock;
    private long lastNanos;
    private int read;

    ScanProgress(Console console, LongSupplier nanoClock) {
        this.console = console;
        this.nanoClock = nanoClock;
        this.lastNanos = nanoClock.getAsLong();
    }

    @Override
    public void accept(Path file) {
        long now = nanoClock.getAsLong();
        if (now - lastNanos >= PAUSE_NANOS) {
            console.err().println("read " + read + " log files, now " + file.getFileName());
            lastNanos = now;
        }
        read++;
    }
}
