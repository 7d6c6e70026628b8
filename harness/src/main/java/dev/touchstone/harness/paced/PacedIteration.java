package dev.touchstone.harness.paced;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** One iteration of a paced benchmark: its threads take turns, each with its share of the rate. Thread-safe. */
final class PacedIteration {
    private final int threads;
    private final double intervalNanos;

    @GuardedBy("this")
    private final List<Caller> callers = new ArrayList<>();

    /** @param ratePerSecond of all threads together */
    PacedIteration(int ratePerSecond, int threads) {
        this.threads = threads;
        this.intervalNanos = (double) TimeUnit.SECONDS.toNanos(1) * threads / ratePerSecond;
    }

    /** A thread starts. Its first call is due as far behind now as its place among the threads says. */
    synchronized Caller join() {
        long first = System.nanoTime() + (long) (intervalNanos * callers.size() / threads);
        Caller caller = new Caller(first, intervalNanos, System::nanoTime, LockSupport::parkNanos);
        callers.add(caller);
        return caller;
    }

    /** What all threads measured, which have ended. */
    synchronized ResponseTimes times() {
        Histogram sum = new Histogram(Caller.LONGEST_NANOS, Caller.DIGITS);
        long made = 0;
        long omitted = 0;
        for (Caller caller : callers) {
            sum.add(caller.nanos());
            made += caller.made();
            omitted += caller.omitted();
        }
        return new ResponseTimes(made, omitted, sum);
    }
}
