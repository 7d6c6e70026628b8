package dev.touchstone.index.loader;

/**
 * How a load bears with bad rows, and how much of its source it holds at a time. Immutable.
 *
 * @param maxErrors the bad rows that don't end the load; one more does
 * @param reportedErrors the bad rows of which the report has the details
 * @param maxRowChars the longest row
 * @param maxFieldChars the longest value
 */
public record LoadOptions(long maxErrors, int reportedErrors, int maxRowChars, int maxFieldChars) {
    /** No number of bad rows ends the load; the report has the first 100; rows of up to 1 Mi, values of up to 64 Ki characters. */
    public static final LoadOptions DEFAULT = new LoadOptions(Long.MAX_VALUE, 100, 1 << 20, 1 << 16);

    private static final int MAX_CHARS = 1 << 26;

    public LoadOptions {
        if (maxErrors < 0 || reportedErrors < 0) {
            throw new IllegalArgumentException("maxErrors=" + maxErrors + " reportedErrors=" + reportedErrors);
        }
        if (maxRowChars < 16 || maxRowChars > MAX_CHARS || maxFieldChars < 1 || maxFieldChars > MAX_CHARS) {
            throw new IllegalArgumentException("maxRowChars=" + maxRowChars + " maxFieldChars=" + maxFieldChars);
        }
    }

    /** As this, with another number of bad rows. */
    public LoadOptions withMaxErrors(long errors) {
        return new LoadOptions(errors, reportedErrors, maxRowChars, maxFieldChars);
    }

    /** As this, with another number of bad rows in the report. */
    public LoadOptions withReportedErrors(int errors) {
        return new LoadOptions(maxErrors, errors, maxRowChars, maxFieldChars);
    }

    /** As this, with other limits of length. */
    public LoadOptions withMaxChars(int row, int field) {
        return new LoadOptions(maxErrors, reportedErrors, row, field);
    }
}
