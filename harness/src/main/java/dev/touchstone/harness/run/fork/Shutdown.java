package dev.touchstone.harness.run.fork;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The orderly end of this process: whoever asked is told, then every process that this one started is killed, then whoever asked for that clears
 * up. A benchmark JVM that outlived its run would spoil the next one's figures. Thread-safe.
 */
public final class Shutdown {
    private static final int ROUNDS = 5;
    private static final long ROUND_MILLIS = 500;
    private static final long LOOK_AGAIN_MILLIS = 50; // a fork may just be about to start

    private final List<Runnable> first = new CopyOnWriteArrayList<>();
    private final List<Runnable> last = new CopyOnWriteArrayList<>();

    /** Creates an end that nobody has asked for anything yet; {@link #install} makes it happen. */
    public Shutdown() {}

    /** Makes it happen on every end that lets a JVM's hooks run, and when the process that launched this one is gone. */
    public void install() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "touchstone-shutdown"));
        ParentWatch.start();
    }

    /**
     * Registers an action that runs before any process is killed.
     *
     * @param action runs on the thread of the shutdown hook; actions run in the order of registration
     */
    public void first(Runnable action) {
        first.add(action);
    }

    /**
     * Registers an action that runs when all processes are killed.
     *
     * @param action runs on the thread of the shutdown hook; actions run in the order of registration
     */
    public void last(Runnable action) {
        last.add(action);
    }

    /**
     * Removes an action that {@link #first} or {@link #last} registered.
     *
     * @param action the same object; ignored if it is not registered
     */
    public void forget(Runnable action) {
        first.remove(action);
        last.remove(action);
    }

    void end() {
        first.forEach(Runnable::run);
        destroyDescendants();
        last.forEach(Runnable::run);
    }

    /** Kills all processes below this one, those too that were being started meanwhile, and waits a little for their end. */
    public static void destroyDescendants() {
        boolean looked = false;
        for (int round = 0; round < ROUNDS; round++) {
            List<ProcessHandle> alive = ProcessHandle.current().descendants().toList();
            if (alive.isEmpty() && looked) {
                return;
            }
            looked = alive.isEmpty();
            if (looked) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_AGAIN_MILLIS));
                continue;
            }
            alive.forEach(ProcessHandle::destroyForcibly);
            CompletableFuture<?>[] ends =
                    alive.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(ends)
                    .completeOnTimeout(null, ROUND_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
        }
    }
}
