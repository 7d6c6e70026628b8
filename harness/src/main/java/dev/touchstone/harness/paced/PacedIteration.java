package dev.touchstone.harness.paced;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** An iteration of a paced benchmark: its threads take turns, each with its share of the rate. Thread-safe. */
final class PacedIteration {
    private final int threads;
    private final double intervalNanos;

    @GuardedBy("this")
    private final SortedMap<String, List<Caller>> callers = new TreeMap<>();

    @GuardedBy("this")
    private int joined;

    /** Creates an iteration whose threads together make {@code ratePerSecond} calls a second. */
    PacedIteration(int ratePerSecond, int threads) {
        this.threads = threads;
        this.intervalNanos = (double) TimeUnit.SECONDS.toNanos(1) * threads / ratePerSecond;
    }

    /** Adds a thread that calls this benchmark method. Its first call is due as far behind now as its place among the threads says. */
    synchronized Caller join(String benchmark) {
        long first = System.nanoTime() + (long) (intervalNanos * joined / threads);
        Caller caller = new Caller(first, intervalNanos, System::nanoTime, LockSupport::parkNanos);
        callers.computeIfAbsent(benchmark, name -> new ArrayList<>()).add(caller);
        joined++;
        return caller;
    }

    /** Returns what the threads measured, by benchmark method. Only for threads that have ended. */
    synchronized SortedMap<String, ResponseTimes> times() {
        SortedMap<String, ResponseTimes> times = new TreeMap<>();
        callers.forEach((benchmark, each) -> times.put(
                benchmark, ResponseTimes.merged(each.stream().map(Caller::times).toList())));
        return times;
    }
}
