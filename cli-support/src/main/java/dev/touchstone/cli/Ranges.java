package dev.touchstone.cli;

/** Checks of numbers from the command line. */
public final class Ranges {
    /** The largest TCP port. */
    public static final int MAX_PORT = 65_535;

    private Ranges() {}

    /**
     * Checks that an option's number lies in its range.
     *
     * @param option name of the option with its dashes; not null
     * @param value number that the user gave
     * @param min smallest valid number
     * @param max largest valid number; {@link Long#MAX_VALUE} or {@link Integer#MAX_VALUE} if there is no limit
     * @return {@code value}
     * @throws UsageException if the number is smaller than {@code min} or larger than {@code max}; names this option only
     */
    public static long check(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new UsageException(option + ": expected " + text(min, max) + ", got " + value);
        }
        return value;
    }

    /**
     * Checks that an option's number lies in its range.
     *
     * @param option name of the option with its dashes; not null
     * @param value number that the user gave
     * @param min smallest valid number
     * @param max largest valid number; {@link Integer#MAX_VALUE} if there is no limit
     * @return {@code value}
     * @throws UsageException if the number is smaller than {@code min} or larger than {@code max}; names this option only
     */
    public static int check(String option, int value, int min, int max) {
        return (int) check(option, (long) value, min, max);
    }

    /**
     * Checks that an option's value is a TCP port, or 0 for a free one.
     *
     * @param option name of the option with its dashes; not null
     * @param port number that the user gave
     * @return {@code port}
     * @throws UsageException if the number is negative or larger than {@value #MAX_PORT}; names this option only
     */
    public static int checkPort(String option, int port) {
        return check(option, port, 0, MAX_PORT);
    }

    private static String text(long min, long max) {
        boolean isOpen = max == Integer.MAX_VALUE || max == Long.MAX_VALUE;
        return isOpen ? min + " or more" : min + ".." + max;
    }
}
