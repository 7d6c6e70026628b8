package dev.touchstone.benchmarks.serialization;

import java.util.Locale;

/** How many entries a query finds, by the value of the parameter {@code matches}. */
public enum Matches {
    NONE,
    ONE,
    /** One in a hundred. */
    PERCENT;

    private static final int HUNDRED = 100;
    private static final int OFFSET = 50;

    /** The string to look for: as long as the others, and like none of them. */
    public String wanted() {
        return String.format(Locale.ROOT, "%15s", this).replace(' ', '-');
    }

    /** How many of a map's entries have it. */
    public int rows(int entries) {
        return switch (this) {
            case NONE -> 0;
            case ONE -> Math.min(entries, 1);
            case PERCENT -> (entries + HUNDRED - 1 - OFFSET) / HUNDRED;
        };
    }

    /** What a key's record has for a string where a random one has another. */
    static String string(int key, String random) {
        if (key == 0) {
            return ONE.wanted();
        }
        return key % HUNDRED == OFFSET ? PERCENT.wanted() : random;
    }
}
