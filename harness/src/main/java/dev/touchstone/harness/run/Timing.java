package dev.touchstone.harness.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The times that a benchmark's annotations ask for.
 *
 * @param singleShot whether an iteration is one batch of calls, however long it takes
 * @param batch calls of a batch, when measuring
 * @param warmup annotated warm-up, or JMH's default
 * @param measurement annotated measurement, or JMH's default
 */
public record Timing(boolean singleShot, int batch, Phase warmup, Phase measurement) {
    /** JVM start, connection to the host and tear-down, on the slow side. */
    private static final Duration FORK_OVERHEAD = Duration.ofMillis(1_400);
    /** A guess: nothing says how long a call takes until one has been measured. */
    private static final Duration ONE_SHOT = Duration.ofMillis(1_500);

    /**
     * Returns the expected time of a fork from start to end.
     *
     * @param sampling the fork's phases; null ones are taken from the annotations
     * @return the time, JVM start included; a guess for single-shot benchmarks
     */
    public Duration expected(Sampling sampling) {
        return FORK_OVERHEAD.plus(time(sampling.warmup(), warmup)).plus(time(sampling.measurement(), measurement));
    }

    private Duration time(@Nullable Phase chosen, Phase annotated) {
        Phase phase = chosen == null ? annotated : chosen;
        return singleShot ? ONE_SHOT.multipliedBy(phase.iterations()) : phase.total();
    }

    /**
     * Returns the time that a fork takes beside its iterations.
     *
     * @return the time of a slow start and end of a JVM
     */
    public static Duration forkOverhead() {
        return FORK_OVERHEAD;
    }
}
