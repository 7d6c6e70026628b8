package dev.touchstone.benchmarks.serialization;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Control;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.infra.ThreadParams;
import org.openjdk.jmh.runner.IterationType;

/**
 * The calls of a thread that come at a fixed rate, and how long each took from when it was due: one that waits for a slow call before it has
 * that wait in its time, as a user would. What is not called before an iteration ends is not counted; the score is then below the rate.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.OPERATIONS)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public class PacedCalls {

    /** The parameter of calls a second, of all threads together. */
    static final String RATE = "ratePerSecond";

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 3;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** Microseconds of all calls, each from when it was due. */
    public long responseMicros;

    /** Calls that took more than 1 ms. */
    public long overOneMilli;

    /** Calls that took more than 10 ms. */
    public long overTenMillis;

    /** Calls that took more than 100 ms. */
    public long overHundredMillis;

    private final Histogram nanos = new Histogram(LONGEST_NANOS, DIGITS);
    private Metronome metronome;
    private ResponseTimes.@Nullable All told;
    private boolean measured;
    private boolean counted;

    @Setup(Level.Iteration)
    public void begin(BenchmarkParams params, IterationParams iteration, ThreadParams thread) {
        if (!measured) {
            nanos.reset(); // of the warm-up
            measured = iteration.getType() == IterationType.MEASUREMENT;
        }
        begin(Integer.parseInt(params.getParam(RATE)), thread);
    }

    /** The threads' calls are due one after the other. */
    final void begin(int ratePerSecond, ThreadParams thread) {
        long interval = TimeUnit.SECONDS.toNanos(1) * thread.getThreadCount() / ratePerSecond;
        long first = System.nanoTime() + interval * thread.getThreadIndex() / thread.getThreadCount();
        metronome = new Metronome(first, interval);
        responseMicros = 0;
        overOneMilli = 0;
        overTenMillis = 0;
        overHundredMillis = 0;
    }

    /**
     * Waits for the next call.
     *
     * @param all takes what is measured
     * @return when it was due
     */
    final long await(ResponseTimes.All all, Control control) {
        if (told != all) {
            all.add(nanos);
            told = all;
        }
        long due = metronome.await();
        counted = control.startMeasurement && !control.stopMeasurement;
        return due;
    }

    /** Counts a call that has ended, if it began in the time that is measured: the slowest may end behind it. */
    final void done(long due) {
        if (counted) {
            long took = System.nanoTime() - due;
            nanos.recordValue(Math.min(took, LONGEST_NANOS));
            responseMicros += TimeUnit.NANOSECONDS.toMicros(took);
            overOneMilli += took > MILLI ? 1 : 0;
            overTenMillis += took > 10 * MILLI ? 1 : 0;
            overHundredMillis += took > 100 * MILLI ? 1 : 0;
        }
    }
}
