package dev.touchstone.index.loader;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;

/**
 * Options of a load: how many bad rows it tolerates, whether it may be empty, how long its parts may be, and the zone of local times. Immutable.
 *
 * @param maxErrors maximum number of bad rows; one more ends the load. At least 0
 * @param reportedErrors maximum number of bad rows whose details stand in the report, at least 0
 * @param maxRowChars maximum length of a row in characters, from 16 to 67,108,864
 * @param maxFieldChars maximum length of a value in characters, from 1 to 67,108,864
 * @param maxUnpackedBytes maximum number of bytes that a gzip file may decompress to, at least 1
 * @param zone zone of dates and times that have no offset, not null
 * @param mayBeEmpty whether a source without a single price is loaded instead of refused
 */
public record LoadOptions(
        long maxErrors,
        int reportedErrors,
        int maxRowChars,
        int maxFieldChars,
        long maxUnpackedBytes,
        ZoneId zone,
        boolean mayBeEmpty) {
    /**
     * The default options: the first bad row ends the load, and a source without prices is refused; the first 100 bad rows in the report; rows of up to
     * 1,048,576 and values of up to 65,536 characters; up to 8 GiB in a gzip file; times without an offset are in UTC.
     */
    public static final LoadOptions DEFAULT =
            new LoadOptions(0, 100, 1 << 20, 1 << 16, 1L << 33, ZoneOffset.UTC, false);

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
        if (maxUnpackedBytes < 1) {
            throw new IllegalArgumentException("maxUnpackedBytes=" + maxUnpackedBytes);
        }
        Objects.requireNonNull(zone, "zone");
    }

    /**
     * Returns these options with another maximum number of bad rows.
     *
     * @param errors maximum number of bad rows, at least 0
     * @return new options
     * @throws IllegalArgumentException if the number is negative
     */
    public LoadOptions withMaxErrors(long errors) {
        return new LoadOptions(errors, reportedErrors, maxRowChars, maxFieldChars, maxUnpackedBytes, zone, mayBeEmpty);
    }

    /**
     * Returns these options with another maximum number of bad rows in the report.
     *
     * @param errors maximum number of bad rows whose details stand in the report, at least 0
     * @return new options
     * @throws IllegalArgumentException if the number is negative
     */
    public LoadOptions withReportedErrors(int errors) {
        return new LoadOptions(maxErrors, errors, maxRowChars, maxFieldChars, maxUnpackedBytes, zone, mayBeEmpty);
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
        return new LoadOptions(maxErrors, reportedErrors, row, field, maxUnpackedBytes, zone, mayBeEmpty);
    }

    /**
     * Returns these options with another maximum size of what a gzip file holds.
     *
     * @param bytes maximum number of bytes after decompression, at least 1
     * @return new options
     * @throws IllegalArgumentException if the number is less than 1
     */
    public LoadOptions withMaxUnpackedBytes(long bytes) {
        return new LoadOptions(maxErrors, reportedErrors, maxRowChars, maxFieldChars, bytes, zone, mayBeEmpty);
    }

    /**
     * Returns these options with another zone of dates and times that have no offset.
     *
     * @param local zone, not null
     * @return new options
     */
    public LoadOptions withZone(ZoneId local) {
        return new LoadOptions(
                maxErrors, reportedErrors, maxRowChars, maxFieldChars, maxUnpackedBytes, local, mayBeEmpty);
    }

    /**
     * Returns these options with another answer to whether a source without a single price is loaded.
     *
     * @param isAllowed true to load such a source, false to refuse it
     * @return new options
     */
    public LoadOptions withMayBeEmpty(boolean isAllowed) {
        return new LoadOptions(
                maxErrors, reportedErrors, maxRowChars, maxFieldChars, maxUnpackedBytes, zone, isAllowed);
    }
}
