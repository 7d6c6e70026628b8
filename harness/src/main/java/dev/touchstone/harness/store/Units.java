package dev.touchstone.harness.store;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Units as JMH prints them. Pure functions. */
public final class Units {
    private static final Map<String, Double> NANOS = Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9);
    private static final Pattern RATE = Pattern.compile("ops/(ns|us|ms|s)");
    private static final Pattern TIME = Pattern.compile("(ns|us|ms|s)/op");
    /** Three cycles of a fast processor: less is a loop without a body. */
    private static final double MIN_NANOS = 1;

    private Units() {}

    /** Returns whether a thread's operation took less than a nanosecond: so fast that the JIT compiler must have eliminated the work. */
    public static boolean unbelievable(double score, String unit, int threads) {
        return nanosPerOperation(score, unit, threads).orElse(MIN_NANOS) < MIN_NANOS;
    }

    /** A thread's time for one operation; empty for units that are neither rates nor times. */
    public static OptionalDouble nanosPerOperation(double score, String unit, int threads) {
        Matcher rate = RATE.matcher(unit);
        if (rate.matches() && score > 0) {
            return OptionalDouble.of(Math.max(1, threads) * NANOS.getOrDefault(rate.group(1), 1.0) / score);
        }
        Matcher time = TIME.matcher(unit);
        return time.matches()
                ? OptionalDouble.of(score * NANOS.getOrDefault(time.group(1), 1.0))
                : OptionalDouble.empty();
    }
}
