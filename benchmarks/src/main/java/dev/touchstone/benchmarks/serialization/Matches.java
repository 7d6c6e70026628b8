package dev.touchstone.benchmarks.serialization;

import java.util.Locale;

/** Numbers of entries that a query finds, by the value of the parameter {@code matches}. */
public enum Matches {
    NONE,
    ONE,
    /** The query finds each hundredth entry. */
    PERCENT;

    private static final int HUNDRED = 100;
    private static final int OFFSET = 50;

    /** The string to look for: as long as the others, and like none of them. */
    public String wanted() {
        return String.format(Locale.ROOT, "%15s", this).replace(' ', '-');
    }

    /** Returns the number of matches in a map of so many entries. */
    public int rows(int entries) {
        return switch (this) {
            case NONE -> 0;
            case ONE -> Math.min(entries, 1);
            case PERCENT -> (entries + HUNDRED - 1 - OFFSET) / HUNDRED;
        };
    }

    /** Returns the string of a key's record: one that a query looks for, or else {@code random}. */
    static String string(int key, String random) {
        if (key == 0) {
            return ONE.wanted();
        }
        return key % HUNDRED == OFFSET ? PERCENT.wanted() : random;
    }
}
