package dev.touchstone.benchmarks.messaging.peer;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server's own thread, which runs from the start. What it failed of is thrown to whoever closes it. */
final class ServerThread implements Closeable {

    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private final Thread thread;
    private volatile @Nullable Throwable failure;

    /** Starts the thread. */
    ServerThread(Work work) {
        thread = new Thread(() -> run(work), "echo-server");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((dead, problem) -> failure = problem);
        thread.start();
    }

    private void run(Work work) {
        try {
            work.run();
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the end of the work, which has been asked to end. */
    @Override
    public void close() throws IOException {
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        boolean late = thread.isAlive();
        thread.interrupt();
        Throwable problem = failure;
        if (problem != null) {
            throw new IOException("the server has failed", problem);
        }
        if (late) {
            throw new IOException("the server has not ended within " + PATIENCE_MILLIS + " ms");
        }
    }

    /** The work of the thread. */
    @FunctionalInterface
    interface Work {
        void run() throws IOException, InterruptedException;
    }
}
