package dev.touchstone.benchmarks.index.http;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts and times of a load, of one thread or of several. Not thread-safe. */
final class LoadResult {
    private static final int DIGITS = 3;

    private final Histogram nanos = new Histogram(TimeUnit.HOURS.toNanos(1), DIGITS);
    private long failures;
    private long bodyBytes;
    private double seconds;

    /** Counts an answer. */
    void answered(long took, int status, long bytes) {
        nanos.recordValue(Math.min(took, nanos.getHighestTrackableValue()));
        bodyBytes += bytes;
        if (status < 200 || status > 299) {
            failures++;
        }
    }

    /** Adds what a thread has counted at the same time. */
    void add(LoadResult thread) {
        nanos.add(thread.nanos);
        failures += thread.failures;
        bodyBytes += thread.bodyBytes;
    }

    /** Adds a load of another time. */
    void addLater(LoadResult round) {
        add(round);
        seconds += round.seconds;
    }

    /** Sets how long it went on. */
    void lasted(double time) {
        seconds = time;
    }

    long requests() {
        return nanos.getTotalCount();
    }

    /** Answers of a status other than 2xx. */
    long failures() {
        return failures;
    }

    long bodyBytes() {
        return bodyBytes;
    }

    double seconds() {
        return seconds;
    }

    double perSecond() {
        return requests() / seconds;
    }

    /** The time within which so many percent of the answers came, in nanoseconds. */
    long percentile(double percent) {
        return nanos.getValueAtPercentile(percent);
    }

    long most() {
        return nanos.getMaxValue();
    }
}
