package dev.touchstone.queue.torture;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls of one thread, or of threads that run one after the other: counted and timed by it, watched from outside while one lasts. */
final class Calls {
    private static final int BUCKETS = 64;

    private final Thread thread;
    private final Map<String, Times> times = new TreeMap<>(); // the thread's, until it has ended
    private volatile long since;
    private volatile String operation = "";

    Calls(Thread thread) {
        this.thread = thread;
    }

    Thread thread() {
        return thread;
    }

    <R extends @Nullable Object> R call(String what, Supplier<R> body) {
        operation = what;
        long start = System.nanoTime() | 1;
        since = start;
        try {
            return body.get();
        } finally {
            since = 0;
            times.computeIfAbsent(what, any -> new Times()).add(System.nanoTime() - start);
        }
    }

    /** As {@link #call}; null where an interrupt has ended the wait. */
    <R> @Nullable R waiting(String what, Waiting<R> body) {
        return this.<@Nullable R>call(what, () -> {
            try {
                return body.run();
            } catch (InterruptedException awaited) {
                return null;
            }
        });
    }

    /** A call that an interrupt may end. */
    interface Waiting<R> {
        @Nullable
        R run() throws InterruptedException;
    }

    /** How long the present call has lasted; 0 where there is none. */
    long lastsNanos() {
        long start = since;
        return start == 0 ? 0 : System.nanoTime() - start;
    }

    @Override
    public String toString() {
        return thread.getName() + " in " + operation + " for " + TimeUnit.NANOSECONDS.toMillis(lastsNanos()) + " ms";
    }

    /** A line for each operation, over all threads; they have ended. */
    static String table(Collection<Calls> threads) {
        Map<String, Times> sums = new TreeMap<>();
        for (Calls one : threads) {
            one.times.forEach((what, times) ->
                    sums.computeIfAbsent(what, any -> new Times()).add(times));
        }
        StringBuilder text = new StringBuilder();
        sums.forEach((what, sum) -> text.append(String.format(Locale.ROOT, "  %-14s %s%n", what, sum)));
        return text.toString();
    }

    private static final class Times {
        private final long[] buckets = new long[BUCKETS];
        private long count;
        private long totalNanos;
        private long worstNanos;

        void add(long nanos) {
            buckets[BUCKETS - 1 - Long.numberOfLeadingZeros(Math.max(1, nanos))]++;
            count++;
            totalNanos += nanos;
            worstNanos = Math.max(worstNanos, nanos);
        }

        void add(Times other) {
            for (int i = 0; i < BUCKETS; i++) {
                buckets[i] += other.buckets[i];
            }
            count += other.count;
            totalNanos += other.totalNanos;
            worstNanos = Math.max(worstNanos, other.worstNanos);
        }

        /** An upper bound of the quantile, exact to a factor of two. */
        private double quantileMillis(double share) {
            long left = (long) (count * (1 - share));
            int bucket = BUCKETS - 1;
            while (bucket > 0 && (left -= buckets[bucket]) >= 0) {
                bucket--;
            }
            return Math.min(worstNanos, 1L << (bucket + 1)) / 1e6;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "calls=%-10d mean=%.4f ms  p99.9<=%.3f ms  worst=%.1f ms",
                    count,
                    totalNanos / 1e6 / count,
                    quantileMillis(0.999),
                    worstNanos / 1e6);
        }
    }
}
