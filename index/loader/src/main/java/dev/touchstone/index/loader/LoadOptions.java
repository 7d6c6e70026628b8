package dev.touchstone.index.loader;

/**
 * Limits of a load: how many bad rows it tolerates, and how long rows and values may be. Immutable.
 *
 * @param maxErrors maximum number of bad rows; one more ends the load. At least 0
 * @param reportedErrors maximum number of bad rows whose details stand in the report, at least 0
 * @param maxRowChars maximum length of a row in characters, from 16 to 67,108,864
 * @param maxFieldChars maximum length of a value in characters, from 1 to 67,108,864
 */
public record LoadOptions(long maxErrors, int reportedErrors, int maxRowChars, int maxFieldChars) {
    /**
     * The default options: no limit of bad rows, the first 100 of them in the report, rows of up to 1,048,576 and values of up to 65,536 characters.
     */
    public static final LoadOptions DEFAULT = new LoadOptions(Long.MAX_VALUE, 100, 1 << 20, 1 << 16);

    private static final int MAX_CHARS = 1 << 26;

    /**
     * Creates options.
     *
     * @throws IllegalArgumentException if a limit is outside its range
     */
    public LoadOptions {
        if (maxErrors < 0 || reportedErrors < 0) {
            throw new IllegalArgumentException("maxErrors=" + maxErrors + " reportedErrors=" + reportedErrors);
        }
        if (maxRowChars < 16 || maxRowChars > MAX_CHARS || maxFieldChars < 1 || maxFieldChars > MAX_CHARS) {
            throw new IllegalArgumentException("maxRowChars=" + maxRowChars + " maxFieldChars=" + maxFieldChars);
        }
    }

    /**
     * Returns these options with another maximum number of bad rows.
     *
     * @param errors maximum number of bad rows, at least 0
     * @return new options
     * @throws IllegalArgumentException if the number is negative
     */
    public LoadOptions withMaxErrors(long errors) {
        return new LoadOptions(errors, reportedErrors, maxRowChars, maxFieldChars);
    }

    /**
     * Returns these options with another maximum number of bad rows in the report.
     *
     * @param errors maximum number of bad rows whose details stand in the report, at least 0
     * @return new options
     * @throws IllegalArgumentException if the number is negative
     */
    public LoadOptions withReportedErrors(int errors) {
        return new LoadOptions(maxErrors, errors, maxRowChars, maxFieldChars);
    }

    /**
     * Returns these options with other maximum lengths.
     *
     * @param row maximum length of a row in characters, from 16 to 67,108,864
     * @param field maximum length of a value in characters, from 1 to 67,108,864
     * @return new options
     * @throws IllegalArgumentException if a length is outside its range
     */
    public LoadOptions withMaxChars(int row, int field) {
        return new LoadOptions(maxErrors, reportedErrors, row, field);
    }
}
