package dev.touchstone.queue.torture;

import java.io.PrintStream;
import java.util.Collection;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Ends the process, having printed what every thread does, when a call lasts too long. */
final class Watchdog implements AutoCloseable {
    /** Time of a call on a machine that nobody else uses. */
    static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Collection<Calls> watched = new CopyOnWriteArrayList<>();
    private final PrintStream out;
    private final long maxNanos;
    private final Thread thread = new Thread(this::watch, "watchdog");
    private volatile boolean stop;

    Watchdog(PrintStream out, long maxNanos) {
        this.out = out;
        this.maxNanos = maxNanos;
        thread.setDaemon(true);
        thread.start();
    }

    Calls watch(Thread toWatch) {
        Calls calls = new Calls(toWatch);
        watched.add(calls);
        return calls;
    }

    Collection<Calls> watched() {
        return watched;
    }

    @Override
    public void close() {
        stop = true;
    }

    /** Prints the stacks of all threads. */
    static void dump(PrintStream out) {
        Thread.getAllStackTraces().forEach((of, frames) -> {
            out.println("  " + of.getName() + " " + of.getState());
            for (StackTraceElement frame : frames) {
                out.println("      at " + frame);
            }
        });
    }

    private void watch() {
        while (!stop) {
            LockSupport.parkNanos(LOOK_NANOS);
            for (Calls calls : watched) {
                if (calls.lastsNanos() > maxNanos) {
                    out.println("VIOLATION stall: " + calls);
                    dump(out);
                    out.flush();
                    Runtime.getRuntime().halt(1);
                }
            }
        }
    }
}
