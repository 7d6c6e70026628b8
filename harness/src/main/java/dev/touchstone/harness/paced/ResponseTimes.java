package dev.touchstone.harness.paced;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Response times of paced calls, each measured from when the call was due.
 *
 * @param made calls that were made
 * @param omitted calls that were due and not made before the end; the histogram has them with the time they had waited
 * @param nanos response times in nanoseconds, the omitted calls included
 */
public record ResponseTimes(long made, long omitted, Histogram nanos) {

    /** All of them together: percentiles are taken of what was merged, never averaged. */
    public static ResponseTimes merged(List<ResponseTimes> parts) {
        Histogram sum = new Histogram(Caller.LONGEST_NANOS, Caller.DIGITS);
        long made = 0;
        long omitted = 0;
        for (ResponseTimes part : parts) {
            sum.add(part.nanos);
            made += part.made;
            omitted += part.omitted;
        }
        return new ResponseTimes(made, omitted, sum);
    }

    /** The time that so many percent of the calls did not exceed. */
    public double micros(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1000.0;
    }

    /** Returns the times as one line of text, which {@link #parse} reads. */
    public String line() {
        return made + " " + omitted + " " + HistogramText.of(nanos);
    }

    /** Reads {@link #line}. @throws IllegalArgumentException if it is none */
    public static ResponseTimes parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 3) {
            throw new IllegalArgumentException(
                    "expected calls made, omitted and their times, got " + words.length + " words");
        }
        return new ResponseTimes(Long.parseLong(words[0]), Long.parseLong(words[1]), HistogramText.read(words[2]));
    }
}
