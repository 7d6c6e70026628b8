package dev.touchstone.harness.run;

import java.util.Locale;

/** The kinds of runs, by the question that each answers. */
public enum Profile {
    /** A first honest answer within three minutes. */
    QUICK(4L << 30),
    /** Warm-up, iterations and threads as the benchmarks declare them. */
    FULL(6L << 30),
    /** Whatever the user chose. */
    RUN(6L << 30),
    /** Shows the effect of a change of the code. */
    COMPARE(6L << 30),
    /** Shows the differences that the machine makes though nothing has changed. */
    CALIBRATE(6L << 30),
    /** Shows the effect of the code's changes since the last night. */
    NIGHTLY(6L << 30);

    private final long neededBytes;

    Profile(long neededBytes) {
        this.neededBytes = neededBytes;
    }

    /**
     * Returns the free space that the benchmarks need below the data folder.
     *
     * @return bytes
     */
    public long neededBytes() {
        return neededBytes;
    }

    /**
     * Returns the name of the profile in {@code run.json}.
     *
     * @return the constant's name in lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
