package dev.touchstone.index.loader;

import java.util.List;

/**
 * A report of a load: the numbers of good and bad rows, and the first bad ones. Immutable.
 *
 * @param rows number of rows that were read, without the head and empty lines
 * @param loaded number of rows that are prices
 * @param errors number of bad rows
 * @param first details of the first bad rows, at most {@link LoadOptions#reportedErrors} of them
 */
public record LoadReport(long rows, long loaded, long errors, List<RowError> first) {
    /** Creates a report with a copy of the list. */
    public LoadReport {
        first = List.copyOf(first);
    }
}
