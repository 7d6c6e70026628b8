package dev.touchstone.benchmarks.serialization;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** Percentiles of {@link PacedCalls}, of all threads and all measured iterations, told after the last of these; 0 until then. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class ResponseTimes {

    private static final double NANOS = TimeUnit.MICROSECONDS.toNanos(1);

    private boolean telling;
    private @Nullable All all;

    @Setup(Level.Trial)
    public void begin(ThreadParams thread) {
        // JMH adds up what threads say: one of them does.
        telling = thread.getThreadIndex() == 0;
    }

    /** Says whose calls are meant. */
    final void of(All measured) {
        all = measured;
    }

    /** Half of the calls took no longer. */
    public double p50Micros() {
        return percentile(50);
    }

    /** One in ten took longer. */
    public double p90Micros() {
        return percentile(90);
    }

    /** One in a hundred took longer. */
    public double p99Micros() {
        return percentile(99);
    }

    /** One in a thousand took longer. */
    public double p999Micros() {
        return percentile(99.9);
    }

    /** The longest call. */
    public double maxMicros() {
        return percentile(100);
    }

    private double percentile(double percentile) {
        Histogram merged = telling && all != null ? all.merged() : null;
        return merged == null ? 0 : merged.getValueAtPercentile(percentile) / NANOS;
    }

    /** The calls of all threads, which are quiet when they are put together. Thread-safe. */
    static final class All {
        private final List<Histogram> ofThreads = new ArrayList<>();
        private @Nullable Histogram merged;

        /** Takes a thread's histogram, which it goes on to fill. */
        synchronized void add(Histogram ofThread) {
            ofThreads.add(ofThread);
        }

        /** Puts what was measured so far together, where something was. */
        synchronized void merge() {
            if (!ofThreads.isEmpty()) {
                Histogram sum = new Histogram(ofThreads.get(0)); // as wide, and empty
                ofThreads.forEach(sum::add);
                merged = sum;
            }
        }

        synchronized @Nullable Histogram merged() {
            return merged;
        }
    }
}
