package dev.touchstone.queue.torture;

import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Threads of a session: they work until the process is killed, or until SIGTERM lets them end and the queue be closed. */
final class SessionThreads {
    static final int BROKEN = 1;
    static final long PARK_NANOS = 50_000;
    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Settings settings;
    private final int generation;
    private final long start = System.nanoTime();
    private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
    private volatile boolean stop;

    SessionThreads(Settings settings, int generation) {
        this.settings = settings;
        this.generation = generation;
        Thread main = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop = true;
            try {
                main.join(TimeUnit.SECONDS.toMillis(30));
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    void start(String name, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException | Error e) {
                        broken(name + ": " + e);
                    }
                },
                name);
        threads.add(thread);
        thread.start();
    }

    /** Tells the script that the session is at work, and waits for the end of all threads. */
    void awaitEnd() throws InterruptedException {
        System.out.println("ready generation=" + generation + " seed=" + settings.seed());
        for (Thread thread : threads) {
            thread.join();
        }
    }

    boolean goesOn() {
        return !stop && System.nanoTime() - start < MAX_NANOS;
    }

    /** Returns the random generator of one thread of this session. */
    SplittableRandom random(int part) {
        return new SplittableRandom(Element.mix(settings.seed(), generation, part, 0));
    }

    static void pause() {
        LockSupport.parkNanos(PARK_NANOS);
    }

    /** Reports a broken promise and halts the process, unless the session is ending. */
    void broken(String what) {
        if (!stop) {
            System.out.println("VIOLATION generation=" + generation + " seed=" + settings.seed() + " " + what);
            System.out.flush();
            Runtime.getRuntime().halt(BROKEN);
        }
    }
}
