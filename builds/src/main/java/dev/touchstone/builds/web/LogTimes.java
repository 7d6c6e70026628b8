package dev.touchstone.builds.web;

import java.util.List;

/**
 * Times at which the master got the bytes of a log. Immutable.
 *
 * @param offsets offsets of first bytes, ascending
 * @param seconds time of each in seconds since 1970; the bytes up to the next offset came within the same second
 */
public record LogTimes(List<Long> offsets, List<Long> seconds) {
    /** Copies the lists. */
    public LogTimes {
        offsets = List.copyOf(offsets);
        seconds = List.copyOf(seconds);
    }
}
