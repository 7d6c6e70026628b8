package dev.touchstone.harness.run;

import java.util.Locale;

/** Which question a run answers. */
public enum Profile {
    /** A first honest answer within three minutes. */
    QUICK(4L << 30),
    /** Warm-up, iterations and threads as the benchmarks declare them. */
    FULL(6L << 30),
    /** Whatever the user chose. */
    RUN(6L << 30),
    /** What a change of the code has changed. */
    COMPARE(6L << 30),
    /** What the machine shows though nothing has changed. */
    CALIBRATE(6L << 30),
    /** What a night's changes of the code have changed. */
    NIGHTLY(6L << 30);

    private final long neededBytes;

    Profile(long neededBytes) {
        this.neededBytes = neededBytes;
    }

    /** Free space that its benchmarks need below the data folder. */
    public long neededBytes() {
        return neededBytes;
    }

    /** As in the command and in {@code run.json}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
