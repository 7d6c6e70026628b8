package dev.touchstone.harness.run;

import java.util.Locale;

/** Which question a run answers. */
public enum Profile {
    /** A first honest answer within three minutes. */
    QUICK,
    /** Warm-up, iterations and threads as the benchmarks declare them. */
    FULL,
    /** Whatever the user chose. */
    RUN;

    /** As in the command and in {@code run.json}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
