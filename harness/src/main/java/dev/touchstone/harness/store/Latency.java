package dev.touchstone.harness.store;

import dev.touchstone.harness.paced.HistogramText;
import dev.touchstone.harness.paced.ResponseTimes;

/**
 * The recorded response times of a fork at a fixed rate, each measured from when the call was due.
 *
 * @param ratePerSecond calls a second that were asked for, of all threads together
 * @param made calls that were made
 * @param omitted calls that were due and not made before the end
 * @param nanos histogram of the response times in nanoseconds, as {@link HistogramText} writes it
 */
public record Latency(int ratePerSecond, long made, long omitted, String nanos) {
    /** Name of the metric of a fork that has the time which one call in a thousand exceeds. */
    public static final String TAIL = "response p99.9";

    private static final double HELD = 0.99;
    private static final long MIN_TAIL_CALLS = 10_000;

    /**
     * Converts measured times to their recorded form.
     *
     * @param ratePerSecond calls a second that were asked for, of all threads together
     * @param times the measured times
     * @return the recorded form
     */
    public static Latency of(int ratePerSecond, ResponseTimes times) {
        return new Latency(ratePerSecond, times.made(), times.omitted(), HistogramText.of(times.nanos()));
    }

    /**
     * Reads the times back.
     *
     * @return a new copy of the times
     * @throws IllegalArgumentException if {@link #nanos} is not the text of a histogram
     */
    public ResponseTimes times() {
        return new ResponseTimes(made, omitted, HistogramText.read(nanos));
    }

    /**
     * Returns whether {@link #TAIL} says something.
     *
     * @return true if at least ten calls exceed it
     */
    public boolean hasTail() {
        return made >= MIN_TAIL_CALLS;
    }

    /**
     * Returns whether the rate was kept.
     *
     * @return true if at least 99 % of the due calls were made
     */
    public boolean held() {
        return made >= HELD * (made + omitted);
    }
}
