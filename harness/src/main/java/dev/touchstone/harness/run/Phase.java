package dev.touchstone.harness.run;

import java.time.Duration;

/**
 * Warm-up or measurement of one fork.
 *
 * @param iterations how many
 * @param time of each; of no meaning to single-shot benchmarks
 */
public record Phase(int iterations, Duration time) {
    /** Checks both. */
    public Phase {
        if (iterations < 0 || time.isNegative()) {
            throw new IllegalArgumentException("expected 0 or more, got iterations=" + iterations + " time=" + time);
        }
    }

    /**
     * Returns the time of all iterations together.
     *
     * @return iterations times time; of no meaning to single-shot benchmarks
     */
    public Duration total() {
        return time.multipliedBy(iterations);
    }

    /** Returns the form that people write, {@code 3 x 500ms}, which {@link #parse} reads too. */
    @Override
    public String toString() {
        return iterations + " x " + Durations.text(time);
    }

    /**
     * Reads iterations and time, such as {@code 3x500ms}.
     *
     * @param text blanks around it and around the {@code x} are ignored
     * @return the phase
     * @throws IllegalArgumentException if the text has another form
     */
    public static Phase parse(String text) {
        String[] sides = text.strip().split("\\s*x\\s*", -1);
        if (sides.length != 2 || !sides[0].matches("[0-9]{1,6}")) {
            throw new IllegalArgumentException("expected <iterations>x<time> as in 3x500ms, got '" + text + "'");
        }
        return new Phase(Integer.parseInt(sides[0]), Durations.parse(sides[1]));
    }
}
