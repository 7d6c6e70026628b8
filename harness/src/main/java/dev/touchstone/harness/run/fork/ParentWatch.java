package dev.touchstone.harness.run.fork;

import java.util.concurrent.CompletableFuture;

/** Ends this process when the one that launched it is gone: a kill that the launcher could not pass on must not leave a run behind. */
final class ParentWatch {
    /** Set by the launcher to its own process id. */
    static final String PROPERTY = "touchstone.parentPid";

    private static final int EXIT_TERMINATED = 143;

    private ParentWatch() {}

    static void start() {
        Long pid = Long.getLong(PROPERTY);
        if (pid != null) {
            CompletableFuture<Void> unused = whenGone(pid, () -> System.exit(EXIT_TERMINATED));
        }
    }

    /** Runs {@code action} on a thread of its own once there is no such process. */
    static CompletableFuture<Void> whenGone(long pid, Runnable action) {
        CompletableFuture<?> gone = ProcessHandle.of(pid)
                .<CompletableFuture<?>>map(ProcessHandle::onExit)
                .orElseGet(() -> CompletableFuture.completedFuture(null));
        return gone.thenRunAsync(action);
    }
}
