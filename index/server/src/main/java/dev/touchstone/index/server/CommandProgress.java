package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.index.server.store.StoreProgress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The progress of a command, which is told on standard error when the command has taken two seconds, and then every two seconds, by a thread of its
 * own.
 */
final class CommandProgress implements StoreProgress, AutoCloseable {
    private static final int SECONDS = 2;

    private final ScheduledExecutorService timer;
    private volatile String what;
    private volatile long done; // written by the thread of the command
    private volatile long total;

    CommandProgress(Console console, String what) {
        this.what = what;
        timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "progress");
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleAtFixedRate(() -> console.err().println(this), SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void at(String newWhat, long newDone, long newTotal) {
        done = newDone;
        total = newTotal;
        what = newWhat;
    }

    @Override
    public String toString() {
        return what + (done == 0 ? "" : ": " + done) + (total == 0 ? "" : " of " + total);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
