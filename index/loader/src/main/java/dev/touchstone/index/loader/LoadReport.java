package dev.touchstone.index.loader;

import java.util.List;

/**
 * What became of the rows of a source. Immutable.
 *
 * @param rows that were read, without head and empty lines
 * @param loaded those that are prices
 * @param errors those that are none
 * @param first the first ones of these, up to {@link LoadOptions#reportedErrors}
 */
public record LoadReport(long rows, long loaded, long errors, List<RowError> first) {
    public LoadReport {
        first = List.copyOf(first);
    }
}
