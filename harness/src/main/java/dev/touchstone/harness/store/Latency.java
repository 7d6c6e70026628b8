package dev.touchstone.harness.store;

import dev.touchstone.harness.paced.HistogramText;
import dev.touchstone.harness.paced.ResponseTimes;

/**
 * How long the calls of one fork took that came at a fixed rate, each from when it was due.
 *
 * @param ratePerSecond asked for, of all threads together
 * @param made calls that were made
 * @param omitted calls that were due and not made before the end
 * @param nanos all of them, as {@link HistogramText}
 */
public record Latency(int ratePerSecond, long made, long omitted, String nanos) {
    private static final double HELD = 0.99;

    /** Of what was measured. */
    public static Latency of(int ratePerSecond, ResponseTimes times) {
        return new Latency(ratePerSecond, times.made(), times.omitted(), HistogramText.of(times.nanos()));
    }

    /** The times themselves. @throws IllegalArgumentException if the text is not one of a histogram */
    public ResponseTimes times() {
        return new ResponseTimes(made, omitted, HistogramText.read(nanos));
    }

    /** Whether nearly all of the calls that were due were made. */
    public boolean held() {
        return made >= HELD * (made + omitted);
    }
}
